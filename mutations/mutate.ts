// Applies each fault of mutations/mutations.json to the source, one at a time, and expects the named tests to fail.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProgress, fail, progress, readOptions, root, runNode } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';
import { type Mutation, mutate, readMutations } from './mutations.ts';

const options = readOptions(
  `
Checks that the tests detect every fault listed in mutations/mutations.json. The working tree is not changed.
A fault is killed if a named test fails, survives if all pass, and is broken if the tests do not load or do not end.
Writes evals/results/mutate.json and two figures; exit 1 when a fault survived or is broken.

  npm run mutate                         all of them
  npm run mutate -- --only frame-nonce-shared   one, without writing results
  npm run mutate -- --list               print the list
  npm run mutate -- --new                those that are missing in the committed result; adds them to it
  npm run mutate -- --dry                write nothing
  npm run mutate -- --file other.json    another list, without writing results
`,
  {
    only: { type: 'string' },
    new: { type: 'boolean' },
    list: { type: 'boolean' },
    dry: { type: 'boolean' },
    file: { type: 'string' },
  },
);

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

type Outcome =
  | { readonly type: 'killed'; readonly by: string }
  | { readonly type: 'survived' }
  | { readonly type: 'broken'; readonly reason: string };

const file = typeof options.file === 'string' ? options.file : 'mutations/mutations.json';
const timeout = 180_000;
/** The name of the run without a fault. */
const CLEAN = 'clean';
const parallel = 2;
const scratch = mkdtempSync(join(tmpdir(), 'sallyport-mutate-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

function read(): readonly Mutation[] {
  try {
    return readMutations(file);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), `correct ${file}`, 2);
  }
}

/** Refuses a fault that does not match the source, or whose tests do not exist, before any test runs. */
function checkFits(mutation: Mutation): void {
  const next = `correct mutation ${mutation.id} in ${file}`;
  for (const path of [mutation.file, ...mutation.tests])
    if (!existsSync(join(root, path))) fail(`mutation ${mutation.id}: ${path} does not exist`, next, 2);
  try {
    mutate(mutation, readFileSync(join(root, mutation.file), 'utf8'));
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error), next, 2);
  }
}

function outcomeOf(code: number, report: Report): Outcome {
  // A suite that failed without a test did not load, so its tests cannot have detected the fault.
  const unloaded = report.testResults.find((suite) => suite.status === 'failed' && suite.assertionResults.length === 0);
  if (unloaded) return { type: 'broken', reason: unloaded.message.split('\n')[0] ?? '' };
  const failed = report.testResults.flatMap((suite) => suite.assertionResults).find((test) => test.status === 'failed');
  // A test that only took too long says less: the machine may have been busy.
  const isSlow =
    failed?.failureMessages?.some((message) => /^Error: (?:STACK_TRACE_ERROR|Test timed out)/.test(message)) === true;
  if (failed) return { type: 'killed', by: isSlow ? `${failed.fullName} (timeout)` : failed.fullName };
  return code === 0 ? { type: 'survived' } : { type: 'broken', reason: 'vitest failed, but no test did' };
}

async function runTests(
  name: string,
  tests: readonly string[],
  env: Record<string, string>,
  only?: string,
): Promise<Outcome> {
  const out = join(scratch, `${name.replaceAll(/[^\w-]/g, '_')}.json`);
  const chosen = only === undefined ? [] : ['-t', only];
  // A fault may cause a test to hang; a short limit saves time.
  const limit = name === CLEAN ? [] : ['--test-timeout=8000'];
  const args = ['run', ...tests, ...chosen, ...limit, '--bail=1', '--reporter=json', `--outputFile=${out}`];
  const { code, output, timedOut } = await runNode('node_modules/vitest/vitest.mjs', args, { env, timeout });
  if (timedOut) return { type: 'broken', reason: `did not end within ${timeout / 1000} s` };
  if (!existsSync(out)) return { type: 'broken', reason: output.trim().split('\n').at(-1) ?? 'vitest wrote no report' };
  return outcomeOf(code, JSON.parse(readFileSync(out, 'utf8')));
}

const all = read();
if (all.length === 0) fail(`${file} lists no mutation`, 'add one: see CONTRIBUTING.md', 2);

interface Kept {
  readonly id: string;
  readonly stage: string;
  readonly killed: boolean;
  readonly by: string | undefined;
  readonly ms: number;
}

/** The committed results of faults that are not run again. */
function keptResults(): readonly Kept[] {
  const path = join(root, 'evals', 'results', 'mutate.json');
  if (!options.new || !existsSync(path)) return [];
  const ids = new Set(all.map(({ id }) => id));
  return (JSON.parse(readFileSync(path, 'utf8')).mutations as Kept[]).filter(({ id, killed }) => killed && ids.has(id));
}

const kept = keptResults();
const chosen = all.filter(({ id }) =>
  options.only === undefined ? !kept.some((each) => each.id === id) : id === options.only,
);

/** Writes the results in the order of the list, and two figures. */
function write(mutations: readonly Kept[]): void {
  const order = new Map(all.map(({ id }, index) => [id, index]));
  const sorted = mutations.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  writeResult('mutate', { mutations: sorted });
  const command = 'npm run mutate';
  writeFigures({
    'mutate.total': { value: sorted.length, unit: 'faults', command },
    'mutate.killed': { value: sorted.filter((each) => each.killed).length, unit: 'faults', command },
  });
}

if (options.new && chosen.length === 0) {
  // Faults may have left the list.
  if (!options.dry) write(kept);
  console.log('OK - the committed result has every fault');
  process.exit(0);
}
if (chosen.length === 0)
  fail(`--only must be the id of a mutation; received ${options.only}`, 'npm run mutate -- --list prints them', 2);
if (options.list) {
  for (const { id, stage, why } of chosen) console.log(`${stage.padEnd(12)} ${id.padEnd(32)} ${why}`);
  process.exit(0);
}
chosen.forEach(checkFits);

progress('running the named tests without any fault');
const clean = await runTests(CLEAN, [...new Set(chosen.flatMap((mutation) => mutation.tests))], {});
if (clean.type !== 'survived')
  fail(
    `without any fault, the tests fail: ${clean.type === 'killed' ? clean.by : clean.reason}`,
    'make npm test pass first',
    2,
  );

const results: { mutation: Mutation; outcome: Outcome; ms: number }[] = [];
const queue = [...chosen];
async function work(): Promise<void> {
  for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
    const start = performance.now();
    // More cases than in an ordinary run: a rare case may be the one that detects the fault.
    const env = { SALLYPORT_MUTATION: mutation.id, SALLYPORT_MUTATIONS: file, SALLYPORT_RUNS: '1000' };
    const outcome = await runTests(mutation.id, mutation.tests, env, mutation.only);
    results.push({ mutation, outcome, ms: Math.round(performance.now() - start) });
    progress(`[${results.length}/${chosen.length}] ${outcome.type} ${mutation.id}`);
  }
}
await Promise.all(Array.from({ length: parallel }, work));
endProgress();

results.sort((a, b) => chosen.indexOf(a.mutation) - chosen.indexOf(b.mutation));
for (const { mutation, outcome, ms } of results) {
  const note =
    outcome.type === 'killed' ? `by ${outcome.by}` : outcome.type === 'broken' ? outcome.reason : mutation.why;
  console.log(
    `${outcome.type.padEnd(9)} ${mutation.stage.padEnd(12)} ${mutation.id.padEnd(32)} ${`${ms}`.padStart(6)} ms  ${note}`,
  );
}
const killed = results.filter(({ outcome }) => outcome.type === 'killed').length;
console.log(`${killed} of ${results.length} faults killed`);

if (!options.dry && options.only === undefined && options.file === undefined) {
  const tried = results.map(({ mutation: { id, stage }, outcome, ms }): Kept => {
    const by = outcome.type === 'killed' ? outcome.by : undefined;
    return { id, stage, killed: outcome.type === 'killed', by, ms };
  });
  write([...kept, ...tried]);
}
if (killed < results.length)
  fail(
    `${results.length - killed} faults survived or are broken`,
    'write a test that detects the fault, or correct the list',
  );
