// Counts the forgeries of the audit that its tests try, and those that are not detected: none may be without the key.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, readOptions, runNode } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';

const options = readOptions(
  `
Changes the audit in many ways that are open to an attacker with all rights in the database and without the key, and runs the
verification that \`sallyport audit verify\` runs. Then the same with the key of a replica, which says what remains.

  npm run check -- forgeries        writes evals/results/forgeries.json and its figures
  npm run check -- forgeries --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const FILE = 'apps/gateway/test/store/forgeries.test.ts';
const folder = mkdtempSync(join(tmpdir(), 'sallyport-forgeries-'));
const report = join(folder, 'report.json');
await runNode('node_modules/vitest/vitest.mjs', [
  'run',
  FILE,
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);
let results;
try {
  ({
    testResults: [{ assertionResults: results }],
  } = JSON.parse(readFileSync(report, 'utf8')));
} catch {
  fail('the tests did not run', `run npx vitest run ${FILE}`, 2);
}
rmSync(folder, { recursive: true, force: true });

const of = (group) =>
  results
    .filter(({ ancestorTitles }) => ancestorTitles[0]?.startsWith(group))
    .map(({ title, status }) => ({ title, passed: status === 'passed' }));
const tried = of('with all rights');
const withKey = of('with the key');
const undetected = tried.filter(({ passed }) => !passed);
for (const { title } of undetected) console.log(`not detected: ${title}`);
for (const { title } of withKey.filter((each) => each.title.startsWith('what remains'))) console.log(title);
const failed = results.filter(({ status }) => status !== 'passed').length;
if (options.dry !== true) {
  const command = 'npm run check -- forgeries';
  writeResult('forgeries', { command, tried, withKey });
  writeFigures({
    'audit.forgeries_tried': { value: tried.length, unit: 'forgeries', command },
    'audit.forgeries_undetected': { value: undetected.length, unit: 'forgeries', command },
  });
}
console.log(
  `${failed === 0 ? 'OK' : 'error'} - ${tried.length} forgeries without the key, ${undetected.length} not detected`,
);
process.exit(failed === 0 ? 0 : 1);
