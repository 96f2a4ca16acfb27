import { randomUUID } from 'node:crypto';
import { connect, createServer } from 'node:net';
import type { KeptEntry } from '@sallyport/mcp-proxy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryLog } from '../../src/serve/thread/services.ts';
import { verifyAudit } from '../../src/store/audit/verify.ts';
import { openDatabase } from '../../src/store/database.ts';
import { textLog } from '../../src/store/log.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { Writer } from '../../src/store/writer.ts';
import { freshDatabase, type TestDatabase } from '../fixture/database.ts';
import { eventually } from '../fixture/eventually.ts';

let opened: TestDatabase;
let workspace: string;

beforeAll(async () => {
  opened = await freshDatabase();
});

afterAll(() => opened.drop());

async function freshWorkspace(): Promise<string> {
  workspace = await createWorkspace(opened.database, `w-${randomUUID().slice(0, 8)}`);
  return workspace;
}

const kept = (text: string): KeptEntry => ({ key: text, entry: { type: 'call', id: '1', tool: 't', arguments: text } });

test('an entry is read back unchanged, whatever characters it contains', async () => {
  const log = memoryLog(textLog(opened.database, new Writer(opened.database), await freshWorkspace(), 'p'));
  const entries = ['', '\0', '\ud800', 'NULL', '{a,"b"}', '\\', "'; drop table log; --", '\u{1f600}'].map(kept);
  await Promise.all(entries.map((entry) => log.append('c"{}\\', entry)));
  const found = await log.since('c"{}\\', 0);
  expect(found.map((each) => each.kept)).toEqual(entries);
  expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).toSorted((one, other) => one - other));
  expect(await log.since('c"{}\\', found[5]?.at as number)).toEqual(found.slice(6));
});

test('conversations are separate by name and principal', async () => {
  const id = await freshWorkspace();
  const writer = new Writer(opened.database);
  const long = 'x'.repeat(5000);
  const names = [
    ['p', 'c'],
    ['p', ''],
    ['p', 'p'],
    ['q', 'c'],
    ['p/q', 'c'],
    ['p', 'q/c'],
    ['p', '\0'],
    ['p', '\ud800'],
    ['p', '\ud801'],
    ['p', long],
    ['q', long],
  ];
  for (const [principal = '', name = ''] of names)
    await memoryLog(textLog(opened.database, writer, id, principal)).append(name, kept(principal + name));
  for (const [principal = '', name = ''] of names) {
    const found = await memoryLog(textLog(opened.database, writer, id, principal)).since(name, 0);
    expect(found.map((each) => each.kept)).toEqual([kept(principal + name)]);
  }
});

test('an invalid line is refused without failing other lines', async () => {
  const writer = new Writer(opened.database);
  const id = await freshWorkspace();
  const bad = ['', 'x'.repeat(2001)].map((conversation) =>
    writer.write(id, { entries: [{ conversation, body: '1' }] }),
  );
  const nul = writer.write(id, { audit: ['\0'] });
  const good = writer.write(id, { audit: ['{}'] });
  for (const each of [...bad, nul]) await expect(each).rejects.toMatchObject({ problem: 'invalid' });
  expect(await good).toEqual({ places: [], seqs: [1] });
});

test('writing to a workspace that does not exist is refused', async () => {
  await expect(new Writer(opened.database).write(randomUUID(), { audit: ['{}'] })).rejects.toThrow('no workspace');
});

test('writes that arrive during a write become one batch, and each gets its own positions', async () => {
  let queries = 0;
  const counted = Object.create(opened.database) as typeof opened.database;
  const system = new Proxy(opened.database.system, {
    apply(target, self, given) {
      queries++;
      return Reflect.apply(target, self, given);
    },
  });
  Object.defineProperty(counted, 'system', { value: system });
  const writer = new Writer(counted);
  const id = await freshWorkspace();
  const one = (number: number): Promise<unknown> =>
    writer.write(id, { entries: [{ conversation: 'c', body: `${number}` }], audit: [`${number}`, 'x'] });
  const first = one(0);
  await new Promise((resolve) => setImmediate(resolve));
  const written = await Promise.all([first, ...Array.from({ length: 1000 }, (_, index) => one(index + 1))]);
  // The chain is read first, in two queries. Then 1,000 writes of 3 items, at most 500 items in each batch.
  expect(queries).toBe(2 + 1 + Math.ceil(1000 / Math.floor(500 / 3)));
  expect(written.map((each) => (each as { seqs: number[] }).seqs)).toEqual(
    written.map((_, index) => [2 * index + 1, 2 * index + 2]),
  );
  const found = await opened.attacker`select id, body from log where workspace_id = ${id} order by id`;
  const entries = found.map((row) => ({ at: Number(row.id), entry: Number(row.body) }));
  expect(entries.map(({ entry }) => entry)).toEqual(written.map((_, index) => index));
  expect(entries.map(({ at }) => at)).toEqual(written.flatMap((each) => (each as { places: number[] }).places));
  expect(await verifyAudit(opened.database, id)).toMatchObject({ isWhole: true, rows: 2002 });
});

test('two replicas write to one workspace at once without losing or hiding entries', async () => {
  const id = await freshWorkspace();
  const replicas = [
    openDatabase(opened.url, { max: 2, audit: opened.audit }),
    openDatabase(opened.url, { max: 2, audit: opened.audit }),
  ];
  const logs = replicas.map((database) => memoryLog(textLog(database, new Writer(database), id, 'p')));
  const audits = replicas.map((database) => new Writer(database));
  const count = 150;
  let hasEnded = false;
  const reading = (async () => {
    const seen: unknown[] = [];
    for (let after = 0, isLast = false; !isLast; ) {
      isLast = hasEnded;
      for (const { at, kept: entry } of await (logs[0] as (typeof logs)[0]).since('c', after)) {
        expect(at).toBeGreaterThan(after);
        after = at;
        seen.push((entry as KeptEntry).key);
      }
    }
    return seen;
  })();
  const write = async (replica: number): Promise<void> => {
    for (let number = 0; number < count; number += 3) {
      const three = [0, 1, 2].map((step) => logs[replica]?.append('c', kept(`${replica} ${number + step}`)));
      await Promise.all([...three, audits[replica]?.write(id, { audit: [`{"replica":${replica}}`] })]);
    }
  };
  await Promise.all([write(0), write(1)]);
  hasEnded = true;
  const seen = await reading;
  const wanted = [0, 1].flatMap((replica) => Array.from({ length: count }, (_, number) => `${replica} ${number}`));
  expect(seen.toSorted()).toEqual(wanted.toSorted());
  expect(await verifyAudit(opened.database, id)).toMatchObject({ isWhole: true, rows: 100 });
  await Promise.all(replicas.map((database) => database.close()));
});

test('a lost database rejects pending writes, and the next write works', async () => {
  const database = openDatabase(opened.url, { max: 1, audit: opened.audit });
  const writer = new Writer(database);
  const id = await freshWorkspace();
  await writer.write(id, { audit: ['1'] });
  let isLocked = (): void => undefined;
  const locked = new Promise<void>((resolve) => {
    isLocked = resolve;
  });
  const blocker = opened.attacker.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('sallyport chain ' || ${id}::text, 0))`;
    isLocked();
    await eventually(async () => {
      // A transaction keeps its first view of pg_stat_activity.
      await sql`select pg_stat_clear_snapshot()`;
      const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
        and query like '%append_entries%' and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
      expect(ended).toHaveLength(1);
    });
  });
  await locked;
  await expect(writer.write(id, { audit: ['2'] })).rejects.toThrow();
  await blocker;
  expect(await writer.write(id, { audit: ['3'] })).toEqual({ places: [], seqs: [2] });
  await writer.drain();
  await database.close();
});

/** Waits for a connection whose current or last query is like this, and ends it. */
async function endConnection(like: string): Promise<void> {
  await eventually(async () =>
    expect(
      await opened.attacker`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like ${`%${like}%`} and pid <> pg_backend_pid()`,
    ).toHaveLength(1),
  );
}

test('a connection that is lost in a transaction fails only that transaction', async () => {
  const database = openDatabase(opened.url, { max: 1, audit: opened.audit });
  const id = await freshWorkspace();
  const asking = database.inWorkspace(id, (sql) => sql`select pg_sleep(4)`);
  await Promise.all([expect(asking).rejects.toThrow(), endConnection('pg_sleep(4)')]);
  expect(await database.inWorkspace(id, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
  let isEnded = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    isEnded = resolve;
  });
  const between = database.inWorkspace(id, async (sql) => {
    await sql`select 'between'`;
    await ended;
    return sql`select 1`;
  });
  await Promise.all([expect(between).rejects.toThrow(), endConnection('between').then(isEnded)]);
  expect(await database.inWorkspace(id, (sql) => sql`select 1 as one`)).toEqual([{ one: 1 }]);
  const own = database.inWorkspace(id, () => Promise.reject(new Error('my own')));
  await expect(own).rejects.toThrow('my own');
  await database.check();
  await database.close();
});

test('connections that are cut repeatedly under load lose nothing that was acknowledged', async () => {
  const database = openDatabase(opened.url, { max: 6, audit: opened.audit });
  const writer = new Writer(database);
  const ids = await Promise.all(Array.from({ length: 12 }, freshWorkspace));
  const promised = new Map(ids.map((id) => [id, 0]));
  let failures = 0;
  let isOver = false;
  const writing = ids.map(async (id) => {
    for (let number = 0; !isOver; number++)
      await Promise.all([
        writer.write(id, { audit: [`${number}`], entries: [{ conversation: 'c', body: `${number}` }] }).then(
          () => promised.set(id, (promised.get(id) ?? 0) + 1),
          () => failures++,
        ),
        database.inWorkspace(id, (sql) => sql`select 1`).catch(() => undefined),
      ]);
  });
  const written = (): number => [...promised.values()].reduce((sum, count) => sum + count, 0);
  for (let cut = 0; cut < 8 || failures === 0; cut++) {
    // Each cut happens during a write.
    const before = written();
    await eventually(() => expect(written()).toBeGreaterThan(before + ids.length));
    await opened.attacker`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
  }
  isOver = true;
  await Promise.all(writing);
  await Promise.all(ids.map((id) => writer.write(id, { audit: ['last'] })));
  for (const id of ids) {
    const report = await verifyAudit(database, id);
    expect(report).toMatchObject({ isWhole: true });
    expect((report as { rows: number }).rows).toBeGreaterThan(promised.get(id) as number);
  }
  await database.close();
});

test('of a long conversation only the end is read, after a mark that there was more', async () => {
  const id = await freshWorkspace();
  const log = memoryLog(textLog(opened.database, new Writer(opened.database), id, 'p'));
  const text = 'x'.repeat(12_000_000);
  const entry = { type: 'read', id: 'r', server: 's', texts: [text], bare: [] } as const;
  for (const key of ['a', 'b', 'c', 'd']) await log.append('long', { key, entry });
  const found = await log.since('long', 0);
  expect(found.map(({ kept }) => (kept as { key: string } | undefined)?.key)).toEqual([undefined, 'c', 'd']);
  const [mark, third] = found;
  expect(mark?.at).toBeLessThan(third?.at as number);
  expect(await log.since('long', third?.at as number)).toHaveLength(1);
});

test('a database that refuses connections fails each query, and is used as soon as it accepts', async () => {
  const { port: farPort, hostname } = new URL(opened.url);
  const gate = createServer((near) => {
    const far = connect(Number(farPort || 5432), hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far).pipe(near);
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => gate.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = gate.address() as { port: number };
  await new Promise((resolve) => gate.close(resolve));
  const target = new URL(opened.url);
  target.host = `127.0.0.1:${port}`;
  const database = openDatabase(target.href);
  // The refused connection itself, not the gateway's timeout.
  for (let tries = 0; tries < 5; tries++)
    await expect(database.check()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await listen(port);
  await database.check();
  await database.close();
  gate.close();
});
