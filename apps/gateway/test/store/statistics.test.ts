import { beforeAll, expect, test } from 'vitest';
import { type AuditEvent, auditLine } from '../../src/store/audit/audit.ts';
import { readStatistics } from '../../src/store/audit/statistics.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { Writer } from '../../src/store/writer.ts';
import { openStore, type TestStore } from '../fixture/store.ts';

let store: TestStore;
let writer: Writer;

beforeAll(async () => {
  store = await openStore();
  writer = new Writer(store.opened.database);
});

type Outcome = 'allow' | 'ask' | 'deny';

function call(outcome: Outcome, judged: Outcome, rule: string, tool = 'send'): AuditEvent {
  const party = { server: 'mail', principal: 'ann', conversation: 'c' };
  return {
    type: 'call',
    ...party,
    tool,
    arguments: '',
    outcome,
    judged,
    rule,
    decidedBy: 'rule',
    reason: '',
    evidence: [],
  };
}

async function write(workspace: string, ...events: AuditEvent[]): Promise<void> {
  await writer.write(workspace, { audit: events.map((event) => auditLine(workspace, event)) });
}

const EVENTS: readonly AuditEvent[] = [
  call('allow', 'allow', 'trusted'),
  call('allow', 'ask', 'approved'),
  call('deny', 'ask', 'rejected'),
  call('ask', 'ask', 'requested'),
  call('deny', 'deny', 'instructed'),
  call('allow', 'ask', 'requested', 'a\0","outcome":"deny'),
  call('allow', 'deny', 'instructed'),
  { type: 'answer', server: 'mail', principal: 'ann', conversation: 'c', record: 'r', digest: 'd' },
  { type: 'login', what: 'began', by: 'ann' },
];

test('calls are counted by what was decided, apart from what observing let pass', async () => {
  const { workspace } = store;
  await write(workspace, ...EVENTS);
  const { total, causes, isCounting, audit } = await readStatistics(store.opened.database, workspace, 24);
  expect(total).toMatchObject({ calls: 7, unanswered: 1, denied: 1, wouldAsk: 1, wouldDeny: 1, asked: 0 });
  expect(causes).toEqual([
    { rule: 'instructed', asked: 0, denied: 1, wouldAsk: 0, wouldDeny: 1 },
    { rule: 'requested', asked: 0, denied: 0, wouldAsk: 1, wouldDeny: 0 },
  ]);
  expect(isCounting).toBe(false);
  expect(audit).toEqual({ rows: 9, head: 9 });
});

test('each row is counted once, however many ask at the same time', async () => {
  const workspace = await createWorkspace(store.opened.database, 'together');
  for (let round = 1; round <= 3; round++) {
    await write(workspace, ...EVENTS);
    await Promise.all(Array.from({ length: 4 }, () => readStatistics(store.opened.database, workspace, 24)));
    expect((await readStatistics(store.opened.database, workspace, 744)).total.calls).toBe(7 * round);
  }
});

test('questions are counted by what became of them, with the rule that asked', async () => {
  const workspace = await createWorkspace(store.opened.database, 'questions');
  const ask = (answer: string | null, until: string, rule = 'requested') =>
    store.opened.attacker`insert into approvals
      (workspace_id, digest, question, principal, conversation, until, answer, answered_by, answered_at)
      values (${workspace}, gen_random_uuid(), ${JSON.stringify({ tool: '\0"rule":"x"', rule })}, 'p', 'c', now() + ${until}::interval,
        ${answer}, ${answer === null ? null : 'ann'}, ${answer === null ? null : new Date()})`;
  await ask('approved', '1 hour');
  await ask('denied', '1 hour', 'instructed');
  await ask(null, '-1 second');
  await ask(null, '1 hour');
  const { total, causes, buckets } = await readStatistics(store.opened.database, workspace, 24);
  expect(total).toMatchObject({ asked: 4, approved: 1, rejected: 1, expired: 1, waiting: 1 });
  expect(causes.map(({ rule, asked }) => [rule, asked])).toEqual([
    ['requested', 3],
    ['instructed', 1],
  ]);
  expect(buckets).toHaveLength(24);
  expect(buckets.at(-1)).toMatchObject({ asked: 4 });
});

test('only the time that was asked for is counted, in buckets without gaps', async () => {
  const workspace = await createWorkspace(store.opened.database, 'times');
  await write(workspace, ...EVENTS);
  await store.opened
    .attacker`update audit set at = now() - interval '5 days' where workspace_id = ${workspace} and seq <= 4`;
  const lengths = [1, 48, 168, 744].map(async (hours) => {
    const { total, buckets, bucketHours, from, to } = await readStatistics(store.opened.database, workspace, hours);
    expect(to.getTime() - from.getTime()).toBe(buckets.length * bucketHours * 3_600_000);
    expect(buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(total.calls);
    return [buckets.length, total.calls];
  });
  expect(await Promise.all(lengths)).toEqual([
    [1, 3],
    [48, 3],
    [28, 7],
    [31, 7],
  ]);
});

test('what people said about findings is counted, and nothing of another workspace', async () => {
  const workspace = await createWorkspace(store.opened.database, 'corrections');
  for (const [place, digest, verdict] of [
    [workspace, 'a', 'attack'],
    [workspace, 'b', 'false-alarm'],
    [workspace, 'c', 'false-alarm'],
    [store.other, 'd', 'attack'],
  ] as const)
    await store.opened.attacker`insert into feedback values (${place}, 's', 't', ${digest}, 'low', ${verdict}, 'ann')`;
  await write(store.other, ...EVENTS);
  const { corrections, total } = await readStatistics(store.opened.database, workspace, 24);
  expect(corrections).toEqual({ falseAlarms: 2, attacks: 1 });
  expect(total.calls).toBe(0);
});
