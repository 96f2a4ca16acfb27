// Checks what would be published: it builds, its entry points resolve, and it has only allowed dependencies. The programs that
// check it are third-party and see copies: tools/release/pack-release.mjs packs what is published, without them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, progress, readOptions, root, runNode } from '../command.mjs';
import { writeFigures } from '../figures.mjs';
import { EXPECTED, hiddenProblems, needProblems, pageProblems, sizeProblems } from './manifests.mjs';
import { build, pack, publicPackages } from './packages.mjs';
import { versionFileProblems } from './version-files.mjs';

const options = readOptions(
  `
Builds from scratch and checks every public package: publint, attw, its manifest, its size against tools/release/sizes.json.
Writes a figure per package, such as core.packed_kb; exit 1 when a check fails.

  npm run check -- pack               check and write evals/figures.json
  npm run check -- pack --dry         write nothing
  npm run check -- pack --built       use the present build, as on a clean clone
  npm run check -- pack --out folder  keep the tarballs there
`,
  { dry: { type: 'boolean' }, built: { type: 'boolean' }, out: { type: 'string' } },
);

const scratch = options.out ?? mkdtempSync(join(tmpdir(), 'sallyport-pack-'));
if (options.out) mkdirSync(options.out, { recursive: true });
else process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const limits = JSON.parse(readFileSync(join(root, 'tools', 'release', 'sizes.json'), 'utf8'));
const license = readFileSync(join(root, 'LICENSE'), 'utf8');
const notice = readFileSync(join(root, 'NOTICE'), 'utf8');
/** Packages with tables that are derived from third-party data. */
const NOTICED = ['@sallyport/decode'];
const problems = [];
const figures = {};
const sizes = new Map();

/** Runs a checking program; prints its output only when it fails. */
async function check(what, script, args) {
  progress(what);
  const { code, output } = await runNode(script, args);
  if (code === 0) return;
  console.error(output);
  problems.push(`${what} failed`);
}

if (!options.built) await build();
const packages = publicPackages();
const versions = new Map(packages.map(({ name, manifest }) => [name, manifest.version]));
for (const { dir, name, manifest } of packages) {
  const { file, size, files } = await pack(dir, scratch);
  await check(`publint ${name}`, 'node_modules/publint/src/cli.js', ['run', '--strict', file]);
  const entry = Object.values(manifest.bin ?? { library: 'dist/index.js' })[0].replace(/^\.\//, '');
  // ESM only: Node from 20.19 on can require() it, so attw need not check CommonJS.
  if (manifest.bin === undefined)
    await check(`attw ${name}`, 'node_modules/@arethetypeswrong/cli/dist/index.js', [file, '--profile', 'esm-only']);
  if (!files.includes('LICENSE') || readFileSync(join(root, dir, 'LICENSE'), 'utf8') !== license)
    problems.push(`${dir}/LICENSE is not a copy of the LICENSE of the repository`);
  const hasNotice = files.includes('NOTICE') && readFileSync(join(root, dir, 'NOTICE'), 'utf8') === notice;
  if (NOTICED.includes(name) && !hasNotice)
    problems.push(`${dir}/NOTICE is not a copy of the NOTICE of the repository`);
  if (!files.includes(entry)) problems.push(`${name} would be published without ${entry}`);
  for (const path of files.filter((path) => /(?:^|\/)(?:test|node_modules)\//.test(path)))
    problems.push(`${name} would publish ${path}`);
  const one = { dir, name, manifest };
  problems.push(...needProblems(one, versions), ...hiddenProblems(one), ...pageProblems(one));
  sizes.set(name, size);
  // dist has the same numbers.
  if (files.includes('src/model/weights.ts')) problems.push(`${name} would publish its weights twice`);
  const id = `${name.replace('@sallyport/', '')}.packed_kb`;
  figures[id] = { value: Math.round(size / 100) / 10, unit: 'kB', command: 'npm run check -- pack' };
  console.log(`${name} ${manifest.version}: ${(size / 1000).toFixed(1)} kB packed, ${files.length} files`);
}
problems.push(...sizeProblems(limits, sizes), ...versionFileProblems(packages[0].manifest.version));

for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems`, 'correct the package.json or the source of the package');
for (const name of EXPECTED) if (!versions.has(name)) fail(`${name} was not packed`, 'check that it is not private', 2);
if (!options.dry) writeFigures(figures);
console.log('OK - every public package can be published');
