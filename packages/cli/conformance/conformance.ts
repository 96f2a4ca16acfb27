// Every feature of MCP, with real clients and servers, directly and behind a proxy: a table for people, and a result
// that is checked.
import { endProgress, fail, inLanes, progress, readOptions } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { type Cell, cellOf } from './cell.ts';
import { FEATURES } from './features.ts';
import { type Cells, isPageFresh, type Row, tableOf, writePage } from './table.ts';
import { hasWrap, isOurs, TARGETS, type Target } from './target.ts';

const options = readOptions(
  `
Plays every feature of MCP four times: directly, behind a proxy that copies bytes, behind sallyport wrap, and behind
sallyport wrap --mode annotate. What the client sees must be the same, once frames are opened; what is not rewritten must
be the same bytes. Exit 1 when a cell fails.

  npm run check -- conformance-wrap                        print the table, write evals/results/wrap-conformance.json, figures
                                                           and docs/wrap.md
  npm run check -- conformance-wrap --check                write nothing, and fail when docs/wrap.md holds another table
  npm run check -- conformance-wrap --only progress        the features whose name holds this; writes nothing
  npm run check -- conformance-wrap --targets direct,bare  without our proxy, to test the programme itself; writes nothing
  npm run check -- conformance-wrap --json                 one line of JSON, for other tools; writes nothing
`,
  { check: { type: 'boolean' }, only: { type: 'string' }, targets: { type: 'string' }, json: { type: 'boolean' } },
);

const wanted = typeof options.targets === 'string' ? options.targets.split(',') : [...TARGETS];
for (const name of wanted)
  if (!TARGETS.some((target) => target === name)) fail(`no target ${name}`, `choose of ${TARGETS.join(', ')}`, 2);
// What was seen directly is what all others are compared with.
const targets = TARGETS.filter((target) => target === 'direct' || wanted.includes(target));
const only = typeof options.only === 'string' ? options.only : '';
const features = FEATURES.filter(({ name }) => name.includes(only));
if (features.length === 0) fail(`no feature with ${only} in its name`, 'see docs/wrap.md for their names', 2);
if (targets.some(isOurs) && !hasWrap()) fail('packages/cli is not built', 'run npm run build', 2);

// Features share nothing but the machine, and mostly wait for the programs that they start.
const LANES = 3;
const direct = new Map<string, unknown>();
const rows = await inLanes(features, LANES, async (feature, index): Promise<Row> => {
  const row: Partial<Record<Target, Cell>> = {};
  for (const target of targets) {
    if (options.json !== true) progress(`${index + 1}/${features.length} ${feature.name}: ${target}`);
    row[target] = await cellOf(feature, target, direct);
  }
  return row;
});
endProgress();
const cells: Cells = Object.fromEntries(features.map(({ name }, index) => [name, rows[index] as Row]));

const entries = (all: Cells): { name: string; target: string; cell: Cell }[] =>
  Object.entries(all).flatMap(([name, row]) => Object.entries(row).map(([target, cell]) => ({ name, target, cell })));
const all = entries(cells);
const failed = all.filter(({ cell }) => cell.type === 'failed');
const table = tableOf(features, targets, cells);
console.log(options.json === true ? JSON.stringify(cells) : table);
for (const { name, target, cell } of failed)
  console.error(`${name}, ${target}: ${cell.type === 'failed' ? cell.reason : ''}`);

const isWhole = only === '' && targets.length === TARGETS.length && options.json !== true;
if (isWhole && options.check === true && !isPageFresh(table))
  fail('docs/wrap.md holds another table', 'run npm run check -- conformance-wrap and commit it');
if (isWhole && options.check !== true) {
  if (!writePage(table))
    fail('docs/wrap.md has no place for the table', 'put the two marks of packages/cli/conformance/table.ts in it', 2);
  writeResult('wrap-conformance', { cells });
  const ours = all.filter(({ target, cell }) => isOurs(target as Target) && cell.type !== 'impossible');
  const command = 'npm run check -- conformance-wrap';
  writeFigures({
    'wrap.conformance_cells': { value: ours.length, unit: 'cells', command },
    'wrap.conformance_passed': {
      value: ours.filter(({ cell }) => cell.type === 'passed').length,
      unit: 'cells',
      command,
    },
  });
}
if (failed.length > 0) fail(`${failed.length} of ${all.length} cells failed`, 'run one feature alone with --only');
if (options.json !== true) console.log(`OK - ${all.length} cells, none failed`);
process.exit(0);
