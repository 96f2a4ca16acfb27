// Measures whether hostile requests of one principal hold up a replica and the calls of all others.
import { setTimeout as pause } from 'node:timers/promises';
import { list } from '../apps/gateway/stress/drive.ts';
import { postgresBinaries } from '../apps/gateway/stress/postgres.ts';
import { pound } from '../apps/gateway/stress/pound.ts';
import type { Program } from '../apps/gateway/stress/program.ts';
import { hasRedis, Stage } from '../apps/gateway/stress/stage.ts';
import { endProgress, fail, progress, readOptions } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
64 clients of 16 principals call a replica, alternately alone and while another principal sends the requests that take longest to
check: many members, deep nesting, long texts, long results. Reports the longest block of the event loop, and p99 of the
clients against the run without the attack: the median over rounds.

  npm run bench -- block               writes evals/results/gateway-block.json and its figures
  npm run bench -- block --dry         write nothing
  npm run bench -- block --rounds 1    fewer rounds; writes nothing
`,
  { dry: { type: 'boolean' }, rounds: { type: 'string' } },
);

const rounds = Number(options.rounds ?? 3);
if (!(rounds >= 1)) fail(`--rounds must be at least 1; received ${options.rounds}`, 'use --rounds 3', 2);
if (postgresBinaries() === undefined || !hasRedis())
  fail('PostgreSQL or Redis is not installed', 'apt-get install postgresql redis-server', 2);

const PRINCIPALS = 16;
const CLIENTS_EACH = 4;
const CALLS_EACH = 60;
const BYTES = 1000;
const ATTACKERS = 4;

const call = (name: string, given: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;
const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join()}}`;
const nested = (depth: number): string => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth);

const HOSTILE: readonly string[] = [
  call('send', members(100_000)),
  call('send', members(9000)),
  call('send', nested(40_000)),
  call('send', nested(60)),
  call('send', JSON.stringify({ to: 'a '.repeat(1_900_000) })),
  call('send', JSON.stringify({ to: Array.from({ length: 400_000 }, (_, index) => `w${index}`).join(' ') })),
  call('read', JSON.stringify({ n: 'long', bytes: 900_000 })),
];

/** Sends hostile requests until it is told to stop. Returns how many were answered with each status. */
async function attack(origin: string, key: string, isOver: () => boolean): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const work = async (worker: number): Promise<void> => {
    for (let turn = worker; !isOver(); turn++) {
      const response = await fetch(`${origin}/mcp/mail`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'sallyport-conversation': `hostile-${turn % 3}`,
        },
        body: HOSTILE[turn % HOSTILE.length] as string,
      }).catch(() => undefined);
      await response?.text();
      const status = String(response?.status ?? 'none');
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: ATTACKERS }, (_, worker) => work(worker)));
  return statuses;
}

interface Measured {
  readonly p99: number;
  readonly p50: number;
  readonly failed: number;
}

/** The clients' calls. p99 is the worst of the principals'. */
async function clients(origin: string, keys: readonly string[]): Promise<Measured> {
  const all = await Promise.all(
    keys.map((key) => pound({ origins: [origin], key, bytes: BYTES, count: CALLS_EACH, inFlight: CLIENTS_EACH })),
  );
  return {
    p99: Math.max(...all.map(({ p99 }) => p99)),
    p50: median(all.map(({ p50 }) => p50)),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

interface Round {
  readonly calm: Measured;
  readonly attacked: Measured;
  readonly calmBlock: number;
  readonly attackedBlock: number;
  readonly statuses: Record<string, number>;
}

async function measure(replica: Program, keys: readonly string[], hostile: string): Promise<Round> {
  await replica.usage();
  const calm = await clients(replica.origin, keys);
  const { block: calmBlock } = await replica.usage();
  let isOver = false;
  const attacking = attack(replica.origin, hostile, () => isOver);
  await pause(1000);
  const attacked = await clients(replica.origin, keys);
  isOver = true;
  const statuses = await attacking;
  const { block: attackedBlock } = await replica.usage();
  return { calm, attacked, calmBlock, attackedBlock, statuses };
}

const stage = await Stage.open();
const measured: Round[] = [];
try {
  const replica = await stage.replica();
  const keys = await Promise.all(Array.from({ length: PRINCIPALS }, (_, index) => stage.key(`client-${index}`)));
  const hostile = await stage.key('hostile');
  await list(replica.origin, hostile);
  await clients(replica.origin, keys);
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`);
    measured.push(await measure(replica, keys, hostile));
  }
} finally {
  endProgress();
  await stage.close();
}

const block = rounded(Math.max(...measured.map(({ attackedBlock }) => attackedBlock)));
const ratios = measured.map(({ calm, attacked }) => rounded(attacked.p99 / calm.p99));
const ratio = median(ratios);
// In the first round the principal that attacks has only just moved to a thread of its own.
const [first = ratio] = ratios;
for (const { calm, attacked, calmBlock, attackedBlock, statuses } of measured)
  console.log(
    `p99 ${Math.round(calm.p99)} -> ${Math.round(attacked.p99)} ms, block ${Math.round(calmBlock)} -> ${Math.round(attackedBlock)} ms, failed ${calm.failed} and ${attacked.failed}, attack ${JSON.stringify(statuses)}`,
  );
console.log(`worst block ${block} ms, p99 under attack ${ratio} x, in the first round ${first} x`);
if (options.dry !== true && options.rounds === undefined) {
  const command = 'npm run bench -- block';
  writeFigures({
    'gateway.worst_block_ms': { value: block, unit: 'ms', command },
    'gateway.p99_ratio_under_attack': { value: ratio, unit: 'x', command },
    'gateway.p99_ratio_first_attack': { value: first, unit: 'x', command },
  });
  writeResult('gateway-block', { clients: PRINCIPALS * CLIENTS_EACH, attackers: ATTACKERS, rounds: measured });
}
