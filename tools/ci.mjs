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
  .ci/run static test     only these jobs: static, test, console, node, packages, stress, site, nextjs
  .ci/run --write         measure: writes ci.minutes and evals/results/ci.json (runs all jobs)
`;

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-ci-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const tarballs = join(scratch, 'tarballs');

const nodePath = (version) => join(root, 'node_modules', `node-${version}`, 'bin', 'node');
const npm = (script, ...args) => ['npm', 'run', '-s', script, ...(args.length > 0 ? ['--', ...args] : [])];
const tool = (script, ...args) => ['node', join('tools', script), ...args];
const nextjs = (...args) => ['npm', '--prefix', 'examples/nextjs', ...args];
const vitest = (node, ...args) => [nodePath(node), 'node_modules/vitest/vitest.mjs', 'run', ...args];

// On Node 22 only tests whose result could depend on the engine; tests with PostgreSQL, child processes and frameworks run once.
const ON_NODE_22 = [
  'packages/core',
  'packages/classifier',
  'packages/mcp-proxy',
  'packages/sandbox/test/scripts.test.ts',
];
// Node 20 is past its end of life: only a few tests of core.
const ON_NODE_20 = ['boundary', 'conversation/conversation', 'conversation/snapshot', 'frame/frame', 'gate/gate'].map(
  (name) => `packages/core/test/${name}.test.ts`,
);

// The tests of `sallyport wrap` run with a wrapper that does the work itself. These run once more through the local process.
const THROUGH_DAEMON = ['wrap-end', 'wrap-hold', 'wrap-stream', 'pins-wrap'].map(
  (name) => `packages/cli/test/${name}.test.ts`,
);

/**
 * The steps of each job, in their order. `counts` marks a step whose own tests are added to the totals.
 * @type {Record<string, readonly { name: string, command: readonly string[], counts?: boolean }[]>}
 */
const JOBS = {
  test: [
    {
      name: 'tests of core on Node 24, with coverage',
      command: vitest(24, '--project', 'core', '--coverage'),
      counts: true,
    },
    {
      name: 'other tests on Node 24',
      command: vitest(24, '--project', 'gateway', '--project', 'others', '--project', 'isolated'),
      counts: true,
    },
  ],
  console: [{ name: 'tests of the console in Chromium', command: vitest(24, '--project', 'console'), counts: true }],
  static: [
    { name: 'biome', command: ['node_modules/.bin/biome', 'ci', '.', '--error-on-warnings', '--colors=off'] },
    { name: 'layers', command: tool('check/layers.mjs') },
    { name: 'source', command: tool('check/source.mjs') },
    { name: 'language', command: tool('check/language.mjs') },
    { name: 'house', command: tool('check/house.mjs', '--check') },
    { name: 'structure', command: tool('docs/structure.mjs', '--check') },
    { name: 'bundle', command: ['node', 'bench/bundle.mjs', '--check'] },
    { name: 'dependencies', command: tool('check/dependencies.mjs') },
    { name: 'workflows', command: tool('check/workflows.mjs') },
    { name: 'knip', command: ['node', 'node_modules/knip/bin/knip.js'] },
    { name: 'tables', command: ['node', '--import', 'tsx', 'packages/core/generate/tables.ts', '--check'] },
    { name: 'typecheck', command: npm('typecheck') },
    { name: 'type mistakes', command: npm('check', 'type-mistakes', '--check') },
    { name: 'settings', command: npm('check', 'settings', '--check') },
    { name: 'documents', command: tool('check/docs.mjs') },
    { name: 'changelog', command: tool('release/changelog.mjs') },
    { name: 'words', command: tool('check/words.mjs', '--check') },
    { name: 'findings', command: tool('check/findings.mjs', '--check') },
    { name: 'requirements', command: tool('check/requirements.mjs', '--check') },
    { name: 'promises', command: tool('check/promises.mjs') },
    { name: 'pictures', command: tool('docs/draw-hijacks.mjs', '--check') },
    { name: 'pareto', command: tool('docs/draw-pareto.mjs', '--check') },
    { name: 'figures', command: npm('check', 'figures', '--check') },
    { name: 'corpus', command: npm('check', 'corpus', '--dry', '--if-changed') },
  ],
  packages: [
    { name: 'pack', command: npm('check', 'pack', '--dry', '--built', '--out', tarballs) },
    { name: 'sbom', command: npm('check', 'sbom', '--dry') },
    { name: 'consumers', command: npm('check', 'consumers', '--from', tarballs) },
    { name: 'examples', command: npm('examples') },
    { name: 'adapters', command: npm('check', 'conformance', '--check') },
    { name: 'wrap', command: npm('check', 'conformance-wrap', '--check', '--targets', 'direct,frame') },
    // Some features of both eras, over HTTP with OAuth. All of them are in the committed result.
    {
      name: 'wrap: remote',
      command: npm('check', 'conformance-wrap', '--check', '--targets', 'direct,remote', '--only', 'tools'),
    },
  ],
  node: [
    { name: 'tests on Node 22', command: vitest(22, ...ON_NODE_22), counts: true },
    {
      name: 'wrap through the local process',
      command: ['env', 'SALLYPORT_DAEMON=on', ...vitest(24, ...THROUGH_DAEMON)],
      counts: true,
    },
    { name: 'tests of core on Node 20', command: vitest(20, ...ON_NODE_20), counts: true },
  ],
  stress: [
    { name: 'fuzz', command: npm('fuzz', 'core', '--cases', '50000', '--seed', '5', '--dry') },
    { name: 'fuzz: gate', command: npm('fuzz', 'core', '--gate', '--cases', '25000', '--seed', '5', '--dry') },
    { name: 'fuzz: wrap', command: npm('fuzz', 'wrap', '--messages', '5000', '--seed', '5', '--dry') },
    { name: 'fuzz: sandbox', command: npm('fuzz', 'sandbox', '--programs', '100', '--seed', '5', '--dry') },
    { name: 'hostile scripts', command: npm('fuzz', 'hostile', '--scripts', '30', '--dry') },
    { name: 'live', command: npm('eval', 'live', '--check') },
    { name: 'store on PostgreSQL 17 through PgBouncer', command: npm('check', 'postgres', '--quick') },
    { name: 'faults', command: npm('check', 'faults', '--dry', '--only', 'kill -9 of a replica') },
  ],
  site: [
    { name: 'site', command: npm('docs', '--dry') },
    { name: 'site: look', command: npm('check', 'site', '--dry', '--some') },
  ],
  // A project of its own: its lock file, and copies of the packages as the first step built them.
  nextjs: [
    { name: 'nextjs: install', command: nextjs('ci') },
    { name: 'nextjs: build', command: nextjs('run', 'build') },
    { name: 'nextjs: tests', command: nextjs('test') },
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

const absent = [20, 22, 24].map(nodePath).find((path) => !existsSync(path));
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
  writeFigures({ 'ci.minutes': { value: minutes, unit: 'minutes', command } });
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed > 0 ? 1 : 0);
