// Runs every adapter through every scenario with the real framework; prints a table and checks the result.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProgress, fail, progress, readOptions, root } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { DRIVERS } from '../src/drivers.ts';
import { type Cell, cellOf, SCENARIOS } from '../src/suite.ts';

const options = readOptions(
  `
Plays every scenario of adapters/conformance against every adapter, with the real framework and a local model server.
Exit 1 when one fails.

  npm run check -- conformance                   print the table, write evals/results/conformance.json, figures and README.md
  npm run check -- conformance --dry             write nothing
  npm run check -- conformance --check           write nothing, and fail when README.md holds another table
  npm run check -- conformance --only langchain  one adapter
  npm run check -- conformance --json            one line of JSON, for other tools
`,
  { dry: { type: 'boolean' }, check: { type: 'boolean' }, only: { type: 'string' }, json: { type: 'boolean' } },
);

// Set by npm run check -- conformance-peers: the tested version must be the installed one.
for (const name of (process.env.PEERS_NAMES ?? '').split(',').filter(Boolean))
  if (!import.meta.resolve(name).includes(String(process.env.PEERS_FOLDER)))
    fail(`${name} was not taken from ${process.env.PEERS_FOLDER}`, 'mend adapters/conformance/run/resolve-from.mjs', 2);

const chosen = DRIVERS.filter(({ name }) => options.only === undefined || name === options.only);
if (chosen.length === 0)
  fail(`no adapter ${options.only}`, `choose of ${DRIVERS.map(({ name }) => name).join(', ')}`, 2);

const cells: Record<string, Record<string, Cell>> = {};
for (const driver of chosen) {
  const row: Record<string, Cell> = {};
  for (const scenario of SCENARIOS) {
    if (options.json !== true) progress(`${driver.name}: ${scenario.id}`);
    row[scenario.id] = await cellOf(driver, scenario);
  }
  cells[driver.name] = row;
}
endProgress();

const MARKS = { passed: 'yes', impossible: 'no', failed: 'FAILED' } as const;

function tableOf(): string {
  const names = chosen.map(({ name }) => name);
  const notes: string[] = [];
  const rows = SCENARIOS.map(({ id, title }) => {
    const marks = names.map((name) => {
      const cell = cells[name]?.[id] as Cell;
      if (cell.type !== 'impossible') return MARKS[cell.type];
      const note = `**${name}, ${id}**: ${cell.reason}`;
      notes.push(note);
      return `no (${notes.length})`;
    });
    return `| ${title} | ${marks.join(' | ')} |`;
  });
  const head = `| scenario | ${names.join(' | ')} |\n|---|${names.map(() => '---|').join('')}`;
  return `${head}\n${rows.join('\n')}\n\n${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}`;
}

const all = Object.entries(cells).flatMap(([name, row]) =>
  Object.entries(row).map(([id, cell]) => ({ name, id, cell })),
);
const failed = all.filter(({ cell }) => cell.type === 'failed');
if (options.json === true) console.log(JSON.stringify(cells));
else console.log(tableOf());
for (const { name, id, cell } of failed) console.error(`${name}, ${id}: ${'reason' in cell ? cell.reason : ''}`);

const BEGIN = '<!-- table: npm run check -- conformance -->\n';
const END = '\n<!-- end of table -->';
const file = join(root, 'adapters', 'conformance', 'README.md');
if (options.only === undefined && options.dry !== true && options.json !== true) {
  const text = readFileSync(file, 'utf8');
  const fresh = `${text.slice(0, text.indexOf(BEGIN) + BEGIN.length)}${tableOf()}${text.slice(text.indexOf(END))}`;
  if (options.check === true && fresh !== text)
    fail('adapters/conformance/README.md holds another table', 'run npm run check -- conformance and commit it');
  if (options.check !== true) {
    writeFileSync(file, fresh);
    writeResult('conformance', { cells });
    const count = (type: Cell['type']): number => all.filter(({ cell }) => cell.type === type).length;
    const command = 'npm run check -- conformance';
    writeFigures({
      'adapters.scenarios': { value: SCENARIOS.length, unit: 'scenarios', command },
      'adapters.conformance.passed': { value: count('passed'), unit: 'cells', command },
      'adapters.conformance.impossible': { value: count('impossible'), unit: 'cells', command },
      'adapters.conformance.failed': { value: count('failed'), unit: 'cells', command },
    });
  }
}
if (failed.length > 0) fail(`${failed.length} of ${all.length} cells failed`, 'run one adapter alone with --only');
if (options.json !== true) console.log(`OK - ${all.length} cells: ${all.length - failed.length} as they should be`);
process.exit(0);
