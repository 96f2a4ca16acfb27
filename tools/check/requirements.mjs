// Checks the list of requirements of the original design documents: each is tested, or answered on the page about them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { writeFigures } from '../figures.mjs';
import { problemOfTest } from './test-titles.mjs';

const options = readOptions(
  `
Checks tools/check/requirements.json, the requirements of the five documents that the design began with (docs/original-design.md).
Each has one of these verdicts:

  yes         met: with tests, as "file > the beginning of a title", or with an answer
  different   met in another way, or not met for a reason: with an answer
  open        neither

An answer is a part of docs/original-design.md. Tests of a requirement that is met differently show what is done instead.
Each name in code that the page's table of names gives to something here must be a name in the source of a package.
Attacks are the texts that a document names as such; packages/sallyport/test/attack-strings.test.ts plays them all.
Writes the figures seeds.requirements and seeds.open.

  npm run check -- requirements           check, and write the figures
  npm run check -- requirements --dry     check only
  npm run check -- requirements --check   check, and exit 1 when a figure is another
`,
  { dry: { type: 'boolean' }, check: { type: 'boolean' } },
);

const COMMAND = 'npm run check -- requirements';
const PAGE = 'docs/original-design.md';
/** How many requirements each of the five documents has. */
const SIZES = [73, 65, 35, 41, 17];
const FIELDS = ['id', 'requirement', 'verdict', 'tests', 'answer', 'attacks'];

const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const plain = (text) => text.replace(/\s+/g, ' ');
const page = plain(read(PAGE));

function* problemsOf({ requirement = '', verdict, tests = [], answer = '', id: _id, attacks: _attacks, ...others }) {
  for (const name of Object.keys(others)) yield `it has "${name}"; the fields are ${FIELDS.join(', ')}`;
  if (requirement.trim() === '') yield 'it does not say what is required';
  if (verdict === 'yes' && tests.length === 0 && answer === '') yield 'it has neither tests nor an answer';
  if (verdict === 'different' && answer === '') yield 'it has no answer';
  if (!['yes', 'different', 'open'].includes(verdict)) yield `its verdict is "${verdict}"`;
  if (answer !== '' && !page.includes(plain(answer))) yield `${PAGE} does not say "${answer}"`;
  for (const test of tests) {
    const problem = problemOfTest(test);
    if (problem !== undefined) yield problem;
  }
}

/** The names in code of what is here, from the two tables of names: the second column of one, the first of the other. */
function* namesOnPage() {
  const [, tables = ''] = read(PAGE).split('\n## Names\n');
  const [theirs = '', ours = ''] = tables.split('| here | in the documents |');
  const cellsOf = (table, column) => table.split('\n').map((line) => line.split(' | ')[column] ?? '');
  for (const cell of [...cellsOf(theirs, 1), ...cellsOf(ours, 0)])
    for (const [, code] of cell.matchAll(/`([^`]+)`/g)) yield* code.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? [];
}

/** Every word in the source of the packages and adapters, without comments. */
function wordsOfSource() {
  const folders = ['packages', 'adapters'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name, 'src')),
  );
  const files = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => String(name).endsWith('.ts'))
      .map((name) => join(folder, String(name))),
  );
  const code = files.map((file) => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''));
  return new Set(code.join('\n').match(/[A-Za-z_][A-Za-z0-9_]*/g));
}

const requirements = JSON.parse(read('tools', 'check', 'requirements.json'));
const problems = requirements.flatMap((each) => [...problemsOf(each)].map((problem) => `${each.id}: ${problem}`));
const expected = SIZES.flatMap((size, document) =>
  Array.from({ length: size }, (_, index) => `${document}-${index + 1}`),
);
if (requirements.map(({ id }) => id).join() !== expected.join())
  problems.push(`the ids must be ${expected[0]} to ${expected.at(-1)}, in this order`);

const names = new Set(namesOnPage());
const inSource = wordsOfSource();
if (names.size < 30) problems.push(`${PAGE} has a table of only ${names.size} names of what is here`);
for (const name of names) if (!inSource.has(name)) problems.push(`${PAGE} names ${name}, which is not in the source`);

const countOf = (wanted) => requirements.filter(({ verdict }) => verdict === wanted).length;
const counted = {
  'seeds.requirements': { value: requirements.length, unit: 'requirements', command: COMMAND },
  'seeds.different': { value: countOf('different'), unit: 'requirements', command: COMMAND },
  'seeds.open': { value: countOf('open'), unit: 'requirements', command: COMMAND },
};
const figures = JSON.parse(read('evals', 'figures.json'));
for (const [id, { value }] of Object.entries(counted))
  if (options.check && figures[id]?.value !== value)
    problems.push(`evals/figures.json has another value than ${value} for ${id}: run ${COMMAND}, and commit the file`);
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems with requirements`, `correct tools/check/requirements.json, or ${PAGE}`);

if (!options.check && !options.dry) writeFigures(counted);
console.log(
  `OK - ${requirements.length} requirements: ${countOf('yes')} met, ${countOf('different')} different, ${countOf('open')} open`,
);
