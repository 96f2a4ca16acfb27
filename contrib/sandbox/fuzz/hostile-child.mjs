// Runs hostile scripts one after the other in a process of its own, so that what they take is all that it grows by.
import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../../tools/random.mjs';
import { quickjsEngine } from '../src/engine/quickjs.ts';
import { ESCAPE_CASES } from '../test/hostile/escapes.ts';
import { HostState } from '../test/hostile/host.ts';
import { problemOfEscape, problemOfLimit } from '../test/hostile/judge.ts';
import { LIMIT_CASES } from '../test/hostile/limits.ts';
import { limitsOf, PATIENT_LIMITS, runScript } from '../test/hostile/rig.ts';

const [seed, scripts] = process.argv.slice(2).map(Number);
const SAMPLE = 5;
const WARM_UP = 20;
/** The computer may be busy: a script that takes more milliseconds is run again, and the best of three counts. */
const LATE = 250;
const TRIES = 3;
const SETTLED = 8e6;
const MAX_TURNS = 40;

const CASES = [
  ...LIMIT_CASES.map((each) => ({ each, problemOf: (ran) => problemOfLimit(each, ran) })),
  ...ESCAPE_CASES.map((each) => ({ each, problemOf: (ran) => problemOfEscape(each, ran) })),
];

let peak = 0;
const sampler = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, SAMPLE);

/** What it holds when nothing runs. */
async function memoryAtRest() {
  await pause(300);
  global.gc();
  await pause(300);
  return process.memoryUsage.rss();
}

/** Waits a little for what the script before this one held, so that it does not count for this one. */
async function settle(baseline) {
  for (let turn = 0; turn < MAX_TURNS && process.memoryUsage.rss() - baseline > SETTLED; turn++) await pause(SAMPLE);
}

/** How many there are of each kind of thing that keeps a process alive. */
function resources() {
  const counts = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function resourcesLeft(before) {
  return Object.entries(resources())
    .filter(([name, count]) => count > (before[name] ?? 0))
    .map(([name]) => name);
}

async function measure({ each, problemOf }, engine, baseline) {
  const limits = limitsOf(each);
  const state = new HostState();
  await settle(baseline);
  peak = process.memoryUsage.rss();
  const ran = await runScript(engine, each.payload, { limits });
  const changes = state.changes();
  return {
    title: each.title,
    ending: ran.end.status === 'done' ? 'done' : ran.end.reason,
    problem: changes.length > 0 ? `changed ${changes.join(', ')} of the host` : problemOf(ran),
    timeOver: ran.milliseconds - (each.isWaiting ? limits.total : limits.time),
    memoryOver: Math.max(peak, process.memoryUsage.rss()) - baseline - limits.memory,
  };
}

const before = resources();
const engine = quickjsEngine({ memory: PATIENT_LIMITS.memory, spare: 2 });
for (let turn = 0; turn < WARM_UP; turn++) await runScript(engine, 'return echo(input);');
const baseline = await memoryAtRest();
process.send({ type: 'ready', cases: CASES.length, baseline, memory: PATIENT_LIMITS.memory });

/** As measured, or of three times the least late. The memory is that of the worst. */
async function measureFairly(tried, engine, baseline) {
  let best = await measure(tried, engine, baseline);
  let retried = 0;
  while (best.problem === undefined && best.timeOver > LATE && retried < TRIES - 1) {
    const again = await measure(tried, engine, baseline);
    const memoryOver = Math.max(best.memoryOver, again.memoryOver);
    best = { ...(again.timeOver < best.timeOver ? again : best), problem: again.problem, memoryOver };
    retried++;
  }
  return { ...best, retried };
}

const random = new Random(seed, 0);
let order = [];
for (let turn = 0; turn < scripts; turn++) {
  if (order.length === 0) order = random.shuffled(CASES);
  process.send({ type: 'ran', ...(await measureFairly(order.pop(), engine, baseline)) });
}
await engine.close();
const after = await memoryAtRest();
clearInterval(sampler);
process.send({ type: 'end', grown: after - baseline, left: resourcesLeft(before) }, () => process.disconnect());
