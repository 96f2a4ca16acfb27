// Counts the attacks on the gateway that its tests try, and those that come through: none may.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, readOptions, runNode } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';

const options = readOptions(
  `
Runs the tests that attack the gateway, against a real PostgreSQL and Redis, and counts them by file: another workspace's
things on every table and route, keys and tokens that do not count, approvals that were forged, replayed or meant for another
call, addresses inside, headers and bodies that break out, SQL in every identifier, texts that make scanners slow, edits of
the audit. An attack that a test does not hold is through.

  npm run check -- attacks        writes evals/results/gateway-attacks.json and its figures
  npm run check -- attacks --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const FILES = [
  'api/attacks',
  'store/isolation',
  'store/approvals',
  'store/known',
  'store/people',
  'store/secrets',
  'store/verify',
  'store/forgeries',
  'serve/body',
  'serve/held',
  'serve/session',
  'serve/token',
  'serve/units',
  'upstream/address',
  'upstream/events',
  'upstream/fetch',
].map((name) => `packages/gateway/test/${name}.test.ts`);

const folder = mkdtempSync(join(tmpdir(), 'sallyport-attacks-'));
const report = join(folder, 'report.json');
await runNode('node_modules/vitest/vitest.mjs', [
  'run',
  ...FILES,
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);
let results;
try {
  ({ testResults: results } = JSON.parse(readFileSync(report, 'utf8')));
} catch {
  fail('the tests did not run', 'run npx vitest run packages/gateway', 2);
}
rmSync(folder, { recursive: true, force: true });

const files = results
  .map(({ name, assertionResults }) => ({
    file: name.slice(name.indexOf('packages/')),
    tried: assertionResults.length,
    through: assertionResults.filter(({ status }) => status !== 'passed').length,
  }))
  .sort((one, other) => (one.file < other.file ? -1 : 1));
for (const { file, tried, through } of files)
  console.log(`${String(tried).padStart(5)} tried, ${through} through: ${file}`);
const sum = (what) => files.reduce((total, each) => total + each[what], 0);
const [tried, through] = [sum('tried'), sum('through')];
if (files.length !== FILES.length) fail('not every file was run', 'run npx vitest run packages/gateway');
if (options.dry !== true) {
  const command = 'npm run check -- attacks';
  writeResult('gateway-attacks', { command, files });
  writeFigures({
    'attacks.tried': { value: tried, unit: 'attacks', command },
    'attacks.through': { value: through, unit: 'attacks', command },
  });
}
console.log(`${through === 0 ? 'OK' : 'error'} - ${tried} attacks, ${through} through`);
process.exit(through === 0 ? 0 : 1);
