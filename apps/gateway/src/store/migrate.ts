import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import postgres from 'postgres';
import { StoreError } from './errors.ts';

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

const FOLDER = new URL('../../migrations/', import.meta.url);
/** Id of the advisory lock that a replica holds while it migrates. */
const LOCK = 7_255_914_803;
const MONTHS_AHEAD = 3;
const CONNECT_SECONDS = 3;

async function readMigrations(folder: URL): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Checks that a migration has not been applied yet. */
function isPending({ name, checksum }: Migration, applied: ReadonlyMap<string, string>): boolean {
  const before = applied.get(name);
  if (before !== undefined && before !== checksum)
    throw new Error(
      `Migration ${name} was changed after it was applied: restore it, and put the change in a new file.`,
    );
  return before === undefined;
}

/** Throws if migrations of this version have not been applied. */
function checkOlder(migrations: readonly Migration[], applied: readonly string[]): void {
  const missing = migrations.filter(({ name }) => !applied.includes(name));
  if (missing.length > 0)
    throw new StoreError(
      'conflict',
      `The database lacks ${missing.map(({ name }) => name).join(', ')}: run sallyport gateway migrate, with DATABASE_OWNER_URL.`,
    );
}

/** Throws if a later version has applied migrations that this version does not know. */
function checkNewer(migrations: readonly Migration[], applied: Iterable<string>): void {
  const unknown = [...applied].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0)
    throw new StoreError(
      'conflict',
      `The database was migrated by a later version (${unknown.toSorted().join(', ')}): start that version, or restore an older backup.`,
    );
}

function connect(url: string): postgres.Sql {
  return postgres(url, { max: 1, fetch_types: false, connect_timeout: CONNECT_SECONDS, onnotice: () => undefined });
}

async function readApplied(transaction: postgres.TransactionSql): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction<{ name: string; checksum: string }[]>`select name, checksum from sallyport.migrations`;
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/**
 * Throws unless exactly the migrations of this version were applied. It writes nothing and needs only the application's role.
 */
export async function checkSchema(url: string, folder: URL = FOLDER): Promise<void> {
  const migrations = await readMigrations(folder);
  const sql = connect(url);
  try {
    await sql.begin('read only', async (transaction) => {
      const rows = await transaction<{ name: string }[]>`select name from sallyport.forms_known() as name`;
      const applied = rows.map(({ name }) => name);
      checkNewer(migrations, applied);
      checkOlder(migrations, applied);
    });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Applies the missing migrations as the role that connects, which owns the tables from then on, and returns their names. They
 * run in one transaction, under a lock: a second process waits, and then finds nothing to do.
 */
export async function migrate(url: string, folder: URL = FOLDER): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const sql = connect(url);
  try {
    return await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(${LOCK})`;
      await transaction`create schema if not exists sallyport`;
      await transaction`set local search_path to sallyport`;
      await transaction`create table if not exists migrations
        (name text primary key, checksum text not null, at timestamptz not null default now())`;
      const applied = await readApplied(transaction);
      checkNewer(migrations, applied.keys());
      const due = migrations.filter((migration) => isPending(migration, applied));
      for (const { name, text, checksum } of due) {
        await transaction.unsafe(text);
        await transaction`insert into migrations (name, checksum) values (${name}, ${checksum})`;
      }
      await transaction`select sallyport.audit_ahead(${MONTHS_AHEAD})`;
      return due.map(({ name }) => name);
    });
  } finally {
    await sql.end({ timeout: 1 });
  }
}
