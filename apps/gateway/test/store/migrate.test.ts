import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { checkSchema, migrate } from '../../src/store/migrate.ts';
import { emptyDatabase } from '../fixture/database.ts';

let empty: Awaited<ReturnType<typeof emptyDatabase>>;

beforeEach(async () => {
  empty = await emptyDatabase();
});

afterEach(() => empty.drop());

test('replicas that start at once apply each migration once, and a later start applies none', async () => {
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(empty.ownerUrl)));
  expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  expect(await migrate(empty.ownerUrl)).toEqual([]);
});

test('a migration that was changed after it was applied is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  const source = new URL('../../migrations/', import.meta.url);
  const names = ['0001_workspaces.sql', '0002_log_and_audit.sql'];
  for (const name of names) await writeFile(join(folder, name), await readFile(new URL(name, source)));
  const url = pathToFileURL(`${folder}/`);
  expect(await migrate(empty.ownerUrl, url)).toEqual(names);
  await writeFile(join(folder, '0002_log_and_audit.sql'), 'select 1');
  await expect(migrate(empty.ownerUrl, url)).rejects.toThrow('0002_log_and_audit.sql was changed');
  await rm(folder, { recursive: true });
});

test('a database that a later version has migrated is refused and not changed', async () => {
  const applied = await migrate(empty.ownerUrl);
  const later = ['0099_later.sql', 'x'];
  await empty.attacker`insert into migrations (name, checksum) values (${later[0] as string}, ${later[1] as string})`;
  await expect(migrate(empty.ownerUrl)).rejects.toThrow('later version (0099_later.sql)');
  const rows = await empty.attacker`select name from migrations order by name`;
  expect(rows.map(({ name }) => name)).toEqual([...applied, '0099_later.sql']);
});

test('the check of a replica detects a later and an earlier version with the rights of the application, and writes nothing', async () => {
  const applied = await migrate(empty.ownerUrl);
  await checkSchema(empty.url);
  await empty.attacker`insert into migrations (name, checksum) values ('0099_later.sql', 'x')`;
  await expect(checkSchema(empty.url)).rejects.toThrow('later version (0099_later.sql)');
  const rows = await empty.attacker`select name from migrations order by name`;
  expect(rows.map(({ name }) => name)).toEqual([...applied, '0099_later.sql']);
  await empty.attacker`delete from migrations where name >= '0006'`;
  await expect(checkSchema(empty.url)).rejects.toThrow(
    `lacks ${applied.filter((name) => name >= '0006').join(', ')}: run sallyport gateway migrate`,
  );
});

test('the check of a replica refuses a database without tables', async () => {
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
    applied.push(...(await migrate(empty.ownerUrl, pathToFileURL(`${folder}/`))));
    expect(applied).toEqual([first, ...names.slice(0, names.indexOf(name) + 1)]);
  }
  expect(await migrate(empty.ownerUrl)).toEqual([]);
  await rm(folder, { recursive: true });
});

test('keys with the scope approve of earlier versions keep what they had at most', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  const source = new URL('../../migrations/', import.meta.url);
  for (const name of (await readdir(source)).filter((each) => each < '0009'))
    await writeFile(join(folder, name), await readFile(new URL(name, source)));
  await migrate(empty.ownerUrl, pathToFileURL(`${folder}/`));
  await rm(folder, { recursive: true });
  const [row] = await empty.attacker`insert into workspaces (workspace_id, name) values (gen_random_uuid(), 'acme')
    returning workspace_id as id`;
  const keys = { person000: ['mcp', 'approve'], admin000: ['admin', 'approve'], agent000: ['mcp'] };
  for (const [id, scopes] of Object.entries(keys))
    await empty.attacker`insert into keys (workspace_id, public_id, digest, principal, label, scopes)
      values (${row?.id}, ${id.slice(0, 8)}, '', ${id}, ${id}, ${scopes})`;
  await migrate(empty.ownerUrl);
  const rows = await empty.attacker`select principal, scopes from keys`;
  expect(Object.fromEntries(rows.map(({ principal, scopes }) => [principal, scopes]))).toEqual({
    person000: ['mcp', 'approve:own'],
    admin000: ['admin', 'approve:any', 'pins', 'policy'],
    agent000: ['mcp'],
  });
  const [forced] = await empty.attacker`select relforcerowsecurity as is_forced from pg_class where relname = 'keys'`;
  expect(forced?.is_forced).toBe(true);
});

test('a failed migration is rolled back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(join(folder, '0001_bad.sql'), 'create table half (id int); select 1 / 0;');
  await expect(migrate(empty.ownerUrl, pathToFileURL(`${folder}/`))).rejects.toThrow('division by zero');
  const [row] =
    await empty.attacker`select to_regclass('sallyport.half') as half, to_regnamespace('sallyport') as schema`;
  expect(row).toEqual({ half: null, schema: null });
  await rm(folder, { recursive: true });
});

describe('the role of the application', () => {
  /** Opens the database, changed by statements of an administrator. `$role` is the application, `$owner` the owner. */
  async function check(...statements: readonly string[]): Promise<void> {
    const database = openDatabase(empty.url, { max: 1 });
    const { username } = new URL(empty.url);
    for (const statement of statements)
      await empty.attacker.unsafe(statement.replaceAll('$role', username).replaceAll('$owner', `${username}_owner`));
    await database.check().finally(() => database.close());
  }

  beforeEach(() => migrate(empty.ownerUrl));

  test('owns nothing, is bound by row-level security, and cannot become the owner', async () => {
    await check();
    const database = openDatabase(empty.url, { max: 1 });
    const { username } = new URL(empty.url);
    await expect(database.system`create table sallyport.mine (id int)`).rejects.toThrow('permission denied');
    await expect(database.system.unsafe(`set role ${username}_owner`)).rejects.toThrow('permission denied');
    await expect(database.system`alter table sallyport.log disable row level security`).rejects.toThrow(
      'must be owner',
    );
    const [row] = await database.system`select current_setting('statement_timeout') as limit`;
    expect(row).toEqual({ limit: '5s' });
    await database.close();
  });

  test.each([
    ['bypasses row-level security', 'alter role $role bypassrls'],
    ['bypasses row-level security', 'alter role $role superuser'],
    ['owns the tables', 'grant $owner to $role'],
    ['is not a member of sallyport_app', 'revoke sallyport_app from $role'],
    ['has no time limit', 'alter role $role reset statement_timeout'],
  ])('is refused if it %s', async (problem, statement) => {
    await expect(check(statement)).rejects.toThrow(problem);
  });
});

test('a database without the group of the application is refused with the next step', async () => {
  const [folder] = [await mkdtemp(join(tmpdir(), 'migrations-'))];
  const source = await readFile(new URL('../../migrations/0001_workspaces.sql', import.meta.url), 'utf8');
  await writeFile(join(folder, '0001_workspaces.sql'), source.replaceAll('sallyport_app', 'no_such_role'));
  const url = pathToFileURL(`${folder}/`);
  await expect(migrate(empty.ownerUrl, url)).rejects.toThrow('let an administrator create the roles');
  await rm(folder, { recursive: true });
});
