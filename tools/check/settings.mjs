// Counts what a developer writes about each tool to adopt the boundary, in examples/adopt.
import { declare } from '../../examples/adopt/declarations.ts';
import { fail, readOptions } from '../command.mjs';
import { writeFigures, writeResult } from '../figures.mjs';

const options = readOptions(
  `
Counts the options of each declaration in examples/adopt/declarations.ts; \`effect\` is one of them. Exit 1 when the average is
above 2. Writes evals/results/settings.json and the figure adapters.settings_per_tool.

  npm run check -- settings          count
  npm run check -- settings --check  write nothing
`,
  { check: { type: 'boolean' } },
);

const MAX_AVERAGE = 2;
const settings = Object.fromEntries(Object.entries(declare).map(([tool, given]) => [tool, Object.keys(given)]));
const counts = Object.values(settings).map((names) => names.length);
if (counts.length === 0) fail('no declaration was read: the check itself is broken', 'see examples/adopt', 2);
const average = Number((counts.reduce((sum, count) => sum + count, 0) / counts.length).toFixed(2));
if (!options.check) {
  const command = 'npm run check -- settings';
  writeResult('settings', { command, settings, average });
  writeFigures({ 'adapters.settings_per_tool': { value: average, unit: 'settings', command } });
}
if (average > MAX_AVERAGE)
  fail(`${average} settings per tool, more than ${MAX_AVERAGE}`, 'give a setting a better default');
console.log(`OK - ${average} settings per tool, of ${counts.length} tools`);
