// Runs the tests on a busy machine: a test that depends on the wall clock fails here sooner than in CI.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fail, readOptions, root, runNode } from './command.mjs';
import { writeResult } from './figures.mjs';

const cores = availableParallelism();
const options = readOptions(
  `
Runs all tests several times while other processes use the CPU. Prints the passed and failed tests, the load average and the
seconds of each run, and writes evals/results/under-load.json. Exit 1 when a test failed in any run.

  node tools/under-load.mjs                    5 runs under ${2 * cores} busy processes, twice the number of cores
  node tools/under-load.mjs --runs 20          another number of runs
  node tools/under-load.mjs --load 8           another number of busy processes; 0 for none
  node tools/under-load.mjs --project core     one project of vitest.config.ts
  node tools/under-load.mjs --files frame      only test files whose path contains this text
  node tools/under-load.mjs --dry              writes no result
`,
  {
    runs: { type: 'string' },
    load: { type: 'string' },
    project: { type: 'string' },
    files: { type: 'string' },
    dry: { type: 'boolean' },
  },
);

function countOf(name, fallback, min) {
  const given = options[name] ?? String(fallback);
  if (!/^\d{1,4}$/.test(given) || Number(given) < min)
    fail(`--${name} must be a whole number of at least ${min}; received "${given}"`, 'see --help', 2);
  return Number(given);
}

const runs = countOf('runs', 5, 1);
const load = countOf('load', 2 * cores, 0);

// A busy process ends by itself once its parent is gone, so that a killed run leaves none.
const BUSY = `
const parent = process.ppid;
(function burn() {
  for (const end = Date.now() + 200; Date.now() < end; ) Math.sqrt(Math.random());
  if (process.ppid === parent) setImmediate(burn);
})();`;

function startLoad() {
  const children = Array.from({ length: load }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }));
  const stop = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', stop);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(2));
}

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-load-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** Names of failed tests, and files that could not be loaded. */
function failuresIn({ testResults }) {
  return testResults.flatMap(({ name, status, assertionResults, message }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    const isBroken = status === 'failed' && tests.length === 0;
    return isBroken
      ? [`${file}: ${message.split('\n')[0]}`]
      : tests.map(
          ({ fullName, failureMessages }) => `${file}: ${fullName}: ${(failureMessages[0] ?? '').split('\n')[0]}`,
        );
  });
}

async function runTests(number) {
  const report = join(scratch, `${number}.json`);
  const args = ['run', '--reporter=json', `--outputFile=${report}`];
  if (options.project !== undefined) args.push('--project', options.project);
  if (options.files !== undefined) args.push(options.files);
  const start = performance.now();
  const loads = [];
  const sampling = setInterval(() => loads.push(loadavg()[0]), 10_000);
  const { code, output } = await runNode('node_modules/vitest/vitest.mjs', args);
  clearInterval(sampling);
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  if (!existsSync(report))
    fail(`vitest wrote no report:\n${output.trim()}`, 'run npm test, and correct what it names', 2);
  const result = JSON.parse(readFileSync(report, 'utf8'));
  if (result.testResults.length === 0) fail('no test ran', 'name a project or files that exist', 2);
  const failures = failuresIn(result);
  // Errors outside of tests, such as an unhandled rejection, are only in the exit code.
  if (code !== 0 && failures.length === 0) failures.push(`vitest exited with ${code}: ${output.trim().slice(-500)}`);
  const { numPassedTests: passed, numPendingTests: skipped } = result;
  const loadAverage = Math.round((10 * loads.reduce((sum, each) => sum + each, 0)) / Math.max(1, loads.length)) / 10;
  return { passed, failed: failures.length, skipped, loadAverage, seconds, failures };
}

startLoad();
const results = [];
for (let number = 1; number <= runs; number++) {
  const result = await runTests(number);
  results.push(result);
  const { passed, failed, skipped, loadAverage, seconds, failures } = result;
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  console.log(`run ${number} of ${runs}: ${counts}, load average ${loadAverage}, ${seconds} s`);
  for (const failure of failures) console.error(`  ${failure}`);
}

const { project, files } = options;
if (!options.dry) writeResult('under-load', { cores, load, project, files, runs: results });
const failed = results.filter((result) => result.failed > 0).length;
if (failed > 0) fail(`tests failed in ${failed} of ${runs} runs`, 'make the tests that are named wait for a condition');
console.log(`OK - no test failed in ${runs} runs under ${load} busy processes`);
// The busy processes would keep this one alive.
process.exit(0);
