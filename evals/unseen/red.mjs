// Counts what a red team reached before, and a judge that says no stops now: runs the tests of packages/sallyport/test/red.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, readOptions, runNode } from '../../tools/command.mjs';
import { writeFigures } from '../../tools/figures.mjs';

readOptions(`
Plays the rows of packages/sallyport/test/red, and writes how many are closed with a judge that says no.

  npm run eval -- red
`);

const folder = mkdtempSync(join(tmpdir(), 'sallyport-red-'));
const file = join(folder, 'red.json');
const args = ['run', 'packages/sallyport/test/red', '--reporter=json', `--outputFile=${file}`];
const { code, output } = await runNode('node_modules/vitest/vitest.mjs', args);
if (code !== 0) fail(`a row is open again:\n${output.slice(-2000)}`, 'run npx vitest run packages/sallyport/test/red');
const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
rmSync(folder, { recursive: true });
const closed = testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(
    ({ title, status }) =>
      status === 'passed' && /a judge that says no stops it$|once the user has written again$/.test(title),
  );
writeFigures({ 'red.rows_closed': { value: closed.length, unit: 'rows', command: 'npm run eval -- red' } });
console.log(`OK - ${closed.length} rows are closed`);
