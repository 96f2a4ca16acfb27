import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/store/secrets/keys.ts';
import { openRig, type Rig, type World } from './rig.ts';

let rig: Rig;
let world: World;
/** The keys of two people, and of one who answers for the whole workspace. */
let ada: string;
let bob: string;
let carol: string;

beforeAll(async () => {
  rig = await openRig();
  world = await rig.world('acme');
  const keyOf = (principal: string, ...scopes: Scope[]): Promise<string> =>
    rig.keyOf(world.workspace, scopes, principal);
  [ada, bob, carol] = [
    await keyOf('ada', 'approve:own'),
    await keyOf('bob', 'approve:own'),
    await keyOf('carol', 'approve:any'),
  ];
});

afterAll(() => rig.close());

const answer = (key: string, id: string, body: unknown = { answer: 'approved' }): ReturnType<Rig['ask']> =>
  rig.ask('POST', `/approvals/${id}`, { key, body });

async function shownTo(key: string, query = ''): Promise<readonly { readonly id: string }[]> {
  const { body } = await rig.ask('GET', `/approvals${query}`, { key });
  return (body as { approvals: { id: string }[] }).approvals;
}

describe('a person with approve:own', () => {
  test('sees and answers their own held calls, and no others', async () => {
    const id = await rig.hold(world.workspace, 'of ada', 'ada');
    expect((await shownTo(ada)).map((each) => each.id)).toEqual([id]);
    expect(await shownTo(bob)).toEqual([]);
    for (const given of ['approved', 'denied'])
      expect([(await answer(bob, id, { answer: given })).status]).toEqual([404]);
    const [row] = await rig.opened.attacker`select answer from approvals where id = ${id}`;
    expect(row?.answer).toBeNull();
    expect((await answer(ada, id)).status).toBe(204);
  });

  test('sees no definitions, submissions, policy, keys or audit, and changes none', async () => {
    const requests = [
      ['GET', '/pins'],
      ['POST', `/pins/${world.server}/accept`, { digest: world.pin }],
      ['GET', '/submissions'],
      ['POST', `/submissions/${world.submission.id}/promote`, { digest: world.submission.digest }],
      ['GET', '/policy'],
      ['PUT', '/policy', { version: 1, body: {} }],
      ['GET', `/thresholds/${world.server}`],
      ['GET', '/keys'],
      ['GET', '/audit/export'],
    ] as const;
    const before = await rig.rowsOf(world.workspace);
    for (const [method, path, body] of requests) {
      const { status } = await rig.ask(method, path, { key: bob, ...(body === undefined ? {} : { body }) });
      expect([path, status]).toEqual([path, 403]);
    }
    expect(await rig.rowsOf(world.workspace)).toEqual(before);
  });
});

describe('a person with approve:any', () => {
  test('sees and answers the held calls of all principals', async () => {
    const ids = [await rig.hold(world.workspace, 'first', 'ada'), await rig.hold(world.workspace, 'second', 'bob')];
    const shown = (await shownTo(carol)).map((each) => each.id);
    expect(ids.every((id) => shown.includes(id))).toBe(true);
    for (const id of ids) expect((await answer(carol, id)).status).toBe(204);
  });

  test('does not accept definitions, which needs the scope pins', async () => {
    const digest = world.pin;
    const path = `/pins/${world.server}/accept`;
    expect((await rig.ask('POST', path, { key: carol, body: { digest } })).status).toBe(403);
    const dave = await rig.keyOf(world.workspace, ['pins'], 'dave');
    expect((await rig.ask('GET', '/approvals', { key: dave })).status).toBe(403);
    expect((await rig.ask('POST', path, { key: dave, body: { digest } })).status).toBe(204);
  });
});

describe('the history of answers', () => {
  interface Answered {
    readonly id: string;
    readonly answer: string;
    readonly answeredBy: string;
    readonly answeredAt: string;
    readonly note?: string;
  }
  const historyOf = (key: string): Promise<readonly Answered[]> =>
    shownTo(key, '?state=answered') as Promise<readonly Answered[]>;

  test('has who answered, when, and their note, and so has the audit', async () => {
    const id = await rig.hold(world.workspace, 'noted', 'ada');
    const note = 'Known supplier: I have called them.';
    expect((await answer(carol, id, { answer: 'denied', note })).status).toBe(204);
    const [last] = await historyOf(carol);
    expect(last).toMatchObject({ id, answer: 'denied', answeredBy: 'carol', note });
    expect(Date.parse(last?.answeredAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect((await shownTo(carol)).map((each) => each.id)).not.toContain(id);
    const [row] = await rig.opened
      .attacker`select payload from audit where workspace_id = ${world.workspace} order by seq desc limit 1`;
    expect(JSON.parse(row?.payload)).toMatchObject({ type: 'approval', what: 'denied', id, by: 'carol', note });
  });

  test('shows a person with approve:own only their own calls', async () => {
    const id = await rig.hold(world.workspace, 'private', 'ada');
    await answer(ada, id);
    expect((await historyOf(ada)).map((each) => each.id)).toContain(id);
    expect((await historyOf(bob)).map((each) => each.id)).not.toContain(id);
  });

  test.each(['', 'two\nlines', 'turned \u202e around', 'x'.repeat(1001)])('refuses the note %j', async (note) => {
    const id = await rig.hold(world.workspace, `note ${note.length}`, 'ada');
    expect((await answer(carol, id, { answer: 'approved', note })).status).toBe(422);
  });
});

describe('lasting approvals', () => {
  interface Lasting {
    readonly id: string;
    readonly scope: string;
    readonly until: string;
  }
  const lastingFor = async (key: string): Promise<readonly Lasting[]> =>
    ((await rig.ask('GET', '/approvals/lasting', { key })).body as { approvals: Lasting[] }).approvals;
  const revoke = async (key: string, id: string): Promise<number> =>
    (await rig.ask('DELETE', `/approvals/lasting/${id}`, { key })).status;

  test('are listed to those who may answer such calls, and revoked by them', async () => {
    const id = await rig.hold(world.workspace, 'lasts', 'ada');
    const until = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString();
    expect((await answer(carol, id, { answer: 'approved', scope: 'always', until })).status).toBe(204);
    expect(await lastingFor(ada)).toMatchObject([
      {
        id,
        principal: 'ada',
        scope: 'always',
        until,
        givenBy: 'carol',
        uses: 0,
        call: { tool: 'send', fixed: ['/to'] },
      },
    ]);
    expect((await lastingFor(carol)).map((each) => each.id)).toContain(id);
    expect(await lastingFor(bob)).toEqual([]);
    expect(await revoke(bob, id)).toBe(404);
    expect(await revoke(ada, id)).toBe(204);
    expect([await lastingFor(ada), await revoke(ada, id)]).toEqual([[], 404]);
  });

  test.each([
    { title: 'a scope that does not exist', body: { scope: 'forever' } },
    { title: 'a time that is too far ahead', body: { scope: 'always', until: '2099-01-01T00:00:00Z' } },
    { title: 'a time that is none', body: { scope: 'always', until: 'soon' } },
    { title: 'a time and no scope', body: { until: new Date(Date.now() + 60_000).toISOString() } },
  ])('are refused with $title', async ({ title, body }) => {
    const id = await rig.hold(world.workspace, title, 'ada');
    expect((await answer(carol, id, { answer: 'approved', ...body })).status).toBe(422);
    expect((await shownTo(carol)).map((each) => each.id)).toContain(id);
  });
});

test('the scope approve does not exist any more', async () => {
  const body = { principal: 'eve', label: 'x', scopes: ['approve'] };
  expect((await rig.ask('POST', '/keys', { key: world.key, body })).status).toBe(422);
});
