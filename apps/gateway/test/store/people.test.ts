import { createBoundary, type SavedMemory } from '@sallyport/core';
import { digestText } from '@sallyport/core/adapter';
import { definitionDigest, type Held } from '@sallyport/mcp-proxy';
import { describe, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { Bus } from '../../src/cache/bus.ts';
import { openRedis } from '../../src/cache/redis.ts';
import { Thresholds } from '../../src/store/feedback.ts';
import { PinBook } from '../../src/store/pins/pins.ts';
import { Policies } from '../../src/store/policies.ts';
import { policyFor } from '../../src/store/policy/body.ts';
import { Corrections } from '../../src/store/policy/corrections.ts';
import { Submissions } from '../../src/store/submissions.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { REDIS_URL, randomName } from '../fixture/database.ts';
import { eventually } from '../fixture/eventually.ts';
import { openStore } from '../fixture/store.ts';

const { opened, bus, workspace, other } = await openStore();

async function lastAudit(): Promise<unknown> {
  const [row] =
    await opened.attacker`select payload from audit where workspace_id = ${workspace} order by seq desc limit 1`;
  return JSON.parse(row?.payload);
}

describe('pins', () => {
  const definition = (text: string): Record<string, unknown> => ({ description: text, inputSchema: { b: 1, a: '\0' } });

  test('keep the definition that was seen first, whatever its name', async () => {
    const store = new PinBook(opened.database, bus).store(workspace, 'first');
    expect(await store.load()).toBeUndefined();
    await store.add({ tools: {} });
    expect(await store.load()).toEqual({ tools: {} });
    const names = ['a', 'A', '\0', '\ud800', '\ud801', '__proto__', 'x'.repeat(5000), "'; --", ''];
    const tools = Object.fromEntries(names.map((name) => [name, definition(name)]));
    await store.add({ tools });
    await store.add({ tools: { a: definition('changed'), b: definition('b') }, instructions: 'first' });
    await store.add({ tools: {}, instructions: 'second' });
    const loaded = await store.load();
    expect(Object.keys(loaded?.tools ?? {}).toSorted()).toEqual([...names, 'b'].toSorted());
    expect(loaded?.tools.a).toEqual(definition('a'));
    expect(loaded?.instructions).toBe('first');
    expect(await new PinBook(opened.database, bus).store(other, 'first').load()).toBeUndefined();
  });

  test('know the tools of the other servers of the workspace', async () => {
    const book = new PinBook(opened.database, bus);
    await book.store(other, 'alpha').add({ tools: { send: definition('1') } });
    await book.store(other, 'beta').add({ tools: { read: definition('2') } });
    expect(await book.store(other, 'alpha').others()).toEqual(new Map([['read', 'beta']]));
    expect(await book.store(other, 'gamma').others()).toEqual(
      new Map([
        ['read', 'beta'],
        ['send', 'alpha'],
      ]),
    );
  });

  test('hold a changed definition until a person accepts exactly that one', async () => {
    const book = new PinBook(opened.database, bus);
    const store = book.store(workspace, 'mail');
    await store.add({ tools: { send: definition('1') }, instructions: 'be kind' });
    const held: Held[] = [
      { type: 'changed', tool: 'send', before: definition('1'), after: definition('2') },
      { type: 'instructions', before: 'be kind', after: 'obey' },
      { type: 'unreadable', tool: 'x', reason: 'its name' },
    ];
    await store.hold(held);
    expect([await store.waits('send'), await store.waits('x'), await store.waits('read')]).toEqual([true, true, false]);
    const shown = await book.held(workspace);
    expect(shown.map((each) => each.held)).toEqual(expect.arrayContaining(held));
    const digest = (tool: string): string =>
      shown.find((each) => each.held.type !== 'instructions' && each.held.tool === tool)?.digest ?? '';
    // The server changes it again before the person has answered.
    const later: Held = { type: 'changed', tool: 'send', before: definition('1'), after: definition('3') };
    await store.hold([later]);
    await expect(book.accept(workspace, 'mail', digest('send'), 'ann')).rejects.toMatchObject({ problem: 'conflict' });
    const again = (await book.held(workspace)).find((each) => each.held.type === 'changed');
    await expect(book.accept(other, 'mail', again?.digest ?? '', 'eve')).rejects.toMatchObject({ problem: 'missing' });
    await book.accept(workspace, 'mail', again?.digest ?? '', 'ann');
    expect((await store.load())?.tools.send).toEqual(definition('3'));
    expect(await store.waits('send')).toBe(false);
    expect(await lastAudit()).toMatchObject({ type: 'pin', tool: 'send', server: 'mail', by: 'ann' });
    await expect(book.accept(workspace, 'mail', digest('x'), 'ann')).rejects.toMatchObject({ problem: 'invalid' });
    expect(await store.waits('x')).toBe(true);
    const said = shown.find((each) => each.held.type === 'instructions');
    await book.accept(workspace, 'mail', said?.digest ?? '', 'ann');
    expect((await store.load())?.instructions).toBe('obey');
  });

  test('know which definitions are accepted: on first use, and by a person', async () => {
    const book = new PinBook(opened.database, bus);
    const store = book.store(workspace, 'notes');
    const [one, two] = [definition('one'), definition('two')];
    await store.add({ tools: { read: one, send: two }, accepted: { read: definitionDigest(one) } });
    await store.hold([{ type: 'flagged', tool: 'send', after: two }]);
    expect(await store.waits('send')).toBe(false);
    expect((await store.load())?.accepted).toEqual({ read: definitionDigest(one) });
    const [flagged] = (await book.held(workspace)).filter(({ server }) => server === 'notes');
    await book.accept(workspace, 'notes', flagged?.digest ?? '', 'ann');
    expect(await store.load()).toEqual({
      tools: { read: one, send: two },
      accepted: { read: definitionDigest(one), send: definitionDigest(two) },
    });
    await store.add({ tools: { read: two }, accepted: { read: definitionDigest(two) } });
    const { tools, accepted } = (await store.load()) ?? {};
    expect([tools?.read, accepted?.read]).toEqual([one, definitionDigest(two)]);
  });
});

describe('policies', () => {
  test('have versions, of which the newest applies, and an unseen version is not overwritten', async () => {
    const policies = new Policies(opened.database, bus);
    expect(await policies.current(workspace)).toEqual({ version: 0, body: {} });
    expect(await policies.put(workspace, { preset: 'strict' }, 0, 'ann')).toBe(1);
    const body = {
      preset: 'strict',
      servers: { mail: { trusted: true, tools: { send: { effect: 'read' } } } },
    } as const;
    const puts = await Promise.allSettled(
      [1, 1, 1].map((seen) => policies.put(workspace, body, seen, 'ann', { allowUnknown: true })),
    );
    expect(puts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await policies.current(workspace)).toMatchObject({ version: 2, body, by: 'ann' });
    await expect(policies.put(workspace, body, 1, 'bob')).rejects.toMatchObject({ problem: 'conflict' });
    expect((await policies.history(workspace)).map(({ version }) => version)).toEqual([2, 1]);
    expect(await policies.current(other)).toMatchObject({ version: 0 });
    expect(await lastAudit()).toMatchObject({ type: 'policy', version: 2, by: 'ann' });
    const update = opened.database.inWorkspace(workspace, (sql) => sql`update policies set body = '{}'`);
    await expect(update).rejects.toThrow('permission denied');
  });

  test('reach another replica after a second, with Redis at once', async () => {
    const fresh = await createWorkspace(opened.database, randomName('fresh').replaceAll('_', '-'));
    const prefix = randomName('test');
    const links = [openRedis(REDIS_URL, { prefix }), openRedis(REDIS_URL, { prefix })];
    const time = new ManualTime();
    const buses = links.map((link) => new Bus(link, { timer: time.timer }));
    await eventually(() => expect(buses.every(({ isSubscribed }) => isSubscribed)).toBe(true));
    const policiesOn = (each: Bus): Policies => new Policies(opened.database, each, { clock: time.clock });
    const [one, two] = buses.map(policiesOn) as [Policies, Policies];
    const deaf = policiesOn(Object.assign(new Bus(), { subscribe: () => () => undefined }));
    for (const each of [two, deaf]) expect((await each.current(fresh)).version).toBe(0);
    await one.put(fresh, {}, 0, 'ann');
    // The clock does not move: only the notice can make it read again.
    await eventually(async () => expect((await two.current(fresh)).version).toBe(1));
    time.advance(999);
    expect((await deaf.current(fresh)).version).toBe(0);
    time.advance(1);
    expect((await deaf.current(fresh)).version).toBe(1);
    for (const each of [...buses, one, two, ...links]) each.close();
  });

  test.each([
    null,
    [],
    { preset: 'nothing' },
    { preset: 'observe' },
    { observe: 'yes' },
    { servers: { mail: { observe: true } } },
    { conversations: 'none' },
    { servers: { mail: { conversations: 'named' } } },
    { servers: { mail: { tools: { send: { serviceFields: { id: 'uuid' } } } } } },
    { other: 1 },
    { servers: { 'A/B': {} } },
    { servers: { mail: { tools: { 'a\0b': {} } } } },
    { thresholds: { exfiltration: 'none' } },
    { askTimeout: 0 },
    JSON.parse('{"__proto__":{"preset":"strict"}}'),
  ])('like %j are refused', async (body) => {
    await expect(new Policies(opened.database, bus).put(other, body, 1, 'ann')).rejects.toMatchObject({
      problem: 'invalid',
    });
  });

  test('stored under the field names of version 0.1 are read under the new ones', async () => {
    const old = await createWorkspace(opened.database, randomName('old').replaceAll('_', '-'));
    const tool = { effect: 'send', free: ['body'], fields: { '/id': 'uuid' } };
    const body = { preset: 'strict', servers: { mail: { trusted: true, tools: { send: tool } }, files: {} } };
    await opened.attacker`insert into policies (workspace_id, version, body, made_by)
      values (${old}, 1, ${JSON.stringify(body)}::text::jsonb, 'ann')`;
    const policies = new Policies(opened.database, bus);
    const renamed = { effect: 'send', modelText: ['body'], serviceFields: { '/id': 'uuid' } };
    const expected = { preset: 'strict', servers: { mail: { trusted: true, tools: { send: renamed } }, files: {} } };
    expect((await policies.current(old)).body).toEqual(expected);
    expect((await policies.history(old)).map((each) => each.body)).toEqual([expected]);
    // What was read can be stored again, and is then stored under the new names.
    await policies.put(old, (await policies.current(old)).body, 1, 'ann');
    const [row] = await opened.attacker`select body from policies where workspace_id = ${old} and version = 2`;
    expect(row?.body).toEqual(expected);
    await expect(policies.put(old, body, 2, 'ann')).rejects.toMatchObject({ problem: 'invalid' });
    policies.close();
  });

  test('stored with the preset observe are read as balanced, and observe', async () => {
    const old = await createWorkspace(opened.database, randomName('old').replaceAll('_', '-'));
    const body = { preset: 'observe', servers: { mail: { preset: 'observe', trusted: true }, files: {} } };
    await opened.attacker`insert into policies (workspace_id, version, body, made_by)
      values (${old}, 1, ${JSON.stringify(body)}::text::jsonb, 'ann')`;
    const policies = new Policies(opened.database, bus);
    // Of a server it had no effect.
    const expected = { preset: 'balanced', observe: true, servers: { mail: { trusted: true }, files: {} } };
    expect((await policies.current(old)).body).toEqual(expected);
    expect((await policies.history(old)).map((each) => each.body)).toEqual([expected]);
    expect(await policies.put(old, (await policies.current(old)).body, 1, 'ann')).toBe(2);
    policies.close();
  });

  test('stored with a threshold above the floor are read with one below it', async () => {
    const old = await createWorkspace(opened.database, randomName('old').replaceAll('_', '-'));
    const body = { thresholds: { imperative: 'high' }, servers: { mail: { limit: 1, thresholds: { a: 'high' } } } };
    await opened.attacker`insert into policies (workspace_id, version, body, made_by)
      values (${old}, 1, ${JSON.stringify(body)}::text::jsonb, 'ann')`;
    const policies = new Policies(opened.database, bus);
    expect((await policies.current(old)).body).toEqual({ thresholds: { imperative: 'medium' }, servers: { mail: {} } });
    policies.close();
  });

  test('stored with names of service fields are read with pointers to the top of a result', async () => {
    const old = await createWorkspace(opened.database, randomName('old').replaceAll('_', '-'));
    const tool = { serviceFields: { id: 'uuid', 'a/b~c': 'id', '/items/*/at': 'timestamp' } };
    const body = { servers: { mail: { tools: { send: tool } } } };
    await opened.attacker`insert into policies (workspace_id, version, body, made_by)
      values (${old}, 1, ${JSON.stringify(body)}::text::jsonb, 'ann')`;
    const policies = new Policies(opened.database, bus);
    const serviceFields = { '/id': 'uuid', '/a~1b~0c': 'id', '/items/*/at': 'timestamp' };
    const read = await policies.current(old);
    expect(read.body).toEqual({ servers: { mail: { tools: { send: { serviceFields } } } } });
    expect(await policies.put(old, read.body, 1, 'ann')).toBe(2);
    policies.close();
  });

  test('apply the settings of the workspace to a server unless it has its own', () => {
    const body = {
      mode: 'frame',
      preset: 'strict',
      thresholds: { a: 'low' },
      servers: { mail: { mode: 'annotate', hide: ['send'] } },
    } as const;
    const gate = { preset: 'strict', table: {}, observe: false };
    expect(policyFor(body, 'mail')).toEqual({ mode: 'annotate', hide: ['send'], gate });
    expect(policyFor(body, 'toString')).toEqual({ mode: 'frame', gate });
  });
});

describe('a submission', () => {
  async function write(id: string): Promise<SavedMemory> {
    const conversation = createBoundary({ key: new Uint8Array(32), clock: Date.now } as never).conversation('c');
    await conversation.render([]);
    return conversation.saveMemory({ id, content: `remember ${id} \0` } as never);
  }

  test('is a candidate until a person promotes exactly what was shown', async () => {
    const submissions = new Submissions(opened.database);
    const from = { workspace, principal: 'agent', conversation: 'c' };
    const one = await write('one');
    await submissions.add(from, one);
    await expect(submissions.add(from, one)).rejects.toMatchObject({ problem: 'conflict' });
    expect(await submissions.find(workspace, 'one')).toEqual(one);
    expect([await submissions.find(other, 'one'), await submissions.find(workspace, '\0')]).toEqual([
      undefined,
      undefined,
    ]);
    const [info] = await submissions.list(workspace, 'candidate');
    expect(info).toMatchObject({
      id: 'one',
      principal: 'agent',
      lifecycle: 'candidate',
      digest: one.digest,
      label: one.label,
    });
    await expect(submissions.promote(workspace, 'one', digestText('else'), 'ann')).rejects.toMatchObject({
      problem: 'conflict',
    });
    await expect(submissions.promote(other, 'one', one.digest, 'eve')).rejects.toMatchObject({ problem: 'missing' });
    const promoted = await submissions.promote(workspace, 'one', one.digest, 'ann');
    expect(promoted.lifecycle).toBe('canonical');
    expect(await submissions.find(workspace, 'one')).toEqual(promoted);
    expect(await lastAudit()).toMatchObject({ type: 'submission', what: 'promoted', id: 'one', by: 'ann' });
    await expect(submissions.promote(workspace, 'one', promoted.digest, 'ann')).rejects.toMatchObject({
      problem: 'conflict',
    });
    await expect(submissions.add(from, promoted)).rejects.toMatchObject({ problem: 'invalid' });
    expect(await submissions.list(workspace, 'candidate')).toEqual([]);
    expect((await submissions.list(workspace))[0]).toMatchObject({ lifecycle: 'canonical', promotedBy: 'ann' });
  });

  test('that was changed in the database is read with the lowest label', async () => {
    const submissions = new Submissions(opened.database);
    await submissions.add({ workspace, principal: 'agent', conversation: 'c' }, await write('two'));
    await opened.attacker`update submissions set body = replace(body, 'remember', 'obey') where id = 'two'`;
    expect((await submissions.find(workspace, 'two'))?.label.integrity).toBe('unknown');
  });
});

describe('feedback', () => {
  const corrections = new Corrections(opened.database);
  const scope = { server: 'mail', tag: 'role-override' };
  const said = (text: string, verdict: 'false-alarm' | 'attack', likelihood: 'low' | 'medium' = 'low') =>
    ({ ...scope, digest: digestText(text), likelihood, verdict }) as const;

  test('raises a threshold below its floor, for one server and term, if the regression test passes', async () => {
    let missed: string[] = ['case-1'];
    const thresholds = new Thresholds(opened.database, bus, async () => missed, { alarms: 2 });
    const change = { ...scope, least: 'medium' } as const;
    await expect(thresholds.set(workspace, { ...scope, least: 'high' }, 'ann')).rejects.toMatchObject({
      problem: 'invalid',
    });
    await expect(thresholds.set(workspace, change, 'ann')).rejects.toThrow('1 known attacks');
    missed = [];
    await expect(thresholds.set(workspace, change, 'ann')).rejects.toThrow('2 reported false alarms');
    await corrections.recordVerdict(workspace, said('a', 'false-alarm'), 'ann');
    await corrections.recordVerdict(workspace, said('a', 'false-alarm'), 'bob');
    await corrections.recordVerdict(workspace, { ...said('b', 'false-alarm'), server: 'other' }, 'ann');
    await corrections.recordVerdict(workspace, said('b', 'false-alarm', 'medium'), 'ann');
    await corrections.recordVerdict(other, said('b', 'false-alarm'), 'ann');
    await expect(thresholds.set(workspace, change, 'ann')).rejects.toThrow('2 reported false alarms');
    await corrections.recordVerdict(workspace, said('c', 'false-alarm'), 'ann');
    await corrections.recordVerdict(workspace, { ...said('d', 'attack'), server: 'other' }, 'bob');
    await expect(thresholds.set(workspace, change, 'ann')).rejects.toThrow('an attack');
    await corrections.recordVerdict(workspace, { ...said('d', 'false-alarm'), server: 'other' }, 'bob');
    await thresholds.set(workspace, change, 'ann');
    expect(await thresholds.current(workspace, 'mail')).toEqual(new Map([['role-override', 'medium']]));
    expect([await thresholds.current(workspace, 'bank'), await thresholds.current(other, 'mail')]).toEqual([
      new Map(),
      new Map(),
    ]);
    expect(await lastAudit()).toMatchObject({ type: 'threshold', ...scope, least: 'medium', by: 'ann' });
    await thresholds.set(workspace, { ...scope, least: 'low' }, 'bob');
    expect(await thresholds.current(workspace, 'mail')).toEqual(new Map([['role-override', 'low']]));
    await opened.attacker`update thresholds set until = now()`;
    await bus.publish('policy', workspace, '');
    expect(await thresholds.current(workspace, 'mail')).toEqual(new Map());
  });

  test('that is not valid is refused', async () => {
    const bad = [{ server: 'A b' }, { tag: '' }, { likelihood: 'none' }, { verdict: 'fine' }, { digest: 'x' }];
    for (const each of bad)
      await expect(
        corrections.recordVerdict(workspace, { ...said('a', 'attack'), ...each } as never, 'ann'),
      ).rejects.toMatchObject({
        problem: 'invalid',
      });
  });
});
