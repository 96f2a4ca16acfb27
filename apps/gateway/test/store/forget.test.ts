import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryLog } from '../../src/serve/thread/services.ts';
import { forgetBefore } from '../../src/store/audit/forget.ts';
import { textLog } from '../../src/store/log.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { Writer } from '../../src/store/writer.ts';
import { freshDatabase, type TestDatabase } from '../fixture/database.ts';

let opened: TestDatabase;

beforeAll(async () => {
  opened = await freshDatabase();
});

afterAll(() => opened.drop());

test('content from before a time is removed from all workspaces, and a mark remains', async () => {
  const owner = postgres(opened.ownerUrl, { max: 1, onnotice: () => undefined });
  const workspaces = [await createWorkspace(opened.database, 'one'), await createWorkspace(opened.database, 'two')];
  const logs = workspaces.map((id) => memoryLog(textLog(opened.database, new Writer(opened.database), id, 'p')));
  const entry = { type: 'read', id: 'r', server: 's', texts: ['secret'], bare: [] } as const;
  const keysOf = async (name: string): Promise<unknown[]> =>
    (await logs[0]?.since(name, 0))?.map(({ kept }) => (kept as { key: string } | undefined)?.key) ?? [];
  for (const log of logs)
    for (const name of ['old', 'both', 'own', 'refused', 'definitions'])
      for (const key of ['1', '2', '3']) await log.append(name, { key, entry });
  await opened.attacker`update log set at = '2020-01-05Z'`;
  await logs[0]?.append('both', { key: '4', entry });
  await logs[0]?.append('new', { key: '5', entry });
  expect(await forgetBefore(owner, new Date('2020-01-05Z'))).toEqual({ entries: 0, approvals: 0 });
  expect(await forgetBefore(owner, new Date('2020-01-06Z'))).toEqual({ entries: 24, approvals: 0 });
  expect(await keysOf('old')).toEqual([undefined]);
  expect(await keysOf('both')).toEqual([undefined, '4']);
  expect(await keysOf('new')).toEqual(['5']);
  // Unnamed conversations never end, so their content is removed; tool definitions are kept.
  for (const name of ['own', 'refused']) expect(await keysOf(name)).toEqual([]);
  expect(await keysOf('definitions')).toEqual(['1', '2', '3']);
  const [left] = await opened.attacker`select count(*)::int as count from log
    where at < '2021-01-01' and body <> '' and conversation not like '%definitions%'`;
  expect(left?.count).toBe(0);
  expect(await forgetBefore(owner, new Date('2020-01-06Z'))).toEqual({ entries: 0, approvals: 0 });
  await owner.end();
});

test('expired approvals are removed, and pending ones stay', async () => {
  const owner = postgres(opened.ownerUrl, { max: 1, onnotice: () => undefined });
  const workspace = await createWorkspace(opened.database, 'three');
  for (const until of ['2020-01-05Z', '2030-01-05Z'])
    await opened.attacker`insert into approvals (workspace_id, digest, question, principal, conversation, until)
      values (${workspace}, 'd', '{}', 'p', 'c', ${until})`;
  expect(await forgetBefore(owner, new Date('2020-01-06Z'))).toEqual({ entries: 0, approvals: 1 });
  await owner.end();
});

test('texts that people corrected are removed, and what they said of them stays', async () => {
  const owner = postgres(opened.ownerUrl, { max: 1, onnotice: () => undefined });
  const workspace = await createWorkspace(opened.database, 'four');
  for (const at of ['2020-01-05Z', '2030-01-05Z'])
    await opened.attacker`insert into feedback (workspace_id, server, tag, digest, likelihood, verdict, said_by, at, text)
      values (${workspace}, 's', 't', ${at}, 'low', 'attack', 'p', ${at}, 'secret')`;
  await forgetBefore(owner, new Date('2020-01-06Z'));
  const left = await opened.attacker`select text from feedback where workspace_id = ${workspace} order by at`;
  expect(left.map(({ text }) => text)).toEqual([null, 'secret']);
  await owner.end();
});

test('old content is found by an index, and not by reading the whole log', async () => {
  const workspace = await createWorkspace(opened.database, 'large');
  // One connection: another one would report what it has read later.
  const attacker = await opened.attacker.reserve();
  await attacker`insert into log (workspace_id, conversation, body)
    select ${workspace}, '["p","conversation ' || n % 500 || '"]', repeat('x', 100) from generate_series(1, 50000) n`;
  await attacker`update log set at = '2020-01-05Z' where workspace_id = ${workspace} and id % 1000 = 0`;
  await attacker.unsafe('analyze log');
  const rowsRead = async (): Promise<number> => {
    await attacker`select pg_stat_clear_snapshot()`;
    const [row] = await attacker`select seq_tup_read from pg_stat_user_tables where relname = 'log'`;
    return Number(row?.seq_tup_read);
  };
  await attacker`select pg_stat_force_next_flush()`;
  const before = await rowsRead();
  const owner = postgres(opened.ownerUrl, { max: 1, onnotice: () => undefined });
  expect((await forgetBefore(owner, new Date('2020-01-06Z'))).entries).toBeGreaterThan(0);
  await owner`select pg_stat_force_next_flush()`;
  await owner.end();
  // Other connections may report the few rows of the tests before.
  expect((await rowsRead()) - before).toBeLessThan(1000);
  attacker.release();
});
