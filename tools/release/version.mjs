// All packages have one version and name each other by exact version. Changesets treats a peer that leaves its range as a
// breaking change, and an exact one always leaves it: 0.1.0 would become 1.0.0. So our own peers are hidden from it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root, run, runNode } from '../command.mjs';
import { readNotes, withRelease } from './change-notes.mjs';
import { publicPackages } from './packages.mjs';
import { updateVersion, versionFileProblems } from './version-files.mjs';

readOptions(`
Turns the changesets in .changeset into the next version of every package: manifests, changelogs, exact pins, the chart,
the lock file. Only changes files: review them, then commit.

  npm run release:version
`);

const packages = publicPackages();
const own = new Set(packages.map(({ name }) => name));
const peers = packages.flatMap(({ dir, manifest }) =>
  Object.keys(manifest.peerDependencies ?? {})
    .filter((peer) => own.has(peer))
    .map((peer) => ({ file: join(root, dir, 'package.json'), peer })),
);

/** Moves our own peers from one table of their manifest to another. */
function movePeers(from, to) {
  for (const { file, peer } of peers) {
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    const { [peer]: version, ...rest } = manifest[from];
    manifest[from] = rest;
    manifest[to] = { ...manifest[to], [peer]: version };
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

function must(what, { code, output }) {
  if (code !== 0) fail(`${what} failed:\n${output}`, 'correct what it names, revert the changes, try again', 2);
}

function onlyVersion() {
  const found = [...new Set(publicPackages().map(({ manifest }) => manifest.version))];
  if (found.length !== 1)
    fail(`the packages have versions ${found.join(', ')}`, 'see "fixed" in .changeset/config.json');
  return found[0];
}

const before = onlyVersion();
const notes = readNotes();
movePeers('peerDependencies', 'dependencies');
const changed = await runNode('node_modules/@changesets/cli/bin.js', ['version']);
movePeers('dependencies', 'peerDependencies');
must('changeset version', changed);
const after = onlyVersion();
if (after === before) fail('there is nothing to release', 'add a changeset: npm run changeset');
updateVersion(before, after);
const changelog = join(root, 'CHANGELOG.md');
const today = new Date().toISOString().slice(0, 10);
writeFileSync(changelog, withRelease(readFileSync(changelog, 'utf8'), notes, after, today));
const [problem] = versionFileProblems(after);
if (problem) fail(problem, 'update tools/release/version-files.mjs');
must('npm install', await run('npm', ['install', '--package-lock-only', '--ignore-scripts']));
must('completing the lock file', await runNode('tools/release/complete-lock.mjs', []));
console.log(`OK - every package moved from ${before} to ${after}`);
