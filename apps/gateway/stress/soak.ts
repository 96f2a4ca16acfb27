// An hour of load on two replicas with little memory: it must stay flat, and nothing may be lost.
import { setTimeout as pause } from 'node:timers/promises';
import { endProgress, fail, progress, readOptions } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { losses } from './count.ts';
import { Load, list } from './drive.ts';
import { postgresBinaries } from './postgres.ts';
import { hasRedis, Stage } from './stage.ts';

const options = readOptions(
  `
Keeps two replicas busy on a PostgreSQL and a Redis of their own, with a memory of 64 MB for what conversations have read and readers
that need many times as much. Measures their memory after a collection each half minute, and compares the last third of the
time with the second. Counts what was lost as npm run check -- faults does.

  npm run check -- soak              60 minutes; writes evals/results/gateway-soak.json and its figures
  npm run check -- soak --minutes 2  shorter; writes nothing
`,
  { minutes: { type: 'string' }, dry: { type: 'boolean' } },
);

const FULL = 60;
const EVERY = 30_000;
/** Megabytes for what conversations have read. */
const MEMORY = 64;
const READERS = 2;
/** Conversations that a reader goes on with, in turn. */
const CONVERSATIONS = 50;
const READ = 20_000;
const minutes = Number(options.minutes ?? FULL);
if (!(minutes > 0)) fail(`${options.minutes} minutes`, 'give a number above 0', 2);
if (postgresBinaries() === undefined || !hasRedis())
  fail('there is no PostgreSQL or no Redis here', 'apt-get install postgresql redis-server', 2);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const stage = await Stage.open();
const replicas = await Promise.all(
  [1, 2].map(() => stage.replica({ SALLYPORT_MEMORY: String(MEMORY) }, ['--expose-gc'])),
);
const key = await stage.key();
await list((replicas[0] as { origin: string }).origin, key);
const load = new Load('soak', key, () => replicas.map(({ origin }) => origin));
load.start(2);
let isOver = false;
let characters = 0;
/** Reads on in the same conversations, so that those that were dropped from memory come back from the log. */
async function read(reader: number): Promise<void> {
  for (let turn = 0; !isOver; turn++) {
    // A conversation ends after an hour's share, long before it has read all that one may.
    const conversation = `reader-${reader}-${turn % CONVERSATIONS}-${Math.floor(turn / (CONVERSATIONS * 40))}`;
    const { type } = await load.call(conversation, 'read', { n: `${reader}-${turn}`, bytes: READ });
    if (type === 'framed') characters += READ;
    await pause(100);
  }
}
const readers = Array.from({ length: READERS }, (_, reader) => read(reader));
const samples: { readonly minute: number; readonly rss: number; readonly heap: number }[] = [];
const begun = performance.now();
while (performance.now() - begun < minutes * 60_000) {
  await pause(Math.min(EVERY, (minutes * 60_000) / 6));
  const memories = await Promise.all(replicas.map((replica) => replica.usage()));
  const [rss, heap] = [memories.map((each) => each.rss), memories.map((each) => each.heap)].map(
    (values) => mean(values) / 1e6,
  ) as [number, number];
  const minute = (performance.now() - begun) / 60_000;
  samples.push({ minute: Number(minute.toFixed(2)), rss: Math.round(rss), heap: Math.round(heap) });
  progress(`${minute.toFixed(1)} of ${minutes} minutes: ${Math.round(rss)} MB, heap ${Math.round(heap)} MB`);
}
endProgress();
isOver = true;
await Promise.all([load.stop(), ...readers]);
const lost = await losses(stage, load);
await stage.close();
const third = Math.floor(samples.length / 3);
const second = mean(samples.slice(third, 2 * third).map(({ rss }) => rss));
const last = mean(samples.slice(2 * third).map(({ rss }) => rss));
const growth = Number((((last - second) / second) * 100).toFixed(2));
const calls = [...load.outcomes.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `${calls} calls and ${Math.round(characters / 1e6)} MB read in ${minutes} minutes, memory ${growth} % from the second third to the last, ${lost.length} lost`,
);
for (const each of lost.slice(0, 5)) console.log(`  ${each}`);
if (options.dry !== true && minutes >= FULL) {
  const command = 'npm run check -- soak';
  writeResult('gateway-soak', {
    command,
    minutes,
    memory: MEMORY,
    calls,
    characters,
    growth,
    lost: lost.length,
    samples,
  });
  writeFigures({
    'soak.minutes': { value: minutes, unit: 'minutes', command },
    'soak.rss_growth_pct': { value: growth, unit: '%', command },
  });
}
process.exit(lost.length === 0 ? 0 : 1);
