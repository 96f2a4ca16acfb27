// How much of packages/core/src the tests run. The floor is checked here and not by vitest, so that both numbers show.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, readOptions, runNode } from './command.mjs';
import { writeFigures } from './figures.mjs';

const options = readOptions(
  `
Runs the tests with coverage of packages/core/src and writes two figures. Exit 1 below 95 % of lines or branches.

  npm run coverage           measure and write evals/figures.json
  npm run coverage -- --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const floor = 95;
const scratch = mkdtempSync(join(tmpdir(), 'sallyport-coverage-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const { code } = await runNode(
  'node_modules/vitest/vitest.mjs',
  [
    'run',
    'packages/core/test',
    '--coverage.enabled',
    '--coverage.provider=v8',
    '--coverage.include=packages/core/src/**',
    '--coverage.reporter=text',
    '--coverage.reporter=json-summary',
    `--coverage.reportsDirectory=${scratch}`,
  ],
  { show: true },
);
if (code !== 0) fail('the tests fail', 'make npm test pass first');
const summary = join(scratch, 'coverage-summary.json');
if (!existsSync(summary)) fail('vitest wrote no coverage summary', 'check that @vitest/coverage-v8 is installed', 2);
const { lines, branches } = JSON.parse(readFileSync(summary, 'utf8')).total;
if (!(lines.total > 0 && branches.total > 0))
  fail('no line was measured', 'check that packages/core/src is not empty', 2);

if (!options.dry) {
  const command = 'npm run coverage';
  writeFigures({
    'core.coverage_lines': { value: lines.pct, unit: '%', command },
    'core.coverage_branches': { value: branches.pct, unit: '%', command },
  });
}
const below = Object.entries({ lines, branches }).filter(([, { pct }]) => pct < floor);
if (below.length > 0)
  fail(
    below.map(([name, { pct }]) => `${pct} % of ${name} are covered, fewer than ${floor} %`).join('; '),
    'the table above names the uncovered lines: test them, or remove them',
  );
console.log(`OK - ${lines.pct} % of lines and ${branches.pct} % of branches are covered`);
