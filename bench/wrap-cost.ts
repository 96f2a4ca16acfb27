// Measures what a wrapped server costs: CPU per call, CPU until a server answers, and memory of twelve servers.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { spanClassifier } from '@sallyport/classifier';
import { RawClient } from '../apps/cli/conformance/raw.ts';
import { type Command, commandFor, hasWrap } from '../apps/cli/conformance/target.ts';
import { endProgress, fail, progress, readOptions, root } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Measures, on Linux:
- CPU per call of a tool whose result is 64 B, 10 KB or 100 KB of new text: of sallyport wrap, of a proxy that copies bytes, and of one
  classification of the same text;
- CPU of a wrapper until its server has answered, and of the copying proxy, while the local process runs;
- resident memory of twelve wrapped servers with the local process, without the servers themselves, and of twelve copying proxies.

  npm run bench -- wrap-cost        writes evals/results/wrap-cost.json and its figures
  npm run bench -- wrap-cost --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);
if (process.platform !== 'linux') fail('this program reads /proc', 'run it on Linux', 2);
if (!hasWrap()) fail('apps/cli is not built', 'run npm run build', 2);

const TICK_MS = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const KB = 1024;
const SERVERS = 12;
const STARTS = 9;
const server: Command = [process.execPath, join(root, 'bench', 'wrap-server.mjs')];

/** CPU milliseconds of a process so far, without its children. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function residentMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / KB;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] as number;
}
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** The local process that keeps its state in this folder. */
function daemonOf(state: string): number {
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((each) => {
      try {
        const isDaemon = readFileSync(`/proc/${each}/cmdline`, 'utf8').includes('main.js\0daemon');
        return isDaemon && readFileSync(`/proc/${each}/environ`, 'utf8').includes(state);
      } catch {
        return false;
      }
    });
  return pid ?? fail('the local process does not run', 'run sallyport wrap by hand to see why', 1);
}

async function open(target: 'direct' | 'bare' | 'frame', env: NodeJS.ProcessEnv): Promise<RawClient> {
  const client = new RawClient(commandFor(target, server), env);
  await client.initialize();
  return client;
}

async function texts(client: RawClient, bytes: number, count: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (let call = 0; call < count; call++) {
    const answer = await client.ask('tools/call', { name: 'words', arguments: { bytes } });
    if (answer.length < bytes) fail(`a call was answered with ${answer}`, 'the gate must allow these calls', 1);
    found.push(String(answer));
  }
  return found;
}

/** CPU milliseconds of a call, over the process and its share of the local process. */
async function perCall(client: RawClient, bytes: number, count: number): Promise<number> {
  await texts(client, bytes, Math.ceil(count / 2));
  const before = cpuMs(client.pid);
  await texts(client, bytes, count);
  return (cpuMs(client.pid) - before) / count;
}

async function perClassification(direct: RawClient, bytes: number, count: number): Promise<number> {
  const run = async (answers: readonly string[]): Promise<void> => {
    for (const text of answers) await spanClassifier.doClassify({ text: textIn(text), surface: 'prose' } as never);
  };
  await spanClassifier.prepare?.();
  await run(await texts(direct, bytes, Math.ceil(count / 2)));
  const fresh = await texts(direct, bytes, count);
  const before = process.cpuUsage();
  await run(fresh);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / count;
}

function textIn(answer: string): string {
  const { result } = JSON.parse(answer) as { result: { content: readonly { text: string }[] } };
  return result.content.map(({ text }) => text).join('');
}

const state = mkdtempSync(join(tmpdir(), 'sallyport-cost-'));
const alone = { ...process.env, SALLYPORT_STATE: state, SALLYPORT_DAEMON: 'off' };
const shared = { ...process.env, SALLYPORT_STATE: state };

const SIZES = [
  { name: '64 B', bytes: 64, count: 2000 },
  { name: '10 KB', bytes: 10 * KB, count: 400 },
  { name: '100 KB', bytes: 100 * KB, count: 60 },
] as const;
const ROUNDS = 3;

interface PerCall {
  readonly wrap: number;
  readonly bare: number;
  readonly classify: number;
}
const measured = new Map<string, PerCall[]>(SIZES.map(({ name }) => [name, []]));
for (let turn = 0; turn < ROUNDS; turn++) {
  const clients = {
    wrap: await open('frame', alone),
    bare: await open('bare', alone),
    direct: await open('direct', alone),
  };
  await clients.wrap.request('tools/list');
  for (const { name, bytes, count } of SIZES) {
    progress(`round ${turn + 1} of ${ROUNDS}: ${name}`);
    measured.get(name)?.push({
      wrap: await perCall(clients.wrap, bytes, count),
      bare: await perCall(clients.bare, bytes, count),
      classify: await perClassification(clients.direct, bytes, count),
    });
  }
  for (const client of Object.values(clients)) await client.end();
}

const warm = await open('frame', shared);
const startMs: Record<'frame' | 'bare', number[]> = { frame: [], bare: [] };
for (let start = 0; start < STARTS; start++)
  for (const target of ['frame', 'bare'] as const) {
    progress(`start ${start + 1} of ${STARTS}`);
    const client = await open(target, shared);
    startMs[target].push(cpuMs(client.pid));
    await client.end();
  }

progress(`memory of ${SERVERS} servers`);
const memory: Record<'frame' | 'bare', number> = { frame: 0, bare: 0 };
for (const target of ['frame', 'bare'] as const) {
  const clients: RawClient[] = [];
  for (let count = 0; count < SERVERS; count++) clients.push(await open(target, shared));
  for (const client of clients) await client.request('tools/list');
  memory[target] = clients.reduce((sum, { pid }) => sum + residentMb(pid), 0);
  if (target === 'frame') memory.frame += residentMb(daemonOf(state));
  for (const client of clients) await client.end();
}
const daemonMb = residentMb(daemonOf(state));
await warm.end();
execFileSync(process.execPath, [join(root, 'apps', 'cli', 'dist', 'main.js'), 'daemon', '--stop'], { env: shared });
rmSync(state, { recursive: true, force: true });
endProgress();

const calls = Object.fromEntries(
  [...measured].map(([name, rounds]) => [
    name,
    {
      wrap_ms: round(median(rounds.map(({ wrap }) => wrap)), 3),
      bare_ms: round(median(rounds.map(({ bare }) => bare)), 3),
      classify_ms: round(median(rounds.map(({ classify }) => classify)), 3),
      ratio_to_classify: round(median(rounds.map(({ wrap, classify }) => wrap / classify))),
    },
  ]),
);
const start = { wrap_ms: round(median(startMs.frame), 0), bare_ms: round(median(startMs.bare), 0) };
const rss = { wrapped_mb: round(memory.frame, 0), bare_mb: round(memory.bare, 0), daemon_mb: round(daemonMb, 0) };
console.table(calls);
console.log(
  `CPU until a server has answered: ${JSON.stringify(start)}; memory of ${SERVERS} servers: ${JSON.stringify(rss)}`,
);

if (options.dry !== true) {
  const machine = { cpus: cpus().length, load: round(loadavg()[0] as number, 1) };
  writeResult('wrap-cost', { machine, rounds: ROUNDS, calls, start, rss });
  const command = 'npm run bench -- wrap-cost';
  writeFigures({
    'wrap.cpu_ratio_to_classify_10kb': { value: calls['10 KB']?.ratio_to_classify as number, unit: 'x', command },
    'wrap.start_cpu_ms': { value: start.wrap_ms, unit: 'ms CPU', command },
    'wrap.rss_mb_12_servers': { value: rss.wrapped_mb, unit: 'MB', command },
  });
}
process.exit(0);
