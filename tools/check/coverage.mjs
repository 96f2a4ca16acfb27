// Measures how much of packages/core/src its tests run. vitest.config.ts has the minimum, which CI checks with the tests.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, readOptions, runNode } from '../command.mjs';
import { writeFigures } from '../figures.mjs';

readOptions(`
Runs the tests of core with coverage and writes two figures. Exit 1 below 95 % of lines or branches.

  npm run coverage
`);

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-coverage-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const args = ['run', '--project', 'core', '--coverage', `--coverage.reportsDirectory=${scratch}`];
const { code } = await runNode('node_modules/vitest/vitest.mjs', args, { show: true });
if (code !== 0) fail('tests fail, or the coverage is below its minimum', 'see the output above');
const { lines, branches } = JSON.parse(readFileSync(join(scratch, 'coverage-summary.json'), 'utf8')).total;
const command = 'npm run coverage';
writeFigures({
  'core.coverage_lines': { value: lines.pct, unit: '%', command },
  'core.coverage_branches': { value: branches.pct, unit: '%', command },
});
