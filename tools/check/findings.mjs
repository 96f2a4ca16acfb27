// Checks the register of findings about the gate: each has a test, a sentence in SECURITY.md, or belongs to another area.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { writeFigures } from '../figures.mjs';
import { problemOfTest } from './test-titles.mjs';

const options = readOptions(
  `
Checks tools/check/findings.json, the faults that were found in the gate and in what is around it. Each has one of these:

  tests       tests that fail if the fault comes back, as "file > the beginning of a title"
  stays       a part of SECURITY.md that says so, where it stays by decision; with tests, it is for the rest of a finding
  elsewhere   the area that it belongs to, where core cannot close it

Writes the figure findings.gate_tests: how many of them have a test.

  npm run check -- findings           check, and write the figure
  npm run check -- findings --dry     check only
  npm run check -- findings --check   check, and exit 1 when the figure is another
`,
  { dry: { type: 'boolean' }, check: { type: 'boolean' } },
);

const COUNT = 48;
const FIGURE = 'findings.gate_tests';
const COMMAND = 'npm run check -- findings';
const AREAS = ['adapters', 'gateway', 'wrap'];
const FIELDS = ['id', 'title', 'tests', 'stays', 'elsewhere'];

const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const plain = (text) => text.replace(/\s+/g, ' ');
const security = plain(read('SECURITY.md'));

function* problemsOf({ id, title = '', tests = [], stays = '', elsewhere = '', ...others }) {
  if (title.trim() === '') yield 'it has no title';
  for (const name of Object.keys(others)) yield `it has "${name}"; the fields are ${FIELDS.join(', ')}`;
  if (tests.length === 0 && stays === '' && elsewhere === '') yield 'it has neither tests, nor stays, nor elsewhere';
  if (elsewhere !== '' && (tests.length > 0 || stays !== '')) yield 'it is elsewhere, and has tests or stays as well';
  if (elsewhere !== '' && !AREAS.includes(elsewhere))
    yield `"${elsewhere}" is not an area; the areas are ${AREAS.join(', ')}`;
  if (stays !== '' && !security.includes(plain(stays))) yield `SECURITY.md does not say "${stays}"`;
  for (const test of tests) {
    const problem = problemOfTest(test);
    if (problem !== undefined) yield problem;
  }
}

const findings = JSON.parse(read('tools', 'check', 'findings.json'));
const expected = Array.from({ length: COUNT }, (_, index) => `G${index + 1}`);
const problems = findings.flatMap((finding) => [...problemsOf(finding)].map((problem) => `${finding.id}: ${problem}`));
if (findings.map(({ id }) => id).join() !== expected.join())
  problems.push(`the ids must be G1 to G${COUNT}, in this order`);
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems with findings`, 'correct tools/check/findings.json, or write the test');

const value = findings.filter(({ tests = [] }) => tests.length > 0).length;
if (options.check && JSON.parse(read('evals', 'figures.json'))[FIGURE]?.value !== value)
  fail(`evals/figures.json has another value than ${value} for ${FIGURE}`, `run ${COMMAND}, and commit the file`);
if (!options.check && !options.dry) writeFigures({ [FIGURE]: { value, unit: 'findings', command: COMMAND } });
const rest = findings.length - value;
console.log(
  `OK - ${findings.length} findings: ${value} with tests, ${rest} stay by decision or belong to another area`,
);
