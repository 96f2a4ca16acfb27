// Runs the invariants of packages/core/test/properties for the given number of cases, on all processor cores.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { endProgress, fail, progress, readOptions, root, runNode } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';

const options = readOptions(
  `
Fuzzes the invariants of the design with the compiled core. Exits with 1 and a counterexample on the first violation.

  npm run fuzz -- core                           200,000 cases; writes nothing
  npm run fuzz -- core --cases 10000000          a long run; writes evals/results/fuzz.json and its figures
  npm run fuzz -- core --only vocabulary-absent  one invariant
  npm run fuzz -- core --gate --cases 10000000   the invariants of the gate; writes evals/results/fuzz-gate.json
  npm run fuzz -- core --cases 1000 --seed 42    repeats the cases of a seed
  npm run fuzz -- core --dry                     writes nothing, whatever the number of cases
`,
  {
    cases: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    gate: { type: 'boolean' },
    dry: { type: 'boolean' },
  },
);

const LONG = 10_000_000;
/** The numbers of the invariants about calls: labels, what untrusted content and a judge cannot change, and that text never becomes a call. */
const OF_GATE = new Set([5, 6, 7]);
/** Runs only with --gate or --only: one case takes as long as a hundred of the others. */
const NONINTERFERENCE = 6;
const CHUNK = 5000;
const cases = Number(options.cases ?? 200_000);
const seed = Number(options.seed ?? Date.now() % 2 ** 31);
if (!Number.isSafeInteger(cases) || cases < 1)
  fail(`--cases must be a whole number above 0; received "${options.cases}"`, 'try --cases 200000', 2);
if (!Number.isSafeInteger(seed)) fail(`--seed must be a whole number; received "${options.seed}"`, 'try --seed 42', 2);

const built = await runNode('node_modules/typescript/bin/tsc', ['-p', 'packages/core/tsconfig.fuzz.json']);
if (built.code !== 0) fail(`the properties do not compile:\n${built.output}`, 'run npm run typecheck');
const properties = pathToFileURL(join(root, '.fuzz', 'test', 'properties', 'all.js')).href;

/** Splits the cases into chunks by weight. The seed of a chunk depends only on its index. */
function plan(invariants) {
  const chosen = invariants.filter(
    ({ id, number }) =>
      (options.only === undefined || id === options.only) &&
      (options.gate ? OF_GATE.has(number) : options.only !== undefined || number !== NONINTERFERENCE),
  );
  if (chosen.length === 0)
    fail(`no invariant has the id ${options.only}`, `use one of ${invariants.map(({ id }) => id).join(', ')}`, 2);
  const total = chosen.reduce((sum, { weight }) => sum + weight, 0);
  const chunks = [];
  let weights = 0;
  let planned = 0;
  for (const { id, weight } of chosen) {
    weights += weight;
    let share = Math.round((cases * weights) / total) - planned;
    planned += share;
    for (; share > 0; share -= CHUNK) chunks.push({ id, cases: Math.min(CHUNK, share) });
  }
  return chunks.map((chunk, index) => ({ ...chunk, seed: (seed + index) % 2 ** 31 }));
}

const started = Date.now();
const done = {};
let finished = 0;
let shown = 0;
let chunks;

function show(force) {
  if (!force && Date.now() - shown < (process.stdout.isTTY ? 200 : 30_000)) return;
  shown = Date.now();
  const part = finished / cases;
  const bar = '#'.repeat(Math.floor(part * 30)).padEnd(30, '.');
  const rate = Math.round(finished / Math.max(1, (Date.now() - started) / 1000));
  progress(`[${bar}] ${(part * 100).toFixed(1)} %  ${finished} of ${cases} cases, ${rate} a second`);
}

function runWorker() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
      workerData: { properties },
      execArgv: [],
    });
    worker.on('error', reject);
    worker.on('message', (message) => {
      if (message.weights) chunks ??= plan(message.weights);
      else {
        finished += message.cases;
        done[message.id] = (done[message.id] ?? 0) + message.cases;
        show(false);
        if (message.failed) {
          endProgress();
          console.error(`violation of ${message.id}, seed ${seed}:\n${message.report}`);
          fail('an invariant does not hold', 'add the counterexample as a test, then fix the code');
        }
      }
      const next = chunks.shift();
      if (next !== undefined) worker.postMessage(next);
      else worker.terminate().then(resolve, reject);
    });
  });
}

console.log(`fuzzing ${cases} cases, seed ${seed}`);
await Promise.all(Array.from({ length: availableParallelism() }, runWorker));
show(true);
endProgress();
const seconds = Math.round((Date.now() - started) / 1000);
if (finished !== cases) fail(`${finished} of ${cases} cases ran`, 'this is a bug in packages/core/fuzz/run.mjs', 2);

if (cases >= LONG && options.only === undefined && !options.dry) {
  const [file, prefix, flag] = options.gate ? ['fuzz-gate', 'gate.fuzz_', '--gate '] : ['fuzz', 'fuzz.', ''];
  writeResult(file, { seed, cases, violations: 0, seconds, invariants: done });
  const command = `npm run fuzz -- core ${flag}--cases ${cases}`;
  writeFigures({
    [`${prefix}cases`]: { value: cases, unit: 'cases', command },
    [`${prefix}violations`]: { value: 0, unit: 'violations', command },
  });
}
console.log(
  `OK - ${finished} cases of ${Object.keys(done).length} invariants in ${seconds} s, 0 violations, seed ${seed}`,
);
