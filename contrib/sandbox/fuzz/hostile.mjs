// Runs every hostile script, in an order of chance, and measures what each takes past its limits.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endProgress, fail, progress, readOptions, sourceOptions } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';

const options = readOptions(
  `
Runs the scripts of contrib/sandbox/test/hostile, one after the other on one engine in a process of its own: those that want more
than they may have, and those that want out. Measures how long each runs past its limit of time, and how far the memory of the
process rises past its limit of memory; one that was late is run twice more, and its best time counts. Then closes the engine, and
looks for what was left behind. Exit 1 where a script was not held, took more than 64 MB or 250 ms past a limit, or anything is left.

  npm run fuzz -- hostile                          1000 scripts; writes evals/results/sandbox-hostile.json and its figures
  npm run fuzz -- hostile --scripts 200 --dry      fewer, and write nothing
  npm run fuzz -- hostile --scripts 200 --seed 42  the same order again
`,
  { scripts: { type: 'string' }, seed: { type: 'string' }, dry: { type: 'boolean' } },
);

const MAX_MEMORY_OVER = 64;
const MAX_TIME_OVER = 250;
/** Megabytes that the process may hold more at the end than before the first of them. */
const MAX_GROWN = 16;

function numberOf(name, fallback) {
  const value = Number(options[name] ?? fallback);
  if (!Number.isSafeInteger(value) || value < 0)
    fail(`--${name} is not a whole number`, `try --${name} ${fallback}`, 2);
  return value;
}

const scripts = numberOf('scripts', 1000);
const seed = numberOf('seed', Date.now() % 2 ** 31);
const rounded = (value) => Number(Math.max(0, value).toFixed(1));
const megabytes = (bytes) => bytes / 1e6;

const worst = new Map();
const escapes = [];
let first;
let last;
let ran = 0;
let previous = 'none';
let late = 0;

function add({ title, ending, problem, timeOver, memoryOver, retried }) {
  ran++;
  previous = title;
  late += retried;
  const known = worst.get(title) ?? { title, endings: [], timeOver: 0, memoryOver: 0 };
  if (problem !== undefined) escapes.push({ title, problem });
  worst.set(title, {
    title,
    endings: [...new Set([...known.endings, ending])].sort(),
    timeOver: Math.max(known.timeOver, rounded(timeOver)),
    memoryOver: Math.max(known.memoryOver, rounded(megabytes(memoryOver))),
  });
}

const most = (what) => [...worst.values()].reduce((one, other) => (other[what] > one[what] ? other : one));

let shown = 0;
function show() {
  if (ran < scripts && Date.now() - shown < (process.stdout.isTTY ? 200 : 30_000)) return;
  shown = Date.now();
  const bar = '#'.repeat(Math.floor((ran / scripts) * 30)).padEnd(30, '.');
  const [time, memory] = [most('timeOver').timeOver, most('memoryOver').memoryOver];
  progress(
    `[${bar}] ${ran} of ${scripts} scripts, at most ${time} ms and ${memory} MB over, ${escapes.length} not held`,
  );
}

console.log(`running ${scripts} hostile scripts, seed ${seed}`);
const child = fork(fileURLToPath(new URL('./hostile-child.mjs', import.meta.url)), [String(seed), String(scripts)], {
  execArgv: ['--expose-gc', ...sourceOptions],
});
const code = await new Promise((resolve) => {
  child.on('message', (message) => {
    if (message.type === 'ready') first = message;
    else if (message.type === 'end') last = message;
    else {
      add(message);
      show();
    }
  });
  child.on('close', (status, signal) => resolve(signal ?? status));
});
endProgress();
if (code !== 0 || first === undefined || last === undefined)
  fail(
    `the process of the scripts ended with ${code}, after ${ran} of them, the last ${previous}`,
    'run that alone',
    1,
  );

const slowest = most('timeOver');
const largest = most('memoryOver');
const grown = Number(megabytes(last.grown).toFixed(1));
const distinct = new Set(escapes.map(({ title }) => title));
const cases = [...worst.values()].sort((one, other) => (one.title < other.title ? -1 : 1));
for (const { title, problem } of escapes.slice(0, 20)) console.error(`not held: ${title}\n  ${problem}`);
console.log(`time over:   ${slowest.timeOver} ms, ${slowest.title}`);
console.log(`memory over: ${largest.memoryOver} MB, ${largest.title}`);
console.log(`run again:   ${late} times, for being late`);
console.log(`at the end:  ${grown} MB more than before, left behind: ${last.left.join(', ') || 'nothing'}`);

if (options.dry !== true && worst.size < first.cases)
  console.log(`${worst.size} of ${first.cases} cases were run: nothing is written`);
else if (options.dry !== true) {
  const command = 'npm run fuzz -- hostile';
  const limits = { memoryMb: rounded(megabytes(first.memory)), baselineMb: rounded(megabytes(first.baseline)) };
  writeResult('sandbox-hostile', {
    command,
    seed,
    scripts: ran,
    retried: late,
    ...limits,
    grownMb: grown,
    left: last.left,
    cases,
  });
  writeFigures({
    'sandbox.hostile_cases': { value: first.cases, unit: 'cases', command },
    'sandbox.escapes': { value: distinct.size, unit: 'cases', command },
    'sandbox.worst_memory_over_mb': { value: largest.memoryOver, unit: 'MB', command },
    'sandbox.worst_time_over_ms': { value: slowest.timeOver, unit: 'ms', command },
  });
}

if (distinct.size > 0) fail(`${distinct.size} cases were not held`, 'run npx vitest run contrib/sandbox');
if (slowest.timeOver > MAX_TIME_OVER) fail('a script ran too long', `run it alone: ${slowest.title}`);
if (largest.memoryOver > MAX_MEMORY_OVER) fail('a script took too much memory', `run it alone: ${largest.title}`);
if (grown > MAX_GROWN || last.left.length > 0) fail('something is left behind', 'see how a thread is ended');
console.log(`OK - ${ran} scripts of ${worst.size} cases were held, seed ${seed}`);
