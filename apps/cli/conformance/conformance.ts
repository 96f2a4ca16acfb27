// Tests every feature of MCP with real clients and servers, directly and behind a proxy, and writes a table and a result.
import { endProgress, fail, inLanes, progress, readOptions } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { type Cell, cellOf } from './cell.ts';
import { FEATURES } from './features.ts';
import { logIn } from './http/logged-in.ts';
import { type Cells, isPageCurrent, type Row, tableOf, writePage } from './table.ts';
import { hasWrap, isOurs, TARGETS, type Target } from './target.ts';

const options = readOptions(
  `
Runs every feature of MCP five times: directly, through a proxy that copies bytes, through sallyport wrap, through
sallyport wrap --mode annotate, and through sallyport wrap with the address of a server over HTTP with OAuth. After frames are opened, the client must see the same; what is not rewritten must be the
same bytes. Exits with 1 if a cell fails.

  npm run check -- conformance-wrap                        print the table, write evals/results/wrap-conformance.json, figures
                                                           and the table in apps/cli/conformance/README.md
  npm run check -- conformance-wrap --check                write nothing, and fail if the README has another table
  npm run check -- conformance-wrap --only progress        features whose name contains this; writes nothing
  npm run check -- conformance-wrap --targets direct,bare  without our proxy, to test the program itself; writes nothing
  npm run check -- conformance-wrap --json                 one line of JSON, for other tools; writes nothing
`,
  { check: { type: 'boolean' }, only: { type: 'string' }, targets: { type: 'string' }, json: { type: 'boolean' } },
);

const wanted = typeof options.targets === 'string' ? options.targets.split(',') : [...TARGETS];
for (const name of wanted)
  if (!TARGETS.some((target) => target === name))
    fail(`unknown target ${name}`, `use some of ${TARGETS.join(', ')}`, 2);
// All other targets are compared with the direct one.
const targets = TARGETS.filter((target) => target === 'direct' || wanted.includes(target));
const only = typeof options.only === 'string' ? options.only : '';
const features = FEATURES.filter(({ name }) => name.includes(only));
if (features.length === 0)
  fail(`no feature has ${only} in its name`, 'apps/cli/conformance/README.md lists the names', 2);
if (targets.some(isOurs) && !hasWrap()) fail('apps/cli is not built', 'run npm run build', 2);

// Features are independent, and mostly wait for the programs that they start.
const LANES = 3;
const direct = new Map<string, unknown>();
const remote = targets.includes('remote') ? await logIn() : undefined;
const rows = await inLanes(features, LANES, async (feature, index): Promise<Row> => {
  const row: Partial<Record<Target, Cell>> = {};
  for (const target of targets) {
    if (options.json !== true) progress(`${index + 1}/${features.length} ${feature.name}: ${target}`);
    row[target] = await cellOf(feature, target, direct, remote);
  }
  return row;
});
endProgress();
await remote?.close();
const cells: Cells = Object.fromEntries(features.map(({ name }, index) => [name, rows[index] as Row]));

const entries = (all: Cells): { name: string; target: string; cell: Cell }[] =>
  Object.entries(all).flatMap(([name, row]) => Object.entries(row).map(([target, cell]) => ({ name, target, cell })));
const all = entries(cells);
const failed = all.filter(({ cell }) => cell.type === 'failed');
const table = tableOf(features, targets, cells);
console.log(options.json === true ? JSON.stringify(cells) : table);
for (const { name, target, cell } of failed)
  console.error(`${name}, ${target}: ${cell.type === 'failed' ? cell.reason : ''}`);

const isComplete = only === '' && targets.length === TARGETS.length && options.json !== true;
if (isComplete && options.check === true && !isPageCurrent(table))
  fail(
    'the table in apps/cli/conformance/README.md is not current',
    'run npm run check -- conformance-wrap and commit it',
  );
if (isComplete && options.check !== true) {
  if (!writePage(table))
    fail(
      'apps/cli/conformance/README.md lacks the markers of the table',
      'add the two markers of apps/cli/conformance/table.ts',
      2,
    );
  writeResult('wrap-conformance', { cells });
  const remote = all.filter(({ target, cell }) => target === 'remote' && cell.type !== 'impossible');
  const ours = all.filter(({ target, cell }) => isOurs(target as Target) && cell.type !== 'impossible');
  const command = 'npm run check -- conformance-wrap';
  writeFigures({
    'wrap.conformance_cells': { value: ours.length, unit: 'cells', command },
    'wrap.conformance_passed': {
      value: ours.filter(({ cell }) => cell.type === 'passed').length,
      unit: 'cells',
      command,
    },
    'wrap.remote_servers': {
      value: remote.every(({ cell }) => cell.type === 'passed') ? 1 : 0,
      unit: '1 if every feature works over HTTP with OAuth',
      command,
    },
  });
}
if (failed.length > 0) fail(`${failed.length} of ${all.length} cells failed`, 'run one feature alone with --only');
if (options.json !== true) console.log(`OK - ${all.length} cells, none failed`);
process.exit(0);
