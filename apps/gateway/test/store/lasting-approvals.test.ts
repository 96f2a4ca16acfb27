import { randomUUID } from 'node:crypto';
import type { ApprovalScope } from '@sallyport/core';
import type { Question } from '@sallyport/mcp-proxy';
import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { Bus } from '../../src/cache/bus.ts';
import { type AnswerOptions, Approvals, type Asker } from '../../src/store/approvals.ts';
import { forgetBefore } from '../../src/store/audit/forget.ts';
import { openDatabase } from '../../src/store/database.ts';
import { type Covered, LastingApprovals } from '../../src/store/lasting/lasting-approvals.ts';
import { openStore } from '../fixture/store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { opened, bus, workspace, other } = await openStore();
const approvals = new Approvals(opened.database, bus);
const lasting = new LastingApprovals(opened.database, bus);
const SCOPES: readonly ApprovalScope[] = ['once', 'task', 'conversation', 'always'];

const asker = (): Asker & Covered => ({ workspace, principal: 'agent', terms: 'terms' });

/** A question of its own, with one key for each scope. */
function question(changes: Partial<Question> = {}): Question {
  const name = randomUUID();
  return {
    ...{ server: 's', conversation: name, tool: 'pay', arguments: '{"to":1}', rule: 'r', reason: 'why' },
    evidence: [{ path: '/to', excerpt: { before: 'private words ', match: '1', after: '' } }],
    effect: 'spend',
    scopes: SCOPES,
    keys: { task: [`task ${name}`], conversation: [`conversation ${name}`], always: [`always ${name}`, `too ${name}`] },
    ...changes,
  };
}

async function hold(asked: Question, who: Asker = asker()): Promise<string> {
  const enough = new AbortController();
  let held = '';
  const onAsked = (id: string): void => {
    held = id;
    enough.abort();
  };
  await approvals.approver(who, onAsked)(asked, enough.signal);
  return held;
}

/** Approves a new question, and returns it with its id. */
async function approve(options: AnswerOptions, asked = question(), who: Asker = asker()) {
  const id = await hold(asked, who);
  await approvals.answer(workspace, id, 'approved', 'ann', options);
  return { id, asked, keyOf: (scope: ApprovalScope) => asked.keys?.[scope]?.[0] as string };
}

const isCovered = async (key: string, changes: Partial<Covered> = {}): Promise<boolean> =>
  (await lasting.take({ ...asker(), ...changes }, ['unknown', key])) !== undefined;

async function lastAudit(): Promise<unknown> {
  const [row] =
    await opened.attacker`select payload from audit where workspace_id = ${workspace} order by seq desc limit 1`;
  return JSON.parse(row?.payload);
}

describe('a lasting approval', () => {
  test.each([
    { scope: 'task', term: HOUR },
    { scope: 'conversation', term: DAY },
    { scope: 'always', term: 30 * DAY },
  ] as const)('of scope $scope covers calls with its keys until its usual term ends', async ({ scope, term }) => {
    const begun = Date.now();
    const { id, keyOf } = await approve({ scope, note: 'as agreed' });
    const taken = await lasting.take(asker(), [keyOf(scope)]);
    expect(taken).toMatchObject({ id, key: keyOf(scope), scope, by: 'ann', tool: 'pay' });
    expect((taken?.until as number) - begun - term).toBeLessThan(60_000);
    expect((taken?.until as number) - begun).toBeGreaterThanOrEqual(term);
    for (const wider of SCOPES.filter((each) => each !== scope && each !== 'once'))
      expect(await isCovered(keyOf(wider))).toBe(false);
    const until = new Date(taken?.until as number).toISOString();
    expect(await lastAudit()).toMatchObject({ type: 'approval', what: 'approved', id, by: 'ann', scope, until });
    expect((await approvals.answered(workspace))[0]).toMatchObject({ id, scope, lastsUntil: new Date(until) });
    expect((await lasting.list(workspace))[0]).toMatchObject({ id, scope, givenBy: 'ann', uses: 1 });
  });

  test('covers the call in question too, which need not come back for it', async () => {
    const { asked, keyOf } = await approve({ scope: 'always' });
    expect(await isCovered(keyOf('always'))).toBe(true);
    const enough = AbortSignal.timeout(5000);
    expect(await approvals.approver(asker())(asked, enough)).toEqual({ by: 'ann' });
  });

  test('has all keys of its scope', async () => {
    const { asked } = await approve({ scope: 'always' });
    for (const key of asked.keys?.always ?? []) expect(await isCovered(key)).toBe(true);
  });

  test.each<{ title: string; changes: Partial<Covered> }>([
    { title: 'another principal', changes: { principal: 'other' } },
    { title: 'another location, definition or policy', changes: { terms: 'other terms' } },
    { title: 'another workspace', changes: { workspace: other } },
  ])('does not cover a call of $title', async ({ changes }) => {
    const { keyOf } = await approve({ scope: 'always' });
    expect(await isCovered(keyOf('always'), changes)).toBe(false);
    expect(await isCovered(keyOf('always'))).toBe(true);
  });

  test('ends with its term, and with it the answer', async () => {
    const { id, asked, keyOf } = await approve({ scope: 'always', until: new Date(Date.now() + 60_000) });
    await opened.attacker`update lasting_approvals set until = until - interval '61 seconds' where id = ${id}`;
    await opened.attacker`update approvals set until = until - interval '61 seconds' where id = ${id}`;
    expect(await isCovered(keyOf('always'))).toBe(false);
    expect((await lasting.list(workspace)).map((each) => each.id)).not.toContain(id);
    await expect(lasting.revoke(workspace, id, 'ann')).rejects.toMatchObject({ problem: 'missing' });
    expect(await hold(asked)).not.toBe(id);
  });

  test('that is revoked covers nothing, not even the call it was given for', async () => {
    const { id, asked, keyOf } = await approve({ scope: 'always' });
    await expect(lasting.revoke(other, id, 'eve')).rejects.toMatchObject({ problem: 'missing' });
    await expect(lasting.revoke(workspace, id, 'eve', { of: 'eve' })).rejects.toMatchObject({ problem: 'missing' });
    await lasting.revoke(workspace, id, 'bob', { of: 'agent', person: 'sub:bob' });
    const call = { principal: 'agent', server: 's', tool: 'pay' };
    const revoked = { type: 'approval', what: 'revoked', id, by: 'bob', person: 'sub:bob', ...call };
    expect(await lastAudit()).toMatchObject(revoked);
    expect(await isCovered(keyOf('always'))).toBe(false);
    expect(await hold(asked)).not.toBe('');
    await expect(lasting.revoke(workspace, id, 'bob')).rejects.toMatchObject({ problem: 'missing' });
  });

  test('is shared by replicas, which count all its uses', async () => {
    const { id, keyOf } = await approve({ scope: 'always' });
    const database = openDatabase(opened.url, { max: 2, audit: opened.audit });
    const replicas = [lasting, new LastingApprovals(database, new Bus())];
    const keys = [keyOf('always')];
    const taken = await Promise.all(replicas.flatMap((each) => [1, 2, 3, 4].map(() => each.take(asker(), keys))));
    expect(taken.every((each) => each?.id === id)).toBe(true);
    expect((await lasting.list(workspace))[0]).toMatchObject({ id, uses: 8 });
    await replicas[1]?.revoke(workspace, id, 'ann');
    expect(await lasting.take(asker(), keys)).toBeUndefined();
    await database.close();
  });

  test('is listed without what was read, and only to those who may see it', async () => {
    const { id } = await approve({ scope: 'conversation' }, question({ tool: 'a\u0000b' }));
    const [first] = await lasting.list(workspace, 'agent');
    expect(first).toMatchObject({ id, principal: 'agent', call: { server: 's', tool: 'a\u0000b', effect: 'spend' } });
    expect(JSON.stringify(first)).not.toMatch(/private words|conversation /);
    expect(await lasting.list(workspace, 'other')).toEqual([]);
    expect(await lasting.list(other)).toEqual([]);
  });

  test('is removed after it has expired', async () => {
    const { id } = await approve({ scope: 'task' });
    const owner = postgres(opened.ownerUrl, { max: 1, onnotice: () => undefined });
    const isKept = async (): Promise<boolean> =>
      (await opened.attacker`select from lasting_approvals where id = ${id}`).length > 0;
    await forgetBefore(owner, new Date(Date.now() + HOUR / 2));
    expect(await isKept()).toBe(true);
    await forgetBefore(owner, new Date(Date.now() + 2 * HOUR));
    expect(await isKept()).toBe(false);
    await owner.end();
  });
});

describe('an answer is refused', () => {
  const soon = (milliseconds: number): Date => new Date(Date.now() + milliseconds);
  test.each<{ title: string; options: AnswerOptions; asked?: Partial<Question>; who?: Partial<Asker>; says: RegExp }>([
    {
      title: 'with a scope that the question does not offer',
      options: { scope: 'always' },
      asked: { scopes: ['once', 'task'] },
      says: /scope always, only with: once, task/,
    },
    {
      title: 'with a scope, for a call that needs a second person',
      options: { scope: 'task' },
      asked: { secondPerson: true },
      says: /second person is approved once/,
    },
    {
      title: 'with a scope, if the call cannot be found again',
      options: { scope: 'task' },
      asked: { keys: {} },
      says: /only be approved once/,
    },
    {
      title: 'with a scope, if there is nothing to bind it to',
      options: { scope: 'task' },
      who: { terms: undefined },
      says: /only be approved once/,
    },
    { title: 'with a time and no scope', options: { until: soon(HOUR) }, says: /give a `scope`/ },
    { title: 'with a time in the past', options: { scope: 'always', until: soon(-1) }, says: /in the future/ },
    { title: 'with a time that is none', options: { scope: 'always', until: new Date('x') }, says: /in the future/ },
    { title: 'for a task, after a day', options: { scope: 'task', until: soon(DAY + HOUR) }, says: /one day/ },
    {
      title: 'for a conversation, after a day',
      options: { scope: 'conversation', until: soon(DAY + HOUR) },
      says: /one day/,
    },
    { title: 'always, after a year', options: { scope: 'always', until: soon(366 * DAY) }, says: /one year/ },
  ])('$title', async ({ options, asked, who, says }) => {
    const id = await hold(question(asked), { ...asker(), ...who });
    const answer = approvals.answer(workspace, id, 'approved', 'ann', options);
    await expect(answer).rejects.toMatchObject({ problem: 'invalid', message: expect.stringMatching(says) });
    // The question still waits.
    expect((await approvals.pending(workspace)).map((each) => each.id)).toContain(id);
    await approvals.answer(workspace, id, 'denied', 'ann');
  });

  test('if it denies with a scope', async () => {
    const id = await hold(question());
    const answer = approvals.answer(workspace, id, 'denied', 'ann', { scope: 'always' });
    await expect(answer).rejects.toMatchObject({ problem: 'invalid', message: expect.stringMatching(/once/) });
  });

  test('if a thousand approvals apply to the principal already', async () => {
    const [row] = await opened.attacker`insert into lasting_approvals
      (workspace_id, id, principal, call, digest, scope, keys, terms, given_by, until)
      select ${workspace}, gen_random_uuid(), 'crowded', '{}', 'd', 'always', '{k}', 't', 'ann', now() + interval '1 day'
        from generate_series(1, 1000) returning 1 as one`;
    expect(row?.one).toBe(1);
    const id = await hold(question(), { ...asker(), principal: 'crowded' });
    const answer = approvals.answer(workspace, id, 'approved', 'ann', { scope: 'always' });
    await expect(answer).rejects.toMatchObject({ problem: 'conflict' });
  });
});

test('a question shows none of its keys', async () => {
  const asked = question();
  const id = await hold(asked);
  const shown = (await approvals.pending(workspace)).find((each) => each.id === id);
  const { keys, ...rest } = asked;
  expect(shown?.question).toEqual(rest);
  const [row] = await opened.attacker`select keys from approvals where id = ${id}`;
  expect(row?.keys).toEqual(keys);
});
