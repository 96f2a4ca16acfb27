// Writes the run-time dependencies of each published package as CycloneDX. npm gets only the part of the lock file that the
// package reaches, which has the tested versions; from the whole file it would list the whole workspace.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endProgress, fail, progress, readOptions, root, run } from '../command.mjs';
import { lockFor } from './lock.mjs';
import { hiddenProblems } from './manifests.mjs';
import { publicPackages } from './packages.mjs';

const options = readOptions(
  `
Writes a bill of materials for every public package, and checks it against its manifest and the lock file. A peer
dependency is not in it: the user installs it. The same commit and version of npm give the same bytes.

  npm run check -- sbom               write sbom/*.cdx.json, which git ignores
  npm run check -- sbom --out folder  write somewhere else
  npm run check -- sbom --dry         check, and write nothing
`,
  { dry: { type: 'boolean' }, out: { type: 'string' } },
);

const workspace = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
// All dependencies of the workspace that npm does not mark as development only.
const tested = new Set(
  Object.entries(workspace)
    .filter(([, { dev, devOptional, link }]) => !(dev || devOptional || link))
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`),
);
const packages = publicPackages();
const dirs = new Map(packages.map(({ name, dir }) => [name, dir]));
const scratch = mkdtempSync(join(tmpdir(), 'sallyport-sbom-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

async function written({ name, manifest }, lock) {
  const project = join(scratch, name);
  mkdirSync(project, { recursive: true });
  const { version, description, license, dependencies } = manifest;
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name, version, description, license, dependencies }));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
  const flags = ['--sbom-format', 'cyclonedx', '--sbom-type', 'library', '--omit', 'dev', '--package-lock-only'];
  const { code, output } = await run('npm', ['sbom', ...flags, '--loglevel', 'error'], { cwd: project });
  if (code !== 0) fail(`npm sbom failed for ${name}:\n${output}`, 'run npm install, then try again', 2);
  return JSON.parse(output.slice(output.indexOf('{')));
}

/** Removes what differs between runs: the time, and the serial number. */
function fixed({ serialNumber: _, ...bom }) {
  delete bom.metadata.timestamp;
  const hex = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  const { $schema, bomFormat, specVersion, ...rest } = bom;
  return { $schema, bomFormat, specVersion, serialNumber: `urn:uuid:${uuid}`, ...rest };
}

function* problemsOf(bom, { name, manifest }, lock) {
  // These fields install packages too, but the bill is built from `dependencies` alone.
  yield* hiddenProblems({ name, manifest });
  const own = bom.metadata.component;
  if (bom.bomFormat !== 'CycloneDX') yield `${name}: npm wrote ${bom.bomFormat}`;
  if (own.name !== name || own.version !== manifest.version)
    yield `${name}: the bill describes ${own.name} ${own.version}`;
  const named = ({ name: of, version }) => `${of}@${version}`;
  const listed = bom.components.map(named);
  const reached = Object.entries(lock.packages).filter(([path]) => path !== '');
  const expected = reached.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  for (const one of new Set(expected)) if (!listed.includes(one)) yield `${name}: ${one} is missing in the bill`;
  for (const one of listed)
    if (!expected.includes(one)) yield `${name}: ${one} is in the bill, but is not a dependency`;
  for (const one of listed) if (!tested.has(one)) yield `${name}: ${one} is only a development dependency`;
  const refs = new Map(bom.components.map((component) => [component['bom-ref'], named(component)]));
  const direct = bom.dependencies.find(({ ref }) => ref === own['bom-ref'])?.dependsOn ?? [];
  const wanted = Object.entries(manifest.dependencies ?? {}).map(([need, version]) => `${need}@${version}`);
  if (
    direct
      .map((ref) => refs.get(ref))
      .sort()
      .join() !== wanted.sort().join()
  )
    yield `${name}: the bill has the dependencies ${direct.join(', ')}, the manifest ${wanted.join(', ')}`;
}

const problems = [];
const folder = resolve(options.out ?? join(root, 'sbom'));
let parts = 0;
for (const one of packages) {
  if (process.stdout.isTTY) progress(one.name);
  const lock = lockFor(one, workspace, dirs);
  const bom = fixed(await written(one, lock));
  endProgress();
  problems.push(...problemsOf(bom, one, lock));
  parts += bom.components.length;
  console.log(`${one.name}: ${bom.components.length} packages at run time`);
  if (options.dry) continue;
  mkdirSync(folder, { recursive: true });
  const file = `${one.name.replace('@', '').replace('/', '-')}.cdx.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(bom, null, 2)}\n`);
}
if (parts === 0) fail('no package has a dependency: the check itself is broken', 'check package-lock.json', 2);
for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems`, 'make manifests and package-lock.json match: npm install');
console.log(`OK - ${packages.length} bills of materials are correct${options.dry ? '' : `, in ${folder}`}`);
