// Publishes what was packed, in the order in which the packages need each other, so that none is there before what it needs.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fail, readOptions, run } from './command.mjs';
import { publicPackages } from './packages.mjs';

const options = readOptions(
  `
Publishes the tarballs that npm run pack:check -- --out made, with provenance. What is published already is passed
over, so that a run that was cut short can be repeated. Needs nothing but Node and npm; meant for the release workflow.

  node tools/publish.mjs --from folder --tag v0.1.0        publish
  node tools/publish.mjs --from folder --tag v0.1.0 --dry  check the tarballs and say in which order
`,
  { from: { type: 'string' }, tag: { type: 'string' }, dry: { type: 'boolean' } },
);
if (options.from === undefined || options.tag === undefined) fail('--from and --tag are needed', 'see --help', 2);

const folder = resolve(options.from);
const packages = new Map(publicPackages().map((one) => [one.name, one]));

/** What a package needs stands before it. */
function inOrder() {
  const ordered = new Set();
  const visit = (name, path) => {
    if (path.includes(name))
      fail(`${[...path, name].join(' needs ')}`, 'packages must not need each other in a circle');
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

async function packedManifest(file) {
  const { code, output } = await run('tar', ['-xzOf', file, 'package/package.json']);
  if (code !== 0) fail(`${file} cannot be read:\n${output}`, 'pack again', 2);
  return JSON.parse(output);
}

async function checkTarball(one) {
  const file = fileOf(one);
  if (!existsSync(file)) fail(`${file} does not exist`, 'run npm run pack:check -- --dry --out <folder>', 2);
  if (JSON.stringify(await packedManifest(file)) !== JSON.stringify(one.manifest))
    fail(`the manifest in ${file} is not that of ${one.dir}`, 'pack the commit that is to be released');
  if (`v${one.manifest.version}` !== options.tag)
    fail(`${one.name} is at ${one.manifest.version}, and the tag is ${options.tag}`, 'tag the commit of that version');
}

async function isPublished({ name, manifest }) {
  const { code, output } = await run('npm', ['view', `${name}@${manifest.version}`, 'version', '--json', '--silent']);
  if (code === 0) return output.includes(`"${manifest.version}"`);
  if (/"code": "E404"/.test(output)) return false;
  return fail(`the registry does not say whether ${name} is there:\n${output}`, 'try again', 2);
}

const ordered = inOrder();
for (const one of ordered) await checkTarball(one);
const foreign = readdirSync(folder).filter(
  (name) => name.endsWith('.tgz') && !ordered.some((one) => fileOf(one).endsWith(`/${name}`)),
);
if (foreign.length > 0) fail(`${folder} also holds ${foreign.join(', ')}`, 'pack into an empty folder');
if (options.dry) for (const { name } of ordered) console.log(name);
else
  for (const one of ordered) {
    if (await isPublished(one)) {
      console.log(`${one.name} ${one.manifest.version} is there already`);
      continue;
    }
    const args = ['publish', fileOf(one), '--provenance', '--access', 'public', '--ignore-scripts'];
    const { code } = await run('npm', args, { show: true });
    if (code !== 0)
      fail(`npm publish fails for ${one.name}`, 'mend it, then run this again: what is there is passed over', 2);
  }
console.log(`OK - ${ordered.length} packages ${options.dry ? 'can be published in this order' : 'are published'}`);
