// A workflow runs with the rights of the repository: what it runs is pinned, and what it may do is said.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { fail, readOptions, root } from './command.mjs';

const options = readOptions(
  `
Checks every workflow: actions pinned by their commit, permissions at the top and none to write there, no trigger
pull_request_target, no \${{ }} inside a script. An expression is pasted into a script before the shell reads it, so
that a branch name can be a command; a variable under env is only ever a value.

  node tools/check-workflows.mjs                  check .github/workflows
  node tools/check-workflows.mjs --folder folder  check another folder
`,
  { folder: { type: 'string' } },
);

const PINNED = /^(?:[\w.-]+\/[\w./-]+@[0-9a-f]{40}|docker:\/\/\S+@sha256:[0-9a-f]{64}|\.\/\S+)$/;
const READING = new Set(['read', 'none']);

function* permissionProblems(permissions) {
  if (permissions === undefined || permissions === null) yield 'has no permissions at the top: write permissions: {}';
  else if (typeof permissions === 'string') {
    if (permissions !== 'read-all') yield `gives ${permissions} at the top`;
  } else
    for (const [scope, access] of Object.entries(permissions))
      if (!READING.has(access)) yield `gives ${scope}: ${access} at the top: give it to the one job that needs it`;
}

function triggersOf(on) {
  if (typeof on === 'string') return [on];
  return Array.isArray(on) ? on : Object.keys(on ?? {});
}

function* useProblems(uses) {
  if (uses !== undefined && !PINNED.test(uses)) yield `uses ${uses}, which is not pinned by a commit of 40 digits`;
}

function* stepProblems(step) {
  yield* useProblems(step.uses);
  for (const script of [step.run, step.with?.script])
    if (/\$\{\{/.test(String(script ?? ''))) yield 'has an expression inside a script: pass it by env';
}

function* problemsOf(text) {
  const document = parseDocument(text);
  for (const error of document.errors) yield `is not YAML: ${error.message}`;
  if (document.errors.length > 0) return;
  const workflow = document.toJS();
  yield* permissionProblems(workflow?.permissions);
  if (triggersOf(workflow?.on).includes('pull_request_target'))
    yield 'runs on pull_request_target, with the rights of the repository for whatever a stranger sends';
  const jobs = Object.entries(workflow?.jobs ?? {});
  if (jobs.length === 0) yield 'has no jobs: is it a workflow?';
  for (const [name, job] of jobs)
    for (const problem of [job, ...(job.steps ?? [])].flatMap((one) => [...stepProblems(one)]))
      yield `job ${name} ${problem}`;
}

const folder = resolve(options.folder ?? join(root, '.github', 'workflows'));
const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.ya?ml$/.test(name)) : [];
if (files.length === 0) fail(`${folder} holds no workflow: the check itself is broken`, 'name a folder that does', 2);
const problems = files.flatMap((file) =>
  [...problemsOf(readFileSync(join(folder, file), 'utf8'))].map((problem) => `${file} ${problem}`),
);
for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems in workflows`, 'mend them');
console.log(`OK - ${files.length} workflows are pinned and bounded`);
