// All packages have one version and name each other by exact version.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root, run, runNode } from '../command.mjs';
import { isOurs, publicPackages, workspaces } from './packages.mjs';
import { updateVersion, versionFileProblems } from './version-files.mjs';

const options = readOptions(
  `
Gives every package the next version: manifests, exact pins, the chart, the lock file, and the section "Unreleased" of
CHANGELOG.md, which must exist. Only changes files: review them, then commit.

  npm run release:version -- --to 0.2.0
`,
  { to: { type: 'string' } },
);

const after = String(options.to ?? '');
if (!/^\d+\.\d+\.\d+$/.test(after)) fail(`--to must be a version such as 0.2.0; received "${after}"`, 'see --help', 2);

function must(what, { code, output }) {
  if (code !== 0) fail(`${what} failed:\n${output}`, 'correct what it names, revert the changes, try again', 2);
}

const versions = [...new Set(publicPackages().map(({ manifest }) => manifest.version))];
if (versions.length !== 1) fail(`the packages have versions ${versions.join(', ')}`, 'give all of them one version', 2);
const [before] = versions;
if (before === after) fail(`the version is already ${after}`, 'name the next one', 2);

const UNRELEASED = /^## Unreleased$/m;
const changelog = join(root, 'CHANGELOG.md');
const written = readFileSync(changelog, 'utf8');
if (!UNRELEASED.test(written)) fail('CHANGELOG.md has no section "Unreleased"', 'say there what changed for users', 2);
writeFileSync(changelog, written.replace(UNRELEASED, `## ${after}, ${new Date().toISOString().slice(0, 10)}`));

for (const { dir, manifest } of workspaces()) {
  manifest.version = after;
  for (const table of ['dependencies', 'devDependencies', 'peerDependencies'])
    for (const name of Object.keys(manifest[table] ?? {})) if (isOurs(name)) manifest[table][name] = after;
  writeFileSync(join(root, dir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
updateVersion(before, after);
const [problem] = versionFileProblems(after);
if (problem) fail(problem, 'update tools/release/version-files.mjs');
must('npm install', await run('npm', ['install', '--package-lock-only', '--ignore-scripts']));
must('completing the lock file', await runNode('tools/release/complete-lock.mjs', []));
console.log(`OK - every package moved from ${before} to ${after}`);
