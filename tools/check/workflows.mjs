// Checks the workflows, which run with the rights of the repository: what they run is pinned, what they may do is listed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { fail, readOptions, root } from '../command.mjs';
import { actionProblems, workflowProblems } from './workflow-rules.mjs';

const options = readOptions(
  `
Checks every workflow and action of this repository against what tools/check/workflow-rules.mjs allows: triggers, rights, machines,
actions and images pinned, no token left in a checkout, and \${{ }} only in env, conditions and outputs. Pinned actions need
updates: dependabot.yml must include github-actions.

  node tools/check/workflows.mjs                  check .github
  node tools/check/workflows.mjs --folder folder  check another folder with workflows/ and actions/
`,
  { folder: { type: 'string' } },
);

const folder = resolve(options.folder ?? join(root, '.github'));

function filesUnder(name, pattern) {
  const dir = join(folder, name);
  const found = existsSync(dir) ? readdirSync(dir, { recursive: true }) : [];
  return found.filter((path) => pattern.test(path)).map((path) => ({ path: `${name}/${path}`, name: path }));
}

function problemsIn({ path, name }, findProblems) {
  const document = parseDocument(readFileSync(join(folder, path), 'utf8'));
  const problems =
    document.errors.length > 0
      ? document.errors.map(({ message }) => `is not YAML: ${message}`)
      : [...findProblems(document.toJS(), name)];
  return problems.map((problem) => `${path} ${problem}`);
}

function* updateProblems() {
  const file = join(folder, 'dependabot.yml');
  const updates = existsSync(file) ? (parseDocument(readFileSync(file, 'utf8')).toJS()?.updates ?? []) : [];
  if (!updates.some((update) => update?.['package-ecosystem'] === 'github-actions'))
    yield 'dependabot.yml does not update github-actions, so pinned actions become outdated';
}

const workflows = filesUnder('workflows', /\.ya?ml$/i);
const actions = filesUnder('actions', /(?:^|[\\/])action\.ya?ml$/i);
if (workflows.length === 0)
  fail(`${folder} has no workflow: the check itself is broken`, 'name a folder with workflows', 2);
const problems = [
  ...workflows.flatMap((file) => problemsIn(file, workflowProblems)),
  ...actions.flatMap((file) => problemsIn(file, actionProblems)),
  ...updateProblems(),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems in workflows`, 'correct them');
console.log(`OK - ${workflows.length} workflows and ${actions.length} local actions follow the rules`);
