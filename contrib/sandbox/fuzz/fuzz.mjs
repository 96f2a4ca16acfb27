// Random programs in the script sandbox: whatever they are, they come to an end, and nothing but JSON comes out.

import { endProgress, fail, progress, readOptions } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { Random } from '../../../tools/random.mjs';
import { quickjsEngine } from '../src/engine/quickjs.ts';
import { ESCAPE_CASES } from '../test/hostile/escapes.ts';
import { LIMIT_CASES } from '../test/hostile/limits.ts';
import { check, LIMITS } from './check.mjs';
import { distorted, noise } from './distort.mjs';
import { Grammar } from './grammar.mjs';

const options = readOptions(
  `
Runs programs that depend on a seed alone in the script sandbox: composed out of all that a script can name, hostile scripts with
some letters changed, and noise. Checks of each: it ends in time and as an end can be, what it gives back and what it calls with is
JSON within its limits, the calls are of functions it was offered and counted without a gap, it is told nothing of the host, the
host is as it was, and one in twenty ends the same way a second time. Exit 1 where one does not, with the program.

  npm run fuzz -- sandbox                        20,000 programs; writes evals/results/sandbox-fuzz.json and its figures
  npm run fuzz -- sandbox --programs 2000 --dry  fewer, and write nothing
  npm run fuzz -- sandbox --seed 42              the same programs again
  npm run fuzz -- sandbox --seed 42 --program 7  one of them alone, and show it
  npm run fuzz -- sandbox --workers 4            programs at a time (default 2)
`,
  {
    programs: { type: 'string' },
    seed: { type: 'string' },
    program: { type: 'string' },
    workers: { type: 'string' },
    dry: { type: 'boolean' },
  },
);

/** One program in this many is run a second time. */
const TWICE = 20;
const MAX_SHOWN = 10;

function numberOf(name, fallback) {
  const value = Number(options[name] ?? fallback);
  if (!Number.isSafeInteger(value) || value < 0)
    fail(`--${name} is not a whole number`, `try --${name} ${fallback}`, 2);
  return value;
}

const programs = numberOf('programs', 20_000);
const seed = numberOf('seed', Date.now() % 2 ** 31);
const only = options.program === undefined ? undefined : numberOf('program', 0);
const workers = Math.max(1, numberOf('workers', 2));
const SOURCES = [...LIMIT_CASES, ...ESCAPE_CASES].map(({ payload }) => payload).filter(({ length }) => length < 5000);

function programOf(number) {
  const random = new Random(seed, number);
  return random.weighted([
    [60, () => ({ kind: 'composed', source: new Grammar(random).program() })],
    [35, () => ({ kind: 'distorted', source: distorted(SOURCES, random) })],
    [5, () => ({ kind: 'noise', source: noise(random) })],
  ]);
}

const started = Date.now();
const endings = {};
const violations = [];
let next = 0;
let finished = 0;
let shown = 0;

function show() {
  if (finished < programs && Date.now() - shown < (process.stdout.isTTY ? 200 : 30_000)) return;
  shown = Date.now();
  const part = finished / programs;
  const bar = '#'.repeat(Math.floor(part * 30)).padEnd(30, '.');
  const rate = Math.round(finished / Math.max(1, (Date.now() - started) / 1000));
  progress(`[${bar}] ${finished} of ${programs} programs, ${rate} a second, ${violations.length} violations`);
}

function plain(text) {
  return text.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function report(number, problem, source) {
  violations.push({ number, problem });
  if (violations.length > MAX_SHOWN) return;
  endProgress();
  console.error(`program ${number} of seed ${seed}: ${plain(problem)}\n${plain(source)}\n`);
}

const engine = quickjsEngine({ memory: LIMITS.memory, spare: workers });

async function runOne(number, isTwice) {
  const { kind, source } = programOf(number);
  const { ending, problem } = await check(engine, source, isTwice);
  const name = `${kind}: ${ending}`;
  endings[name] = (endings[name] ?? 0) + 1;
  if (problem !== undefined) report(number, problem, source);
  finished++;
  return { source, ending };
}

async function work() {
  while (next < programs) {
    const number = next++;
    await runOne(number, number % TWICE === 0);
    show();
  }
}

if (only !== undefined) {
  const { source, ending } = await runOne(only, true);
  console.log(`${plain(source)}\n\nended by: ${ending}`);
} else {
  console.log(`fuzzing ${programs} programs, seed ${seed}`);
  await Promise.all(Array.from({ length: workers }, work));
  endProgress();
}
await engine.close();

const sorted = Object.fromEntries(Object.entries(endings).sort(([one], [other]) => (one < other ? -1 : 1)));
const seconds = Math.round((Date.now() - started) / 1000);
if (only === undefined)
  for (const [name, count] of Object.entries(sorted)) console.log(`${String(count).padStart(8)} ${name}`);
// A run in which hardly any program got anywhere has shown nothing.
if (only === undefined && (endings['composed: done'] ?? 0) < programs / 50)
  fail('hardly any program came to its end', 'mend contrib/sandbox/fuzz/grammar.mjs', 2);
if (only === undefined && options.dry !== true) {
  const command = 'npm run fuzz -- sandbox';
  writeResult('sandbox-fuzz', {
    command,
    programs: finished,
    seed,
    violations: violations.length,
    seconds,
    endings: sorted,
  });
  writeFigures({
    'sandbox.fuzz_programs': { value: finished, unit: 'programs', command },
    'sandbox.fuzz_violations': { value: violations.length, unit: 'violations', command },
  });
}
if (violations.length > 0)
  fail(
    `${violations.length} of ${finished} programs broke a rule`,
    `npm run fuzz -- sandbox --seed ${seed} --program ${violations[0].number}; make it a test, then mend the code`,
  );
console.log(`OK - ${finished} programs in ${seconds} s, 0 violations, seed ${seed}`);
