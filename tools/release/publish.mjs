// Publishes the packed packages, each after its dependencies.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fail, readOptions, run } from '../command.mjs';
import { filesIn } from './archive.mjs';
import { publicPackages } from './packages.mjs';

const options = readOptions(
  `
Publishes the tarballs that tools/release/pack-release.mjs made, with provenance. Refuses one whose SHA-256 sum is not the one that was
printed there, whose manifest is not that of this checkout, or that contains anything but plain files under package/, each once.
Skips what is already published, so that an interrupted run can be repeated. Needs only Node and npm;
meant for the release workflow.

  node tools/release/publish.mjs --from folder --tag v0.1.0 --sums "$SUMS"        publish
  node tools/release/publish.mjs --from folder --tag v0.1.0 --sums "$SUMS" --dry  check the tarballs and print the order
`,
  { from: { type: 'string' }, tag: { type: 'string' }, sums: { type: 'string' }, dry: { type: 'boolean' } },
);
for (const name of ['from', 'tag', 'sums']) if (!options[name]) fail(`--${name} is required`, 'see --help', 2);

const folder = resolve(options.from);
const packages = new Map(publicPackages().map((one) => [one.name, one]));

/** Dependencies before dependents. */
function inOrder() {
  const ordered = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) fail(`${[...path, name].join(' needs ')}`, 'remove the dependency cycle');
    const { dependencies, peerDependencies } = packages.get(name).manifest;
    for (const need of Object.keys({ ...dependencies, ...peerDependencies }).sort())
      if (packages.has(need)) visit(need, [...path, name]);
    ordered.add(name);
  };
  for (const name of [...packages.keys()].sort()) visit(name, []);
  return [...ordered].map((name) => packages.get(name));
}

function fileOf({ name, manifest }) {
  return join(folder, `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`);
}

const sums = new Map(options.sums.split(/\s+/).map((sum) => sum.split(':')));

function packedFiles(file) {
  try {
    return filesIn(file);
  } catch (error) {
    return fail(`${file} is not a valid tarball of npm: ${error.message}`, 'pack again, and find out who made it');
  }
}

function checkTarball(one) {
  const file = fileOf(one);
  if (!existsSync(file)) fail(`${file} does not exist`, 'run node tools/release/pack-release.mjs --out <folder>', 2);
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (sums.get(basename(file)) !== sum)
    fail(`${file} has the sum ${sum}, not the one it was packed with`, 'pack again, and find out who changed it');
  const manifest = packedFiles(file).get('package/package.json');
  if (manifest === undefined || JSON.stringify(JSON.parse(manifest.toString('utf8'))) !== JSON.stringify(one.manifest))
    fail(`the manifest in ${file} is not that of ${one.dir}`, 'pack the commit that is to be released');
  if (`v${one.manifest.version}` !== options.tag)
    fail(`${one.name} is at ${one.manifest.version}, and the tag is ${options.tag}`, 'tag the commit of that version');
}

async function isPublished({ name, manifest }) {
  const { code, output } = await run('npm', ['view', `${name}@${manifest.version}`, 'version', '--json', '--silent']);
  if (code === 0) return output.includes(`"${manifest.version}"`);
  if (/"code": "E404"/.test(output)) return false;
  return fail(`the registry did not answer whether ${name} exists:\n${output}`, 'try again', 2);
}

const ordered = inOrder();
for (const one of ordered) checkTarball(one);
const foreign = readdirSync(folder).filter(
  (name) => name.endsWith('.tgz') && !ordered.some((one) => fileOf(one).endsWith(`/${name}`)),
);
if (foreign.length > 0) fail(`${folder} also contains ${foreign.join(', ')}`, 'pack into an empty folder');
if (options.dry) for (const { name } of ordered) console.log(name);
else
  for (const one of ordered) {
    if (await isPublished(one)) {
      console.log(`${one.name} ${one.manifest.version} is already published`);
      continue;
    }
    const args = ['publish', fileOf(one), '--provenance', '--access', 'public', '--ignore-scripts'];
    const { code } = await run('npm', args, { show: true });
    if (code !== 0)
      fail(`npm publish failed for ${one.name}`, 'correct it, then run this again: what is published is skipped', 2);
  }
console.log(`OK - ${ordered.length} packages ${options.dry ? 'can be published in this order' : 'are published'}`);
