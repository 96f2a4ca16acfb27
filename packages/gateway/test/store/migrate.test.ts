import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { checkSchema, migrate } from '../../src/store/migrate.ts';
import { emptyDatabase, randomName } from '../fixture/database.ts';

let empty: Awaited<ReturnType<typeof emptyDatabase>>;

beforeEach(async () => {
  empty = await emptyDatabase();
});

afterEach(() => empty.drop());

test('replicas that start at once apply each migration once, and a later start applies none', async () => {
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(empty.url)));
  expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  expect(await migrate(empty.url)).toEqual([]);
});

test('a migration that was changed after it was applied is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  const source = new URL('../../migrations/', import.meta.url);
  const names = ['0001_workspaces.sql', '0002_log_and_audit.sql'];
  for (const name of names) await writeFile(join(folder, name), await readFile(new URL(name, source)));
  const url = pathToFileURL(`${folder}/`);
  expect(await migrate(empty.url, url)).toEqual(names);
  await writeFile(join(folder, '0002_log_and_audit.sql'), 'select 1');
  await expect(migrate(empty.url, url)).rejects.toThrow('0002_log_and_audit.sql was changed');
  await rm(folder, { recursive: true });
});

test('a database that a later version has migrated is refused and not changed', async () => {
  const applied = await migrate(empty.url);
  const later = ['0099_later.sql', 'x'];
  await empty.attacker`insert into migrations (name, checksum) values (${later[0] as string}, ${later[1] as string})`;
  await expect(migrate(empty.url)).rejects.toThrow('later version (0099_later.sql)');
  const rows = await empty.attacker`select name from migrations order by name`;
  expect(rows.map(({ name }) => name)).toEqual([...applied, '0099_later.sql']);
});

test('the check without migration detects a later version with the rights of the application, and writes nothing', async () => {
  const applied = await migrate(empty.url);
  const name = randomName('replica');
  await empty.attacker.unsafe(`create role ${name} login password '${name}' in role sallyport_app`);
  const url = new URL(empty.url);
  Object.assign(url, { username: name, password: name });
  try {
    await checkSchema(url.href);
    await empty.attacker`insert into migrations (name, checksum) values ('0099_later.sql', 'x')`;
    await expect(checkSchema(url.href)).rejects.toThrow('later version (0099_later.sql)');
    const rows = await empty.attacker`select name from migrations order by name`;
    expect(rows.map(({ name: each }) => each)).toEqual([...applied, '0099_later.sql']);
  } finally {
    await empty.attacker.unsafe(`drop role ${name}`);
  }
});

test('the check without migration refuses a database without tables', async () => {
  await expect(checkSchema(empty.url)).rejects.toThrow(/does not exist|permission denied/);
});

test('an earlier schema is migrated step by step', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  const source = new URL('../../migrations/', import.meta.url);
  const [first, ...names] = (await readdir(source)).toSorted() as [string, ...string[]];
  await writeFile(join(folder, first), await readFile(new URL(first, source)));
  const applied: string[] = [];
  for (const name of names) {
    await writeFile(join(folder, name), await readFile(new URL(name, source)));
    applied.push(...(await migrate(empty.url, pathToFileURL(`${folder}/`))));
    expect(applied).toEqual([first, ...names.slice(0, names.indexOf(name) + 1)]);
  }
  expect(await migrate(empty.url)).toEqual([]);
  await rm(folder, { recursive: true });
});

test('a failed migration is rolled back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(join(folder, '0001_bad.sql'), 'create table half (id int); select 1 / 0;');
  await expect(migrate(empty.url, pathToFileURL(`${folder}/`))).rejects.toThrow('division by zero');
  const [row] =
    await empty.attacker`select to_regclass('sallyport.half') as half, to_regnamespace('sallyport') as schema`;
  expect(row).toEqual({ half: null, schema: null });
  await rm(folder, { recursive: true });
});

test('every pooled connection has the role and limits of the application, and cannot gain more rights', async () => {
  await migrate(empty.url);
  const database = openDatabase(empty.url, { max: 3 });
  await database.check();
  const rows = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const [row] =
        await database.system`select current_user as role, current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle, pg_sleep(0.02)`;
      return [row?.role, row?.statement, row?.idle];
    }),
  );
  expect(new Set(rows.map(String))).toEqual(new Set(['sallyport_app,5s,10s']));
  const [role] = await empty.attacker`select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole,
    (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned from pg_roles where rolname = 'sallyport_app'`;
  expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false, owned: 0 });
  await expect(database.system`create table mine (id int)`).rejects.toThrow('permission denied');
  await database.close();
});
