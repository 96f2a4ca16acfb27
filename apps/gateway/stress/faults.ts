// What is lost when something breaks: nothing. Each fault is tried under load, and what is missing afterwards is counted.
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, readOptions } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { losses } from './count.ts';
import { Load, list } from './drive.ts';
import { FAULTS, type Fault } from './fault-table.ts';
import { Pooler, poolerVersion } from './pooler.ts';
import { postgresBinaries } from './postgres.ts';
import { hasRedis, Stage } from './stage.ts';

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

const DAY = 24 * 3600 * 1000;

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
  fail('PgBouncer is not installed', 'apt-get install pgbouncer', 2);
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
