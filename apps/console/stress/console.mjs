// Counts what the tests of the console show in a browser: flows, attacks, findings of axe, and the size of the first load.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, readOptions, runNode } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { firstLoad } from './first-load.mjs';

const options = readOptions(
  `
Runs the tests of the console in Chromium, against a real gateway with PostgreSQL, Redis and an OpenID provider. A flow is a test
in which a person uses the pages; an attack is a test that attacks the pages of the gateway or of sallyport ui; each view is
read by axe in light and dark, at 390 and 1440 pixels.

  npm run check -- console        writes evals/results/console-tests.json and its figures
  npm run check -- console --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const ALL = () => true;
/** The tests that count, by the titles of the groups they are in and their own. */
const ONLY = (pattern) => (title) => pattern.test(title);

const FILES = {
  flows: {
    'console/test/choices': ALL,
    'console/test/conversation': ONLY(/^a conversation (?!renders)/),
    'console/test/corrections': ALL,
    'console/test/flows': ALL,
    'console/test/lasting': ALL,
    'console/test/loop': ALL,
    'console/test/many': ALL,
    'console/test/oversight': ALL,
    'console/test/views': ALL,
  },
  attacks: {
    'console/test/attacks': ALL,
    'console/test/hostile': ALL,
    'console/test/strangers': ALL,
    'console/test/conversation': ONLY(/renders/),
    'console/test/serve': ONLY(/refuses|never reads|another version|strict headers/),
    'cli/test/ui': ONLY(/^an attack|not offered|no other|without a terminal/),
  },
  axe: { 'console/test/accessibility': ALL },
};

const path = (name) => `packages/${name}.test.ts`;
const names = new Set(Object.values(FILES).flatMap((files) => Object.keys(files)));

const folder = mkdtempSync(join(tmpdir(), 'sallyport-console-'));
const report = join(folder, 'report.json');
await runNode('node_modules/vitest/vitest.mjs', [
  'run',
  ...[...names].map(path),
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);
let results;
try {
  ({ testResults: results } = JSON.parse(readFileSync(report, 'utf8')));
} catch {
  fail('the tests did not run', 'run npx vitest run apps/console', 2);
}
rmSync(folder, { recursive: true, force: true });

/** How many tests of a kind there are, and which of them did not pass. A test that was skipped did not. */
function count(files) {
  const found = Object.entries(files).flatMap(([name, counts]) => {
    const { assertionResults } = results.find(({ name: file }) => file.endsWith(path(name))) ?? {
      assertionResults: [],
    };
    const own = assertionResults.filter(({ ancestorTitles, title }) => counts([...ancestorTitles, title].join(' ')));
    if (own.length === 0) fail(`no test was counted in ${path(name)}`, 'correct the patterns in this file');
    return own;
  });
  return { tried: found.length, failed: found.filter(({ status }) => status !== 'passed').map(({ title }) => title) };
}

const [flows, attacks, axe] = [FILES.flows, FILES.attacks, FILES.axe].map(count);
const kilobytes = Math.round(firstLoad() / 100) / 10;
console.log(
  `${flows.tried} flows, ${flows.failed.length} failed; ${attacks.tried} attacks, ${attacks.failed.length} through`,
);
console.log(
  `${axe.tried} pages read by axe, ${axe.failed.length} with serious findings; first load ${kilobytes} kB gzipped`,
);
for (const title of [...flows.failed, ...attacks.failed, ...axe.failed]) console.log(`  failed: ${title}`);
if (options.dry !== true) {
  const command = 'npm run check -- console';
  writeResult('console-tests', { command, flows, attacks, axe, kilobytes });
  writeFigures({
    'console.flows': { value: flows.tried, unit: 'flows', command },
    'console.flows_passed': { value: flows.tried - flows.failed.length, unit: 'flows', command },
    'console.axe_serious': { value: axe.failed.length, unit: 'pages', command },
    'console.attacks_tried': { value: attacks.tried, unit: 'attacks', command },
    'console.attacks_through': { value: attacks.failed.length, unit: 'attacks', command },
    'console.bundle_gz_kb': { value: kilobytes, unit: 'kB', command },
  });
}
const isGood = [flows, attacks, axe].every(({ failed }) => failed.length === 0);
console.log(`${isGood ? 'OK' : 'error'} - ${flows.tried} flows, ${attacks.tried} attacks, ${axe.tried} pages`);
process.exit(isGood ? 0 : 1);
