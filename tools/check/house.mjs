// Measures the public surface, its examples, the language and the folders.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { writeFigures } from '../figures.mjs';
import { readExports } from './exports.mjs';
import { findHits } from './language.mjs';

const options = readOptions(
  `
Measures the shape of the repository:

  house.public_values   names that the main entry of the package sallyport exports at run time
  house.public_names    the same, with types
  house.example_pct     exports whose doc comment has an @example, of all values of all published entries together with
                        all exports, values and types, of the entry sallyport; what several entries export counts once
  house.language_hits   what tools/check/language.mjs finds
  house.largest_folder  source files in the folder of packages/*/src or adapters/*/src that has most

  node tools/check/house.mjs           prints the figures
  node tools/check/house.mjs --list    prints the exports without an example as well
  node tools/check/house.mjs --write   writes the figures into evals/figures.json
  node tools/check/house.mjs --check   exit 1 when evals/figures.json has other values
`,
  { list: { type: 'boolean' }, write: { type: 'boolean' }, check: { type: 'boolean' } },
);

const MAIN = 'sallyport';
const COMMAND = 'npm run check -- house';

const percent = (part, whole) => (whole === 0 ? 100 : Math.floor((1000 * part) / whole) / 10);

/** One of each declared thing: several entries may export it. */
const distinct = (exported) => [
  ...new Map(exported.map((each) => [`${each.place} ${each.name} ${each.isValue}`, each])).values(),
];

function examplesOf(exported) {
  const all = distinct(exported);
  return { total: all.length, missing: all.filter(({ hasExample }) => !hasExample) };
}

function* foldersBelow(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  yield { folder, files: entries.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name)).length };
  for (const entry of entries) if (entry.isDirectory()) yield* foldersBelow(`${folder}/${entry.name}`);
}

function largestFolder() {
  const sources = ['packages', 'adapters'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}/src`),
  );
  return sources.flatMap((folder) => [...foldersBelow(folder)]).reduce((a, b) => (b.files > a.files ? b : a));
}

const exported = readExports();
const main = exported.filter(({ entry }) => entry === MAIN);
const counted = examplesOf(exported.filter(({ entry, isValue }) => isValue || entry === MAIN));
const parts = {
  'values of all entries': examplesOf(exported.filter(({ isValue }) => isValue)),
  [`types of ${MAIN}`]: examplesOf(main.filter(({ isValue }) => !isValue)),
  'types of all entries': examplesOf(exported.filter(({ isValue }) => !isValue)),
};
const largest = largestFolder();
const figures = {
  'house.public_values': { value: main.filter(({ isValue }) => isValue).length, unit: 'names' },
  'house.public_names': { value: main.length, unit: 'names' },
  'house.example_pct': { value: percent(counted.total - counted.missing.length, counted.total), unit: '%' },
  'house.language_hits': { value: findHits().hits.length, unit: 'hits' },
  'house.largest_folder': { value: largest.files, unit: 'files' },
};

for (const [id, { value, unit }] of Object.entries(figures)) console.log(`${id.padEnd(22)}${value} ${unit}`);
console.log(`\nThe largest folder is ${largest.folder}. Exports with an example:`);
for (const [what, { total, missing }] of Object.entries(parts))
  console.log(`  ${what.padEnd(24)}${total - missing.length} of ${total}`);
if (options.list)
  for (const { entry, name, isValue, place } of counted.missing)
    console.log(`${entry}  ${isValue ? 'value' : 'type'} ${name}  ${place}`);

if (options.write)
  writeFigures(Object.fromEntries(Object.entries(figures).map(([id, each]) => [id, { ...each, command: COMMAND }])));
if (options.check) {
  const committed = JSON.parse(readFileSync(join(root, 'evals', 'figures.json'), 'utf8'));
  const changed = Object.keys(figures).filter((id) => committed[id]?.value !== figures[id].value);
  for (const id of changed)
    console.error(`${id} is ${figures[id].value}; evals/figures.json has ${committed[id]?.value ?? 'no value'}`);
  if (changed.length > 0) fail(`${changed.length} figures differ`, `run ${COMMAND} --write, and commit the file`);
}
