// What is lost when something breaks: nothing. Each fault is tried under load, and what is missing afterwards is counted.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, readOptions } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { losses } from './count.ts';
import { Load, list } from './drive.ts';
import { Pooler, poolerVersion } from './pooler.ts';
import { postgresBinaries } from './postgres.ts';
import type { Program } from './program.ts';
import { hasRedis, Stage, type StageOptions } from './stage.ts';

const options = readOptions(
  `
Breaks a gateway of two replicas on a PostgreSQL and a Redis of its own, under load, in every way of the table, and counts
what was lost: answered calls without an audit record, effects without a decision, taints forgotten, words without a frame.

  npm run check -- faults               all of them; writes evals/results/gateway-faults.json and its figures
  npm run check -- faults --dry         write nothing
  npm run check -- faults --only redis  those whose names hold the word; writes nothing
`,
  { dry: { type: 'boolean' }, only: { type: 'string' } },
);

interface Scene {
  readonly stage: Stage;
  readonly one: Program;
  readonly two: Program;
  readonly load: Load;
  /** Latency between gateway and database in milliseconds, in each direction. */
  readonly delay: { value: number };
  readonly pooler: Pooler | undefined;
}

interface Fault {
  readonly name: string;
  readonly stage?: StageOptions;
  /** Whether replicas reach the database through PgBouncer. */
  readonly isPooled?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Causes the fault, and ends it again. */
  readonly strike: (scene: Scene) => Promise<void>;
  /** Seconds of load after the fault. */
  readonly after?: number;
}

const DAY = 24 * 3600 * 1000;

const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of a replica in the middle of calls',
    extra: { wait: 20 },
    async strike({ one, stage }) {
      one.kill();
      stage.replicas.splice(stage.replicas.indexOf(one), 1);
      await pause(1000);
      await stage.replica();
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    async strike({ stage }) {
      stage.postgres.kill();
      await pause(1000);
      await stage.postgres.restart();
    },
  },
  {
    name: 'kill -9 of Redis',
    async strike({ stage }) {
      stage.redis?.kill('SIGKILL');
      await pause(1500);
      stage.restartRedis();
    },
  },
  {
    name: 'Redis flushed',
    async strike({ stage }) {
      for (let time = 0; time < 10; time++) {
        stage.tellRedis('FLUSHALL');
        await pause(100);
      }
    },
  },
  {
    name: 'no Redis at all',
    stage: { redis: false },
    strike: () => pause(1000),
  },
  {
    name: 'kill -9 of the server',
    async strike({ stage }) {
      for (let time = 0; time < 3; time++) {
        await stage.restartUpstream();
        await pause(300);
      }
    },
  },
  {
    name: 'PostgreSQL slow: half a second each way',
    async strike({ delay }) {
      delay.value = 500;
      await pause(3000);
      delay.value = 0;
    },
  },
  {
    name: 'PostgreSQL silent: nothing comes back for six seconds',
    async strike({ delay }) {
      delay.value = 6000;
      await pause(6500);
      delay.value = 0;
      await pause(6500);
    },
  },
  {
    name: 'PostgreSQL read-only',
    async strike({ stage }) {
      stage.postgres.set('alter system set default_transaction_read_only = on');
      await pause(1500);
      stage.postgres.set('alter system reset default_transaction_read_only');
    },
  },
  {
    name: 'PostgreSQL full: no room on its disk',
    stage: { room: 220 },
    async strike({ stage }) {
      const ballast = `${stage.postgres.folder}/ballast`;
      try {
        for (let size = 0; ; size++) writeFileSync(`${ballast}${size % 1000}`, Buffer.alloc(1024 * 1024));
      } catch {
        // The disk is full.
      }
      await pause(2000);
      for (let size = 0; size < 1000; size++) rmSync(`${ballast}${size}`, { force: true });
      await stage.postgres.restart().catch(() => undefined);
    },
    after: 4,
  },
  {
    name: 'connections to the server cut in the middle of a body',
    async strike({ load }) {
      for (let time = 0; time < 50; time++)
        await load.call(`cut-${time}`, 'read', { n: time, bytes: 20_000, cut: true, poison: undefined });
    },
  },
  {
    name: "a replica's clock jumps a day ahead, and back",
    async strike({ one, two }) {
      for (const replica of [one, two, one]) {
        replica.kill('SIGUSR2');
        await pause(700);
      }
    },
  },
  {
    name: 'the threads of a replica killed in the middle of calls',
    async strike({ one, two }) {
      for (const replica of [one, two, one]) {
        replica.killThreads();
        await pause(700);
      }
    },
  },
  {
    name: 'kill -9 of PgBouncer',
    isPooled: true,
    strike: async ({ pooler }) => pooler?.restart(1500),
  },
  {
    name: 'a snapshot of the database that stays open for ten seconds',
    strike: ({ stage }) => stage.postgres.underSnapshot(() => pause(10_000)),
  },
  {
    name: 'Redis without room on its disk',
    async strike({ stage }) {
      const folder = mkdtempSync(join(tmpdir(), 'sallyport-full-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
      try {
        writeFileSync(join(folder, 'ballast'), Buffer.alloc(60 * 1024));
        stage.tellRedis(`CONFIG SET dir ${folder}`, 'CONFIG SET save "1 1"');
        await pause(4000);
        stage.tellRedis('CONFIG SET save ""', `CONFIG SET dir ${tmpdir()}`);
        await pause(1000);
      } finally {
        execFileSync('umount', ['-l', folder]);
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    name: '10,000 open conversations',
    async strike({ load }) {
      await load.stop();
      let next = 0;
      const open = async (): Promise<void> => {
        for (let index = next++; index < 10_000; index = next++) {
          const [conversation, to] = [`open-${index}`, `eve-open-${index}@evil.example`];
          const { type, text } = await load.call(conversation, 'read', { poison: to, n: index });
          if (type === 'framed') load.tainted.push({ conversation, to });
          else load.problems.push(`conversation ${index} could not read: ${type} ${text}`);
        }
      };
      await Promise.all(Array.from({ length: 32 }, open));
    },
  },
];

/** A proxy to the database that delays bytes. */
async function slowWay(delay: { value: number }, port: number): Promise<number> {
  const carry = (from: Socket, to: Socket): void => {
    let last: Promise<unknown> = Promise.resolve();
    from.on('data', (chunk) => {
      const due = delay.value === 0 ? undefined : pause(delay.value);
      last = last.then(() => due).then(() => to.write(chunk));
    });
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
  };
  const server = createServer((client) => {
    const database = connectTo(port, '127.0.0.1');
    carry(client, database);
    carry(database, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return (server.address() as { port: number }).port;
}

async function isReady(origins: readonly string[]): Promise<boolean> {
  const checks = origins.map((origin) =>
    fetch(`${origin}/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return (await Promise.all(checks)).every((ok) => ok);
}

interface Report {
  readonly name: string;
  readonly calls: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly lost: readonly string[];
}

async function tryFault({ name, stage: given = {}, isPooled, strike, extra, after = 1.5 }: Fault): Promise<Report> {
  const delay = { value: 0 };
  let pooler: Pooler | undefined;
  const through = async (port: number): Promise<number> => {
    if (isPooled !== true) return slowWay(delay, port);
    pooler = await Pooler.start(port, 'session');
    return pooler.port;
  };
  const stage = await Stage.open({ ...given, through });
  try {
    const more = { CLOCK_SHIFT: String(DAY) };
    const [one, two] = await Promise.all([stage.replica(more), stage.replica(more)]);
    const key = await stage.key();
    await list(one.origin, key);
    const load = new Load('load', key, () => stage.replicas.map(({ origin }) => origin));
    load.start(8, extra);
    // Calls must be in progress: otherwise the fault proves nothing.
    for (let tries = 0; load.answered.length < 30; tries++) {
      if (tries > 600) throw new Error(`${name}: nothing is answered, ${JSON.stringify([...load.outcomes])}`);
      await pause(100);
    }
    await strike({ stage, one, two, load, delay, pooler });
    await pause(after * 1000);
    await load.stop();
    for (let tries = 0; !(await isReady(stage.replicas.map(({ origin }) => origin))); tries++) {
      if (tries > 100) throw new Error(`${name}: the gateway does not come back`);
      await pause(200);
    }
    const lost = await losses(stage, load);
    const calls = [...load.outcomes.values()].reduce((sum, count) => sum + count, 0);
    return { name, calls, outcomes: Object.fromEntries(load.outcomes), lost };
  } finally {
    await stage.close();
    pooler?.stop();
  }
}

if (postgresBinaries() === undefined) fail('there is no PostgreSQL here', 'apt-get install postgresql', 2);
if (!hasRedis()) fail('there is no Redis here', 'apt-get install redis-server', 2);
const { only } = options;
const chosen = FAULTS.filter(({ name }) => typeof only !== 'string' || name.includes(only));
if (chosen.some(({ isPooled }) => isPooled === true) && poolerVersion() === undefined)
  fail('there is no PgBouncer here', 'apt-get install pgbouncer', 2);
const reports: Report[] = [];
for (const fault of chosen) {
  const begun = performance.now();
  const report = await tryFault(fault);
  reports.push(report);
  const said = Object.entries(report.outcomes).map(([type, count]) => `${count} ${type}`);
  console.log(
    `${report.lost.length === 0 ? 'ok  ' : 'LOST'} ${report.name}: ${said.join(', ')}; ${report.lost.length} lost, ${Math.round((performance.now() - begun) / 1000)} s`,
  );
  for (const each of report.lost.slice(0, 5)) console.log(`     ${each}`);
}
const lost = reports.reduce((sum, each) => sum + each.lost.length, 0);
if (options.dry !== true && only === undefined) {
  writeResult('gateway-faults', {
    command: 'npm run check -- faults',
    faults: reports.map(({ lost: each, ...rest }) => ({ ...rest, lost: each.length })),
  });
  const command = 'npm run check -- faults';
  writeFigures({
    'faults.tried': { value: reports.length, unit: 'faults', command },
    'faults.lost': { value: lost, unit: 'records, taints or frames', command },
  });
}
console.log(`${lost === 0 ? 'OK' : 'error'} - ${reports.length} faults, ${lost} lost`);
process.exit(lost === 0 ? 0 : 1);
