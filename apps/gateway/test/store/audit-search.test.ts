import { beforeAll, expect, test } from 'vitest';
import { type AuditEvent, auditLine } from '../../src/store/audit/audit.ts';
import { type AuditFilter, searchAudit } from '../../src/store/audit/search.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { Writer } from '../../src/store/writer.ts';
import { openStore, type TestStore } from '../fixture/store.ts';

type CallEvent = Extract<AuditEvent, { type: 'call' }>;

const CALL: CallEvent = {
  type: 'call',
  server: 'mail',
  principal: 'ann',
  conversation: 'c',
  tool: 'send',
  arguments: '',
  outcome: 'allow',
  judged: 'allow',
  rule: 'trusted',
  decidedBy: 'table',
  reason: 'why',
  evidence: [{ path: '/rule', standing: 'trusted' as never }],
};

let store: TestStore;
let writer: Writer;

beforeAll(async () => {
  store = await openStore();
  writer = new Writer(store.opened.database);
});

const write = async (workspace: string, ...events: AuditEvent[]): Promise<void> => {
  for (const event of events) await writer.write(workspace, { audit: [auditLine(workspace, event)] });
};

async function foundIn(workspace: string, filter: Partial<AuditFilter>): Promise<readonly number[]> {
  const rows = await searchAudit(store.opened.database, workspace, { limit: 200, ...filter });
  return rows.map(({ seq }) => seq);
}

test('rows are found by each of their members, newest first, and by several at once', async () => {
  const workspace = await createWorkspace(store.opened.database, 'members');
  await write(
    workspace,
    CALL,
    { ...CALL, principal: 'bob', tool: 'read', server: 'web' },
    { ...CALL, outcome: 'ask', judged: 'ask', rule: 'requested' },
    { type: 'approval', what: 'approved', id: 'i', digest: 'd', by: 'ann, asked by the client' },
    { type: 'key', what: 'made', id: 'k', principal: 'agent', person: 'bob', by: 'carol' },
  );
  expect(await foundIn(workspace, {})).toEqual([5, 4, 3, 2, 1]);
  expect(await foundIn(workspace, { person: 'ann' })).toEqual([4, 3, 1]);
  expect(await foundIn(workspace, { person: 'bob' })).toEqual([5, 2]);
  expect(await foundIn(workspace, { person: 'carol' })).toEqual([5]);
  expect(await foundIn(workspace, { tool: 'read' })).toEqual([2]);
  expect(await foundIn(workspace, { server: 'mail' })).toEqual([3, 1]);
  expect(await foundIn(workspace, { rule: 'requested' })).toEqual([3]);
  expect(await foundIn(workspace, { outcome: 'ask' })).toEqual([3]);
  expect(await foundIn(workspace, { type: 'approval' })).toEqual([4]);
  expect(await foundIn(workspace, { person: 'ann', type: 'call', outcome: 'allow' })).toEqual([1]);
  expect(await foundIn(workspace, { person: 'bob', tool: 'send' })).toEqual([]);
  // A path of the evidence is not a member of the event.
  expect(await foundIn(workspace, { rule: '/rule' })).toEqual([]);
});

test('a page goes on before the last row of the page before, within a time', async () => {
  const workspace = await createWorkspace(store.opened.database, 'pages');
  await write(workspace, CALL, CALL, CALL, CALL, CALL);
  expect(await foundIn(workspace, { limit: 2 })).toEqual([5, 4]);
  expect(await foundIn(workspace, { limit: 2, before: 4 })).toEqual([3, 2]);
  expect(await foundIn(workspace, { limit: 2, before: 4, tool: 'send' })).toEqual([3, 2]);
  await store.opened.attacker`update audit set at = '2026-01-05Z' where workspace_id = ${workspace} and seq < 3`;
  expect(await foundIn(workspace, { to: new Date('2026-01-06Z') })).toEqual([2, 1]);
  expect(await foundIn(workspace, { from: new Date('2026-01-06Z'), tool: 'send' })).toEqual([5, 4, 3]);
  expect(await foundIn(workspace, { from: new Date('2026-01-05Z'), to: new Date('2026-01-05Z') })).toEqual([]);
});

test('another workspace is not searched', async () => {
  const { workspace, other } = store;
  await write(workspace, { ...CALL, tool: 'mine' });
  expect(await foundIn(workspace, { tool: 'mine' })).toHaveLength(1);
  expect(await foundIn(other, { tool: 'mine' })).toEqual([]);
});

test.each([
  { name: 'NUL', tool: 'a\0b' },
  { name: 'a lone surrogate', tool: 'a\ud800b' },
  { name: 'an escape as text', tool: 'a\\u0000b' },
  { name: 'quotes', tool: '","rule":"x' },
  { name: '100,000 characters', tool: 'x'.repeat(100_000) },
])('a tool name with $name does not hide a call from the search', async ({ tool }) => {
  const workspace = await createWorkspace(store.opened.database, `hidden-${tool.length}-${tool.charCodeAt(1)}`);
  await write(workspace, { ...CALL, tool }, CALL);
  expect(await foundIn(workspace, { person: 'ann', type: 'call' })).toEqual([2, 1]);
  expect(await foundIn(workspace, { tool })).toEqual([1]);
  expect(await foundIn(workspace, { rule: 'x' })).toEqual([]);
});

test('a row that someone has made unreadable is shown empty, and does not end the search', async () => {
  const workspace = await createWorkspace(store.opened.database, 'damaged');
  await write(workspace, CALL, CALL);
  await store.opened.attacker`update audit set payload = 'not JSON' where workspace_id = ${workspace} and seq = 1`;
  const rows = await searchAudit(store.opened.database, workspace, { limit: 9 });
  expect(rows.map(({ seq, event }) => [seq, event.type])).toEqual([
    [2, 'call'],
    [1, undefined],
  ]);
});

test('a rare word is found by the index among many rows, and a common one among the newest', async () => {
  const { attacker } = store.opened;
  const workspace = await createWorkspace(store.opened.database, 'many');
  await attacker`insert into audit (workspace_id, seq, at, payload, hash, mac)
    select ${workspace}, n, now() - make_interval(secs => 40000 - n), replace(json_build_object('type', 'call',
      'tool', case when n = 77 then 'rare' when n % 5000 = 0 then 'some' else 'send' end)::text, ' : ', ':'), '', ''
      from generate_series(1, 40000) n`;
  await attacker`vacuum analyze audit`;
  const plan = await attacker.unsafe(`explain select seq from audit where workspace_id = '${workspace}' and seq < 20000
    and audit_terms(workspace_id, payload) @> audit_terms('${workspace}', '{"tool":"rare"}') order by seq desc limit 50`);
  expect(JSON.stringify(plan)).toContain('Bitmap Index Scan');
  expect(await foundIn(workspace, { tool: 'rare' })).toEqual([77]);
  expect(await foundIn(workspace, { tool: 'send', limit: 2 })).toEqual([39999, 39998]);
  const some = [40000, 35000, 30000, 25000, 20000, 15000, 10000, 5000];
  expect(await foundIn(workspace, { tool: 'some' })).toEqual(some);
  expect(await foundIn(workspace, { tool: 'some', limit: 6 })).toEqual(some.slice(0, 6));
  expect(await foundIn(workspace, { tool: 'some', before: 35000, limit: 5 })).toEqual(some.slice(2, 7));
});
