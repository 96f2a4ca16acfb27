// Checks the register of findings about the gate (G), the gateway (T) and the wrapper (W): each has a test, a command, or a sentence in a document.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { writeFigures } from '../figures.mjs';
import { PROGRAMS } from '../programs.mjs';
import { problemOfTest } from './test-titles.mjs';

const options = readOptions(
  `
Checks tools/check/findings.json, the faults that were found in the gate (G), in the gateway (T), in sallyport for one
person (W) and in what is around them. Each has one of these:

  tests       tests that fail if the fault comes back, as "file > the beginning of a title"
  commands    programs of this repository that show it, such as "check postgres"
  stays       a part of SECURITY.md that says so, where it stays by decision; with tests, it is for the rest of a finding. For
              the gateway, docs/operations.md and docs/gateway.md count too
  elsewhere   the area that it belongs to, where core cannot close it

Writes the figures findings.gate_tests, findings.gateway_tests and findings.wrap_tests: how many have a test or a command.

  npm run check -- findings           check, and write the figure
  npm run check -- findings --dry     check only
  npm run check -- findings --check   check, and exit 1 when the figure is another
`,
  { dry: { type: 'boolean' }, check: { type: 'boolean' } },
);

const COMMAND = 'npm run check -- findings';
const REGISTERS = [
  { prefix: 'G', count: 48, figure: 'findings.gate_tests', documents: ['SECURITY.md'] },
  {
    prefix: 'T',
    count: 34,
    figure: 'findings.gateway_tests',
    documents: ['SECURITY.md', 'docs/operations.md', 'docs/gateway.md'],
  },
  { prefix: 'W', count: 15, figure: 'findings.wrap_tests', documents: ['docs/wrap.md'] },
];
const AREAS = ['adapters', 'gateway', 'wrap'];
const FIELDS = ['id', 'title', 'tests', 'commands', 'stays', 'elsewhere'];

const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const plain = (text) => text.replace(/\s+/g, ' ');

function isProgram(command) {
  const [group, name] = command.split(' ');
  return Object.hasOwn(PROGRAMS, group) && Object.hasOwn(PROGRAMS[group], name ?? '');
}

function* problemsOf(finding, documents) {
  const { id, title = '', tests = [], commands = [], stays = '', elsewhere = '', ...others } = finding;
  const isShown = tests.length > 0 || commands.length > 0;
  if (title.trim() === '') yield 'it has no title';
  for (const name of Object.keys(others)) yield `it has "${name}"; the fields are ${FIELDS.join(', ')}`;
  if (!isShown && stays === '' && elsewhere === '')
    yield 'it has neither tests, nor commands, nor stays, nor elsewhere';
  if (elsewhere !== '' && (isShown || stays !== '')) yield 'it is elsewhere, and has tests, commands or stays as well';
  if (elsewhere !== '' && !AREAS.includes(elsewhere))
    yield `"${elsewhere}" is not an area; the areas are ${AREAS.join(', ')}`;
  if (stays !== '' && !documents.some((each) => plain(read(each)).includes(plain(stays))))
    yield `${documents.join(', ')} do not say "${stays}"`;
  for (const command of commands) if (!isProgram(command)) yield `there is no program "${command}"`;
  for (const test of tests) {
    const problem = problemOfTest(test);
    if (problem !== undefined) yield problem;
  }
}

const findings = JSON.parse(read('tools', 'check', 'findings.json'));
const figures = JSON.parse(read('evals', 'figures.json'));
const problems = [];
const counted = {};
for (const { prefix, count, figure, documents } of REGISTERS) {
  const own = findings.filter(({ id }) => id.startsWith(prefix));
  for (const finding of own)
    problems.push(...[...problemsOf(finding, documents)].map((problem) => `${finding.id}: ${problem}`));
  const expected = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
  if (own.map(({ id }) => id).join() !== expected.join())
    problems.push(`the ids must be ${prefix}1 to ${prefix}${count}, in this order`);
  const value = own.filter(({ tests = [], commands = [] }) => tests.length + commands.length > 0).length;
  counted[figure] = { value, unit: 'findings', command: COMMAND };
  if (options.check && figures[figure]?.value !== value)
    problems.push(
      `evals/figures.json has another value than ${value} for ${figure}: run ${COMMAND}, and commit the file`,
    );
}
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems with findings`, 'correct tools/check/findings.json, or write the test');

if (!options.check && !options.dry) writeFigures(counted);
const shown = Object.values(counted).reduce((sum, { value }) => sum + value, 0);
const rest = findings.length - shown;
console.log(
  `OK - ${findings.length} findings: ${shown} with tests, ${rest} stay by decision or belong to another area`,
);
