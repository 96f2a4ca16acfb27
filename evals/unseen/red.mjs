// Counts what a red team reached before, and what stops it now: runs the tests of its rows.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, readOptions, runNode } from '../../tools/command.mjs';
import { writeFigures } from '../../tools/figures.mjs';

readOptions(`
Plays the rows of packages/sallyport/test/red, and writes how many are closed with a judge that says no. Guesses the effects of the
undeclared tools that the red team named (RED in packages/core/test/call/undeclared.ts), and writes how many are wrong.

  npm run eval -- red
`);

const ROWS = 'packages/sallyport/test/red';
const TOOLS = 'packages/core/test/call/undeclared.test.ts';
const command = 'npm run eval -- red';

/** Runs tests, also if some fail. */
async function resultsOf(path) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-red-'));
  const file = join(folder, 'red.json');
  const args = ['run', path, '--reporter=json', `--outputFile=${file}`];
  const { code, output } = await runNode('node_modules/vitest/vitest.mjs', args);
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  return { code, output, results: testResults.flatMap(({ assertionResults }) => assertionResults) };
}

const tools = await resultsOf(TOOLS);
const named = tools.results.filter(({ title }) => title.startsWith("'1, "));
if (named.length === 0) fail(`${TOOLS} has no test of a tool that the red team named`, 'run npx vitest run', 1);
const wrong = named.filter(({ status }) => status !== 'passed');
writeFigures({
  'wrap.effects_named': { value: named.length, unit: 'cases', command },
  'wrap.effects_wrong': { value: wrong.length, unit: 'cases', command },
});

const { code, output, results } = await resultsOf(ROWS);
if (code !== 0) fail(`a row is open again:\n${output.slice(-2000)}`, `run npx vitest run ${ROWS}`);
const closed = results.filter(
  ({ title, status }) =>
    status === 'passed' && /a judge that says no stops it$|once the user has written again$/.test(title),
);
writeFigures({ 'red.rows_closed': { value: closed.length, unit: 'rows', command } });
console.log(
  `OK - ${closed.length} rows are closed; ${wrong.length} of ${named.length} named tools have a wrong effect`,
);
