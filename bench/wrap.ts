// Measures what a proxy adds to a call of a tool, relative to a proxy that only copies bytes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { RawClient } from '../apps/cli/conformance/raw.ts';
import { type Command, commandFor, hasWrap } from '../apps/cli/conformance/target.ts';
import { endProgress, fail, progress, readOptions, root } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const TARGETS = ['direct', 'bare', 'frame'] as const;
type Target = (typeof TARGETS)[number];

const options = readOptions(
  `
Times calls of a tool whose result is 64 B, 10 KB or 100 KB of new text: directly, through a proxy that copies bytes, and
through sallyport wrap with its classifier, one call at a time and 64 in flight, alternately within each round. Prints medians
over rounds, and ratios to the copying proxy of the same round.

  npm run bench -- wrap                        writes evals/results/wrap-bench.json and its figures
  npm run bench -- wrap --dry                  write nothing
  npm run bench -- wrap --rounds 3             fewer rounds; writes nothing
  npm run bench -- wrap --targets direct,bare  without our proxy, to test this program itself; writes nothing
`,
  { dry: { type: 'boolean' }, rounds: { type: 'string' }, targets: { type: 'string' } },
);

const rounds = Number(options.rounds ?? 9);
if (!(rounds >= 1)) fail(`--rounds must be at least 1; received ${options.rounds}`, 'use --rounds 9', 2);
const wanted = typeof options.targets === 'string' ? options.targets.split(',') : [...TARGETS];
for (const name of wanted)
  if (!TARGETS.some((target) => target === name))
    fail(`--targets must list targets; received ${name}`, `use ${TARGETS.join(', ')}`, 2);
// Ratios are against the bare proxy.
const targets = TARGETS.filter((target) => target === 'bare' || wanted.includes(target));
if (targets.includes('frame') && !hasWrap()) fail('apps/cli is not built', 'run npm run build', 2);

const KB = 1024;
const IN_FLIGHT = 64;
interface Workload {
  readonly name: string;
  readonly bytes: number;
  readonly calls: number;
  readonly inFlight: number;
  readonly repeat: boolean;
}
const at = (name: string, bytes: number, calls: number, inFlight = 1, repeat = false): Workload => ({
  name,
  bytes,
  calls,
  inFlight,
  repeat,
});
const WORKLOADS: readonly Workload[] = [
  at('64 B', 64, 600),
  at('10 KB', 10 * KB, 200),
  at('100 KB', 100 * KB, 40),
  at('64 B, 64 in flight', 64, 2000, IN_FLIGHT),
  at('10 KB, 64 in flight', 10 * KB, 400, IN_FLIGHT),
  at('100 KB, 64 in flight', 100 * KB, 96, IN_FLIGHT),
  at('10 KB, the same text', 10 * KB, 200, 1, true),
];

interface Round {
  readonly p50: number;
  readonly p99: number;
  readonly ops: number;
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}
const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

async function played(client: RawClient, { bytes, calls, inFlight, repeat }: Workload): Promise<Round> {
  const params = { name: 'words', arguments: { bytes, repeat } };
  const times: number[] = [];
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const start = performance.now();
      const answer = await client.ask('tools/call', params);
      times.push((performance.now() - start) * 1000);
      // A refusal is fast, but it is not a result.
      if (answer.length < bytes) fail(`a call was answered with ${answer}`, 'the gate must allow these calls', 1);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const seconds = (performance.now() - start) / 1000;
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), ops: calls / seconds };
}

/** The resident memory of a process, where the system reports it. */
function residentMb(pid: number): number | undefined {
  try {
    const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kb === undefined ? undefined : Math.round(Number(kb) / KB);
  } catch {
    // The process has ended, or the system has no /proc.
    return undefined;
  }
}

const server: Command = [process.execPath, join(root, 'bench', 'wrap-server.mjs')];
const startMs = new Map<Target, number[]>();
const memoryMb: Partial<Record<Target, number | null>> = {};

async function open(target: Target, state: string): Promise<RawClient> {
  const start = performance.now();
  const client = new RawClient(commandFor(target, server), {
    ...process.env,
    SALLYPORT_STATE: state,
    SALLYPORT_DAEMON: 'off',
  });
  await client.initialize();
  startMs.set(target, [...(startMs.get(target) ?? []), performance.now() - start]);
  await client.request('tools/list');
  return client;
}

const measured = new Map<string, Round[]>();
const keyOf = (target: Target, { name }: Workload): string => `${target} ${name}`;
const WARM = 0.25;

/** One round on new connections, because the memory of a conversation is limited. */
async function playRound(round: number): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
  // Each round begins with another target, so that no target always follows the slowest.
  const turn = round % targets.length;
  const order = [...targets.slice(turn), ...targets.slice(0, turn)];
  const clients = new Map<Target, RawClient>();
  for (const target of order) clients.set(target, await open(target, state));
  for (const workload of WORKLOADS) {
    progress(`round ${round + 1} of ${rounds}: ${workload.name}`);
    for (const [target, client] of clients) {
      await played(client, { ...workload, calls: Math.ceil(workload.calls * WARM) });
      const result = await played(client, workload);
      measured.set(keyOf(target, workload), [...(measured.get(keyOf(target, workload)) ?? []), result]);
    }
  }
  for (const [target, client] of clients) {
    memoryMb[target] = residentMb(client.pid) ?? null;
    await client.end();
  }
  rmSync(state, { recursive: true, force: true });
}

for (let round = 0; round < rounds; round++) await playRound(round);
endProgress();

interface Summary {
  readonly p50_us: number;
  readonly p99_us: number;
  readonly ops_per_s: number;
  readonly p50_ratio: number;
  readonly ops_ratio: number;
}
const roundsOf = (target: Target, workload: Workload): readonly Round[] => measured.get(keyOf(target, workload)) ?? [];

/** Medians over rounds; a ratio is computed within a round before its median is taken. */
function summaryOf(target: Target, workload: Workload): Summary {
  const own = roundsOf(target, workload);
  const limit = roundsOf('bare', workload);
  const over = (key: keyof Round): number =>
    median(own.map((round, index) => round[key] / (limit[index] as Round)[key]));
  return {
    p50_us: Math.round(median(own.map(({ p50 }) => p50))),
    p99_us: Math.round(median(own.map(({ p99 }) => p99))),
    ops_per_s: Math.round(median(own.map(({ ops }) => ops))),
    p50_ratio: Number(over('p50').toFixed(2)),
    ops_ratio: Number(over('ops').toFixed(2)),
  };
}

const results: Record<string, Partial<Record<Target, Summary>>> = {};
console.log(
  '| result | target | p50 us | p99 us | calls/s | p50 to bare | calls/s to bare |\n|---|---|---|---|---|---|---|',
);
for (const workload of WORKLOADS) {
  const row: Partial<Record<Target, Summary>> = {};
  for (const target of targets) {
    const summary = summaryOf(target, workload);
    row[target] = summary;
    const { p50_us, p99_us, ops_per_s, p50_ratio, ops_ratio } = summary;
    console.log(
      `| ${workload.name} | ${target} | ${p50_us} | ${p99_us} | ${ops_per_s} | ${p50_ratio} | ${ops_ratio} |`,
    );
  }
  results[workload.name] = row;
}
const starts = Object.fromEntries([...startMs].map(([target, times]) => [target, Math.round(median(times))]));
console.log(`resident MB at the end ${JSON.stringify(memoryMb)}, ms to start ${JSON.stringify(starts)}`);

const isWhole = targets.length === TARGETS.length && options.dry !== true && options.rounds === undefined;
if (isWhole) {
  const machine = { cpus: cpus().length, load: Number((loadavg()[0] as number).toFixed(1)) };
  writeResult('wrap-bench', { machine, rounds, results, memoryMb, startMs: starts });
  const command = 'npm run bench -- wrap';
  const figure = (name: string, key: 'p50_ratio' | 'ops_ratio'): { value: number; unit: string; command: string } => ({
    value: results[name]?.frame?.[key] as number,
    unit: 'x',
    command,
  });
  writeFigures({
    'wrap.p50_ratio_64b': figure('64 B', 'p50_ratio'),
    'wrap.p50_ratio_10kb': figure('10 KB', 'p50_ratio'),
    'wrap.ops_ratio_64b': figure('64 B, 64 in flight', 'ops_ratio'),
  });
}
process.exit(0);
