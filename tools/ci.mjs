// Runs every check that a change must pass: a table of steps, two jobs at a time, each step timed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, root } from './command.mjs';
import { writeFigures, writeResult } from './figures.mjs';

const HELP = `
Checks, builds and tests everything. Changes no tracked file, except with --write.
Continues after a failed step, ends with the line "N passed, N failed" (tests and steps), and exits 1 when anything failed.
Needs Linux x64: the versions of Node it tests with are npm packages. CHROMIUM=path names a browser other than /usr/bin/chromium.

  .ci/run                 everything, two jobs at a time
  .ci/run static test     only these jobs: packages, test, stress, static, site, console, core
  .ci/run --write         measure: writes ci.minutes, ci.steps and evals/results/ci.json (runs all jobs)
`;

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-ci-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const tarballs = join(scratch, 'tarballs');

const nodePath = (version) => join(root, 'node_modules', `node-${version}`, 'bin', 'node');
const npm = (script, ...args) => ['npm', 'run', '-s', script, ...(args.length > 0 ? ['--', ...args] : [])];
const vitest = (node, ...args) => [nodePath(node), 'node_modules/vitest/vitest.mjs', 'run', ...args];

/** A few tests of each stage, on the oldest Node that the packages support. Nightly runs whole packages on Node 22. */
const SMOKE = ['boundary', 'conversation/conversation', 'conversation/snapshot', 'frame/frame', 'gate/gate'].map(
  (name) => `packages/core/test/${name}.test.ts`,
);

/**
 * The steps of each job, in their order. Jobs with programs that use one core come first, and last come tests, which use both.
 * `counts` marks a step whose own tests are added to the totals.
 * @type {Record<string, readonly { name: string, command: readonly string[], counts?: boolean }[]>}
 */
const JOBS = {
  packages: [
    { name: 'pack', command: npm('check', 'pack', '--dry', '--built', '--out', tarballs) },
    // Runs a copy of every example too. Nightly installs what each page says, in a folder of its own.
    { name: 'consumers', command: npm('check', 'consumers', '--from', tarballs, '--without', 'page') },
    {
      name: 'wrap with real clients',
      command: npm('check', 'conformance-wrap', '--check', '--targets', 'direct,frame', '--only', 'tools'),
    },
  ],
  test: [
    {
      name: 'tests of packages, gateway and command line',
      command: vitest(24, ...['gateway', 'others', 'cli', 'isolated'].flatMap((name) => ['--project', name])),
      counts: true,
    },
  ],
  stress: [
    { name: 'fuzz', command: npm('fuzz', 'core', '--cases', '20000', '--seed', '5', '--dry') },
    { name: 'fuzz: gate', command: npm('fuzz', 'core', '--gate', '--cases', '10000', '--seed', '5', '--dry') },
    { name: 'live', command: npm('eval', 'live', '--check') },
    { name: 'store on PostgreSQL 17 through PgBouncer', command: npm('check', 'postgres', '--quick') },
    { name: 'faults', command: npm('check', 'faults', '--dry', '--only', 'kill -9 of a replica') },
  ],
  static: [
    { name: 'biome', command: ['node_modules/.bin/biome', 'ci', '.', '--error-on-warnings', '--colors=off'] },
    { name: 'typecheck', command: npm('typecheck') },
    { name: 'knip', command: ['node', 'node_modules/knip/bin/knip.js'] },
    { name: 'checks', command: ['node', 'tools/check/all.mjs'] },
  ],
  site: [{ name: 'site', command: npm('docs', '--dry') }],
  console: [{ name: 'tests of the console in Chromium', command: vitest(24, '--project', 'console'), counts: true }],
  core: [
    { name: 'tests of core on Node 20, some', command: vitest(20, ...SMOKE), counts: true },
    { name: 'tests of core, with coverage', command: vitest(24, '--project', 'core', '--coverage'), counts: true },
  ],
};

function readArguments() {
  try {
    const options = { help: { type: 'boolean' }, write: { type: 'boolean' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.find((name) => !Object.hasOwn(JOBS, name));
    if (unknown !== undefined) throw new Error(`unknown job ${unknown}`);
    if (values.write && positionals.length > 0) throw new Error('--write measures a whole run and takes no job names');
    return { ...values, jobs: positionals.length > 0 ? positionals : Object.keys(JOBS) };
  } catch (error) {
    return fail(error.message, 'see .ci/run --help', 2);
  }
}

const options = readArguments();
if (options.help) {
  console.log(HELP.trim());
  process.exit(0);
}

/** The environment of every step: Node 24 first on the path, a shared compile cache, no colours in a log. */
const environment = {
  ...process.env,
  PATH: [join(root, 'node_modules', 'node-24', 'bin'), process.env.PATH].join(delimiter),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(scratch, 'compiled'),
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }),
};

/** A step that takes longer hangs. It is ended, so that the others still run. */
const STEP_MINUTES = 45;

/** Runs a program and collects its output, so that the output of two programs does not mix. */
function run([program, ...args]) {
  return new Promise((resolve) => {
    // A group of its own, so that what the step started ends with it.
    const child = spawn(program, args, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const keep = (chunk) => {
      output += chunk;
    };
    const endGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Every process of the group has ended.
      }
    };
    const limit = setTimeout(() => {
      keep(`\nended after ${STEP_MINUTES} minutes\n`);
      endGroup();
    }, STEP_MINUTES * 60_000);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = (code) => {
      clearTimeout(limit);
      resolve({ code: code ?? 1, output });
    };
    child.on('error', (error) => resolve({ code: 127, output: String(error) }));
    // A process that outlives its step keeps the output open: 'close' would not come.
    child.on('exit', (code) => {
      setTimeout(endGroup, 2000).unref();
      setTimeout(end, 5000, code).unref();
    });
    child.on('close', end);
  });
}

const totals = { passed: 0, failed: 0 };
const timings = [];
let steps = 0;

/** Adds the counts of a vitest report; a run without a report counts as failed. */
function countTests(report) {
  if (!existsSync(report)) return false;
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  totals.passed += numPassedTests;
  totals.failed += numFailedTests;
  return true;
}

async function runStep({ name, command, counts = false }) {
  const started = performance.now();
  console.log(`.. ${name}`);
  const report = join(scratch, `${steps++}.json`);
  const reporting = counts
    ? ['--reporter=dot', '--reporter=json', '--silent=passed-only', `--outputFile.json=${report}`]
    : [];
  const { code, output } = await run([...command, ...reporting]);
  const isCounted = !counts || countTests(report);
  const hasPassed = code === 0 && isCounted;
  const seconds = Math.round((performance.now() - started) / 1000);
  totals[hasPassed ? 'passed' : 'failed']++;
  timings.push({ name, seconds });
  const end = hasPassed ? `passed in ${seconds} s` : `FAILED with exit code ${code} after ${seconds} s`;
  console.log(`\n== ${name}\n${output.trimEnd()}\n-- ${name}: ${end}`);
}

async function runJob(name) {
  for (const step of JOBS[name]) await runStep(step);
}

/** Runs as many jobs at a time as there are cores, at most two: more would slow each other down. */
async function runJobs(names) {
  const waiting = [...names];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await runJob(next);
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));
}

const absent = [20, 24].map(nodePath).find((path) => !existsSync(path));
if (absent)
  fail(`${absent} does not exist`, 'run npm ci on Linux x64: the versions of Node are installed only there', 2);

const started = performance.now();
await runStep({ name: 'build', command: npm('build') });
await runJobs(options.jobs);
const seconds = Math.round((performance.now() - started) / 1000) + Number(process.env.CI_SECONDS_BEFORE ?? 0);

console.log('\nSeconds per step, longest first:');
for (const { name, seconds: taken } of [...timings].sort((one, other) => other.seconds - one.seconds))
  console.log(`${String(taken).padStart(6)}  ${name}`);
console.log(`${String(seconds).padStart(6)}  in all`);
if (options.write && totals.failed === 0) {
  const command = '.ci/run --write';
  const minutes = Math.round(seconds / 6) / 10;
  writeResult('ci', { command, cores: availableParallelism(), seconds, steps: timings, ...totals });
  writeFigures({
    'ci.minutes': { value: minutes, unit: 'minutes', command },
    'ci.steps': { value: timings.length, unit: 'steps', command },
  });
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed > 0 ? 1 : 0);
