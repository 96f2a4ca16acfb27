// Measures what the gateway adds to a call over HTTP, relative to a proxy that only copies, and the cost of durable audit.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writer } from '../apps/gateway/src/store/writer.ts';
import { list } from '../apps/gateway/stress/drive.ts';
import { postgresBinaries } from '../apps/gateway/stress/postgres.ts';
import { type Pounded, pound } from '../apps/gateway/stress/pound.ts';
import { Program } from '../apps/gateway/stress/program.ts';
import { hasRedis, Stage } from '../apps/gateway/stress/stage.ts';
import { endProgress, fail, progress, readOptions, root } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Times calls over HTTP with 64 in flight whose results are 1, 10 and 100 KB of new text: through a proxy that copies bytes,
through the gateway without audit, and with audit that is on the disk before the answer leaves. Then with two
replicas. Then rows of the audit chain per second, against pgbench with the same rows and durability. All with a separate
PostgreSQL and Redis, alternately within each round; rows also while a transaction holds an old snapshot; medians over rounds, ratios within a round. Finally the CPU time of a
replica and the bytes in the database for one call of 10 KB.

  npm run bench -- gateway             writes evals/results/gateway-bench.json and its figures
  npm run bench -- gateway --dry       write nothing
  npm run bench -- gateway --rounds 1  fewer rounds; writes nothing
`,
  { dry: { type: 'boolean' }, rounds: { type: 'string' } },
);

const rounds = Number(options.rounds ?? 5);
if (!(rounds >= 1)) fail(`--rounds must be at least 1; received ${options.rounds}`, 'use --rounds 5', 2);
const pgbench = postgresBinaries();
if (pgbench === undefined || !hasRedis())
  fail('PostgreSQL or Redis is not installed', 'apt-get install postgresql redis-server', 2);

const IN_FLIGHT = 64;
const SIZES = [
  { name: '1 KB', bytes: 1000, count: 800 },
  { name: '10 KB', bytes: 10_000, count: 400 },
  { name: '100 KB', bytes: 100_000, count: 96 },
] as const;
const TARGETS = ['bare', 'off', 'on', 'bare x2', 'on x2'] as const;
type Target = (typeof TARGETS)[number];

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

const ROW = JSON.stringify({
  type: 'call',
  server: 'mail',
  principal: 'load',
  conversation: 'c-1',
  tool: 'mail.read',
  arguments: 'a'.repeat(64),
  outcome: 'allow',
  judged: 'allow',
  rule: 'none',
  reason: 'Nothing speaks against it.',
  evidence: [],
  at: 1_700_000_000_000,
  workspace: '00000000-0000-0000-0000-000000000000',
});

/** Rows per second that 64 writers of a replica append to the chain. */
async function chainRows(stage: Stage, seconds: number): Promise<number> {
  const writer = new Writer(stage.database);
  const end = performance.now() + seconds * 1000;
  let rows = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      await writer.write(stage.workspace, { audit: [ROW] });
      rows++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return rows / seconds;
}

/** Rows per second that pgbench inserts into a table of the same form, one per transaction. */
async function benchRows(stage: Stage, bin: string, seconds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pgbench-'));
  const script = join(folder, 'insert.sql');
  const run = (program: string, args: readonly string[]): string =>
    execFileSync(join(bin, program), [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    run('psql', [
      stage.postgres.url,
      '-q',
      '-c',
      `create table if not exists rows_like_ours (workspace_id uuid not null, seq bigserial, at timestamptz not null,
        payload text not null, hash bytea not null, primary key (workspace_id, seq, at))`,
    ]);
    writeFileSync(
      script,
      `insert into rows_like_ours (workspace_id, at, payload, hash) values ('00000000-0000-0000-0000-000000000000', now(), '${ROW}', sha256('${'x'.repeat(200)}'::bytea));\n`,
    );
    const output = await new Promise<string>((resolve, reject) => {
      const child = spawn(join(bin, 'pgbench'), [
        ...['-n', '-c', String(IN_FLIGHT), '-j', String(Math.min(4, cpus().length)), '-T', String(seconds)],
        ...['-f', script, stage.postgres.url],
      ]);
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += String(chunk);
      });
      child.on('exit', (code) => (code === 0 ? resolve(text) : reject(new Error('pgbench failed'))));
    });
    return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes of the log and the audit, with their indexes. */
async function storedBytes(stage: Stage): Promise<number> {
  const [row] = await stage.database.system<{ bytes: string }[]>`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class
      where relkind = 'r' and (relname = 'log' or relname like 'audit\\_%')`;
  return Number(row?.bytes);
}

/** The cost of a call: milliseconds of a replica's CPU, bytes in the database. */
async function costOf(stage: Stage, replica: Program, key: string): Promise<{ cpu: number; bytes: number }> {
  const count = 2000;
  const [before, stored] = [await replica.usage(), await storedBytes(stage)];
  await pound({ origins: [replica.origin], key, bytes: 10_000, count, inFlight: IN_FLIGHT });
  const after = await replica.usage();
  return {
    cpu: rounded((after.cpu - before.cpu) / count),
    bytes: rounded(((await storedBytes(stage)) - stored) / count),
  };
}

const stage = await Stage.open();
const bares: Program[] = [];
try {
  for (let index = 0; index < 2; index++)
    bares.push(await Program.start([join(root, 'apps/gateway/stress/bare.mjs'), stage.upstream.origin]));
  const off = await stage.replica({ SALLYPORT_AUDIT: 'off' });
  const on = await stage.replica();
  const second = await stage.replica();
  const key = await stage.key();
  for (const { origin } of [off, on, second]) await list(origin, key);
  const origins: Readonly<Record<Target, readonly string[]>> = {
    bare: [bares[0]?.origin as string],
    off: [off.origin],
    on: [on.origin],
    'bare x2': bares.map(({ origin }) => origin),
    'on x2': [on.origin, second.origin],
  };
  const measured = new Map<string, Pounded[]>();
  const chain: number[] = [];
  const snapshot: number[] = [];
  const bench: number[] = [];
  let done = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const { name, bytes, count } of SIZES)
      for (const target of TARGETS) {
        progress(`${++done} of ${(rounds + 1) * SIZES.length * TARGETS.length}: ${name}, ${target}`);
        const result = await pound({ origins: origins[target], key, bytes, count, inFlight: IN_FLIGHT });
        if (result.failed > 0)
          fail(`${result.failed} calls of ${name}, ${target} failed`, 'find the cause, then run it again');
        // The first round warms up.
        if (round > 0) measured.set(`${name} ${target}`, [...(measured.get(`${name} ${target}`) ?? []), result]);
      }
    if (round === 0) continue;
    chain.push(await chainRows(stage, 3));
    snapshot.push(await stage.postgres.underSnapshot(() => chainRows(stage, 6)));
    bench.push(await benchRows(stage, pgbench as string, 3));
  }
  endProgress();
  const cost = await costOf(stage, on, key);
  const of = (size: string, target: Target, what: 'p50' | 'p99' | 'perSecond'): number =>
    median((measured.get(`${size} ${target}`) ?? []).map((each) => each[what]));
  const ratio = (size: string, one: Target, other: Target, what: 'p50' | 'perSecond'): number => {
    const [ones, others] = [measured.get(`${size} ${one}`) ?? [], measured.get(`${size} ${other}`) ?? []];
    return median(ones.map((each, index) => each[what] / (others[index] as Pounded)[what]));
  };
  const table = SIZES.flatMap(({ name }) =>
    TARGETS.map((target) => ({
      size: name,
      target,
      p50: rounded(of(name, target, 'p50')),
      p99: rounded(of(name, target, 'p99')),
      perSecond: rounded(of(name, target, 'perSecond')),
    })),
  );
  console.log('size      target    p50 ms    p99 ms    calls/s');
  for (const { size, target, p50, p99, perSecond } of table)
    console.log(
      `${size.padEnd(10)}${target.padEnd(10)}${p50.toFixed(1).padEnd(10)}${p99.toFixed(1).padEnd(10)}${perSecond.toFixed(0)}`,
    );
  const figures = {
    'gateway.http_audit_on_off_ratio': rounded(ratio('10 KB', 'on', 'off', 'perSecond')),
    'gateway.audit_vs_pgbench_ratio': rounded(median(chain.map((each, index) => each / (bench[index] as number)))),
    'gateway.audit_under_snapshot_ratio': rounded(
      median(snapshot.map((each, index) => each / (chain[index] as number))),
    ),
    'gateway.two_replica_ratio': rounded(ratio('10 KB', 'on x2', 'on', 'perSecond')),
    'gateway.two_bare_ratio': rounded(ratio('10 KB', 'bare x2', 'bare', 'perSecond')),
    'gateway.p50_ratio_10kb': rounded(ratio('10 KB', 'on', 'bare', 'p50')),
  };
  for (const [id, value] of Object.entries(figures)) console.log(`${id}: ${value}`);
  console.log(`one call of 10 KB: ${cost.cpu} ms of CPU, ${cost.bytes} bytes stored`);
  console.log(`audit rows per second: ${rounded(median(chain))}, pgbench: ${rounded(median(bench))}`);
  if (options.dry !== true && options.rounds === undefined) {
    const rows = { chain: rounded(median(chain)), pgbench: rounded(median(bench)) };
    writeResult('gateway-bench', { cpu: cpus()[0]?.model, cores: cpus().length, rounds, table, rows, cost, figures });
    const command = 'npm run bench -- gateway';
    writeFigures({
      ...Object.fromEntries(Object.entries(figures).map(([id, value]) => [id, { value, unit: 'x', command }])),
      'gateway.cpu_ms_per_call_10kb': { value: cost.cpu, unit: 'ms', command },
      'gateway.calls_per_cpu_second': { value: rounded(1000 / cost.cpu), unit: 'calls', command },
      'gateway.stored_bytes_per_call_10kb': { value: cost.bytes, unit: 'bytes', command },
      // A million calls of n ms are n * 1000 seconds, and a million of n bytes are n / 1000 GB.
      'gateway.cpu_hours_per_million_calls': { value: rounded((cost.cpu * 1000) / 3600), unit: 'hours', command },
      'gateway.gb_per_million_calls': { value: rounded(cost.bytes / 1000), unit: 'GB', command },
    });
  }
} finally {
  for (const bare of bares) bare.kill();
  await stage.close();
}
process.exit(0);
