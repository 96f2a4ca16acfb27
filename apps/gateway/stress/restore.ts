import { strict as assert } from 'node:assert';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { root } from '../../../tools/command.mjs';
import { readStoreConfig, withOperations } from '../src/index.ts';
import { migrate } from '../src/store/migrate.ts';
import type { Postgres } from './postgres.ts';
import { setUp } from './roles.ts';

const KEY = 'c'.repeat(64);
const GRANT = 'grant create on database sallyport to sallyport_owner';
const NAMES = 'select name from sallyport.workspaces';
const END_LOGINS = 'delete from sallyport.logins';

/** The statements of docs/operations.md, if it still has them. */
function checkDocumented(): void {
  const document = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  for (const statement of [GRANT, NAMES, END_LOGINS])
    assert(document.includes(statement), `docs/operations.md no longer says: ${statement}`);
}

async function runAt(url: string, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    let rows: readonly unknown[] = [];
    for (const statement of statements) rows = await sql.unsafe(statement);
    return rows;
  } finally {
    await sql.end();
  }
}

const databaseAt = (server: Postgres): string => server.url.replace(/\/postgres$/, '/sallyport');

/** The state that a backup is compared by. */
interface Backup {
  readonly path: string;
  readonly anchors: string;
  readonly lines: readonly string[];
}

function operate<T>(url: string, anchors: string, work: Parameters<typeof withOperations<T>>[1]): Promise<T> {
  return withOperations(readStoreConfig({ DATABASE_URL: url, SALLYPORT_KEY: KEY, SALLYPORT_ANCHORS: anchors }), work);
}

async function linesAt(url: string, anchors: string): Promise<string[]> {
  const lines: string[] = [];
  await operate(url, anchors, (operations) => operations.exportAudit('acme', (line) => lines.push(line)));
  return lines;
}

/** Fills a database, dumps it with the server's own pg_dump, and records more than the dump has. */
async function backUp(server: Postgres): Promise<Backup> {
  const { url, ownerUrl } = await setUp(server.url);
  await migrate(ownerUrl);
  const [path, anchors] = [join(server.folder, 'dump'), join(server.folder, 'anchors.jsonl')];
  await operate(url, anchors, async (operations) => {
    await operations.makeWorkspace('acme');
    await operations.applyPolicy('acme', { preset: 'balanced' });
  });
  const lines = await linesAt(url, anchors);
  server.run('pg_dump', ['-Fc', '-d', databaseAt(server), '-f', path]);
  const input = { principal: 'ada', label: 'late', scopes: ['mcp'] } as const;
  await operate(url, anchors, (operations) => operations.makeKey('acme', input));
  return { path, anchors, lines };
}

/** Restores a dump as docs/operations.md says, and verifies the audit. */
async function restore(from: Postgres, to: Postgres, { path, anchors, lines }: Backup): Promise<void> {
  const { url, ownerUrl } = await setUp(to.url);
  const empty = "create database sallyport encoding 'UTF8' template template0";
  await runAt(to.url, 'drop database sallyport', empty);
  from.run('pg_restore', ['--exit-on-error', '-d', databaseAt(to), path]);
  await runAt(to.url, GRANT);
  await migrate(ownerUrl);
  assert.deepEqual([...(await runAt(ownerUrl, NAMES))], [{ name: 'acme' }]);
  const verify = (file: string): Promise<unknown> => operate(url, file, (each) => each.verifyAudit('acme', {}));
  const lacking = (await verify(anchors)) as { readonly isWhole: boolean; readonly problem?: string };
  assert.deepEqual([lacking.isWhole, lacking.problem], [false, 'truncated']);
  const kept = `${anchors}.kept`;
  renameSync(anchors, kept);
  try {
    const whole = (await verify(anchors)) as { readonly isWhole: boolean };
    assert(whole.isWhole, 'the restored audit is not whole');
    assert.deepEqual(await linesAt(url, anchors), lines);
    await runAt(ownerUrl, END_LOGINS);
    await operate(url, anchors, (each) => each.makeWorkspace('after'));
  } finally {
    // Those of the restored database are in its place.
    rmSync(anchors, { recursive: true, force: true });
    renameSync(kept, anchors);
  }
}

/** Dumps one server, restores it on another one, and verifies the audit there. Throws an error that says what differs. */
export async function tryRestore(from: Postgres, to: Postgres): Promise<void> {
  checkDocumented();
  await restore(from, to, await backUp(from));
}
