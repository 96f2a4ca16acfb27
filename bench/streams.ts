// Measures what open streams cost the calls of others, and the memory of a replica after it has read much.
import { Agent, type IncomingMessage, request } from 'node:http';
import { list } from '../apps/gateway/stress/drive.ts';
import { postgresBinaries } from '../apps/gateway/stress/postgres.ts';
import { type Pounded, pound } from '../apps/gateway/stress/pound.ts';
import type { Program } from '../apps/gateway/stress/program.ts';
import { hasRedis, Stage } from '../apps/gateway/stress/stage.ts';
import { endProgress, fail, progress, readOptions } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Calls a replica with 64 in flight, alternately with no stream, with 64 and with 2,000 streams open to one server. Then one principal
reads 100 MB in results of 500 KB, in conversations of 10 MB, and the memory of the replica is measured.

  npm run bench -- streams             writes evals/results/gateway-streams.json and its figures
  npm run bench -- streams --dry       write nothing
  npm run bench -- streams --rounds 1  fewer rounds; writes nothing
`,
  { dry: { type: 'boolean' }, rounds: { type: 'string' } },
);

const rounds = Number(options.rounds ?? 3);
if (!(rounds >= 1)) fail(`--rounds must be at least 1; received ${options.rounds}`, 'use --rounds 3', 2);
if (postgresBinaries() === undefined || !hasRedis())
  fail('PostgreSQL or Redis is not installed', 'apt-get install postgresql redis-server', 2);

const COUNTS = [0, 64, 2000];
/** A principal may have 200 requests open at a time. */
const STREAMS_EACH = 100;
const MEGABYTES = 100;
const RESULT = 500_000;

const rounded = (value: number): number => Number(value.toPrecision(4));
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Opens a stream. Resolves to undefined if it is refused. */
function openStream(origin: string, key: string, agent: Agent): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
    const sent = request(`${origin}/mcp/mail`, { agent, headers }, (answer) => {
      answer.on('error', () => undefined).resume();
      resolve(answer.statusCode === 200 ? answer : undefined);
    });
    sent.on('error', () => resolve(undefined)).end();
  });
}

/** Streams of as many principals as it takes, and a function that closes them. */
async function openStreams(origin: string, keys: readonly string[], count: number): Promise<[number, () => void]> {
  const agent = new Agent({ keepAlive: false });
  const opened: (IncomingMessage | undefined)[] = [];
  while (opened.length < count) {
    const next = Array.from({ length: Math.min(50, count - opened.length) }, (_, index) =>
      openStream(origin, keys[Math.floor((opened.length + index) / STREAMS_EACH)] as string, agent),
    );
    opened.push(...(await Promise.all(next)));
  }
  const open = opened.filter((each) => each !== undefined);
  return [open.length, () => agent.destroy()];
}

async function openAt(replica: Program): Promise<number> {
  const text = await (await fetch(`${replica.origin}/metrics`)).text();
  return Number(/^sallyport_upstream_open\{kind="streams"\} (\d+)$/m.exec(text)?.[1]);
}

const stage = await Stage.open();
try {
  const replica = await stage.replica({}, ['--expose-gc']);
  const reader = await stage.key('reader');
  const caller = await stage.key('caller');
  const keys = await Promise.all(
    Array.from({ length: Math.max(...COUNTS) / STREAMS_EACH }, (_, index) => stage.key(`stream-${index}`)),
  );
  await list(replica.origin, caller);
  const call = (): Promise<Pounded> =>
    pound({ origins: [replica.origin], key: caller, bytes: 1000, count: 800, inFlight: 64 });
  await call();
  const measured = new Map<number, Pounded[]>(COUNTS.map((count) => [count, []]));
  let [mostOpen, upstreamOpen] = [0, 0];
  for (let round = 0; round < rounds; round++)
    for (const count of COUNTS) {
      progress(`round ${round + 1} of ${rounds}: ${count} streams`);
      const [open, close] = await openStreams(replica.origin, keys, count);
      if (open > mostOpen) [mostOpen, upstreamOpen] = [open, await openAt(replica)];
      const result = await call();
      if (result.failed > 0) fail(`${result.failed} calls failed with ${open} streams`, 'find the cause');
      measured.get(count)?.push(result);
      close();
    }
  const before = (await replica.usage()).rss;
  const total = (MEGABYTES * 1_000_000) / RESULT;
  progress(`reading ${MEGABYTES} MB`);
  const read = await pound({ origins: [replica.origin], key: reader, bytes: RESULT, count: total, inFlight: 4 });
  const after = (await replica.usage()).rss;
  endProgress();
  const table = COUNTS.map((streams) => {
    const list = measured.get(streams) ?? [];
    return {
      streams,
      p50: rounded(median(list.map(({ p50 }) => p50))),
      p99: rounded(median(list.map(({ p99 }) => p99))),
      perSecond: rounded(median(list.map(({ perSecond }) => perSecond))),
    };
  });
  console.log('streams   p50 ms    p99 ms    calls/s');
  for (const { streams, p50, p99, perSecond } of table)
    console.log(
      [streams, p50, p99]
        .map((value) => String(value).padEnd(10))
        .concat(String(perSecond))
        .join(''),
    );
  const rss = Math.round(after / 1e6);
  console.log(`${mostOpen} streams open at once, ${upstreamOpen} of them to the server`);
  console.log(`memory ${Math.round(before / 1e6)} -> ${rss} MB after ${MEGABYTES} MB, ${read.failed} calls failed`);
  if (options.dry !== true && options.rounds === undefined) {
    const command = 'npm run bench -- streams';
    writeResult('gateway-streams', { rounds, table, mostOpen, upstreamOpen, before, after, failed: read.failed });
    writeFigures({
      'gateway.streams_open': { value: mostOpen, unit: 'streams', command },
      'gateway.rss_mb_100mb_read': { value: rss, unit: 'MB', command },
    });
  }
} finally {
  await stage.close();
}
process.exit(0);
