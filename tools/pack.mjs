// What would be published is right: it builds, its entry points resolve, and needs at run time what is listed here.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, progress, readOptions, root, runNode } from './command.mjs';
import { writeFigures } from './figures.mjs';
import { build, pack, publicPackages } from './packages.mjs';

const options = readOptions(
  `
Builds from nothing and checks every public package with publint and attw, then packs it and says how large it is.
Writes a figure per package, such as core.packed_kb; exit 1 when a check fails.

  npm run pack:check           check and write evals/figures.json
  npm run pack:check -- --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-pack-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const license = readFileSync(join(root, 'LICENSE'), 'utf8');
// All that anything of ours may need at run time, besides our own packages. An optional peer is not needed.
const foreign = {
  '@sallyport/core': ['@noble/hashes'],
  '@sallyport/cli': ['@decimalturn/toml-patch', 'ajv', 'commander', 'diff', 'jsonc-parser', 'yaml'],
  '@sallyport/sandbox': ['ajv', 'quickjs-wasi'],
  '@sallyport/gateway': [
    '@hono/node-server',
    '@opentelemetry/api',
    'ajv',
    'hono',
    'ioredis',
    'jose',
    'oauth4webapi',
    'pino',
    'postgres',
    'prom-client',
    'undici',
  ],
};
const problems = [];
const figures = {};

/** Runs a checking program; what it says is shown only when it objects. */
async function check(what, script, args) {
  progress(what);
  const { code, output } = await runNode(script, args);
  if (code === 0) return;
  console.error(output);
  problems.push(`${what} fails`);
}

/** An adapter may ask for the one framework it is for. */
function allowedFor({ dir, name, manifest }) {
  const peers = Object.keys(manifest.peerDependencies ?? {});
  if (dir.startsWith('adapters') && peers.length === 1) return peers;
  return foreign[name] ?? [];
}

function* needProblems({ dir, name, manifest }, versions) {
  const needs = { ...manifest.dependencies, ...manifest.peerDependencies };
  for (const peer of Object.keys(manifest.peerDependenciesMeta ?? {}))
    if (manifest.peerDependenciesMeta[peer].optional) delete needs[peer];
  const allowed = allowedFor({ dir, name, manifest });
  for (const missing of allowed.filter((need) => !Object.hasOwn(needs, need))) yield `${name} does not need ${missing}`;
  for (const [need, version] of Object.entries(needs)) {
    if (!versions.has(need) && !allowed.includes(need)) yield `${name} needs ${need}, which is not allowed here`;
    if (versions.has(need) && versions.get(need) !== version)
      yield `${name} needs ${need} ${version}, but that package is at ${versions.get(need)}`;
  }
}

await build();
const packages = publicPackages();
const versions = new Map(packages.map(({ name, manifest }) => [name, manifest.version]));
for (const { dir, name, manifest } of packages) {
  const { file, size, files } = await pack(dir, scratch);
  await check(`publint ${name}`, 'node_modules/publint/src/cli.js', ['run', '--strict', file]);
  const entry = manifest.bin === undefined ? 'dist/index.js' : 'dist/main.js';
  // ESM only: Node from 20.19 on can require() it, so what a CommonJS importer gets is not judged as missing.
  if (manifest.bin === undefined)
    await check(`attw ${name}`, 'node_modules/@arethetypeswrong/cli/dist/index.js', [file, '--profile', 'esm-only']);
  if (!files.includes('LICENSE') || readFileSync(join(root, dir, 'LICENSE'), 'utf8') !== license)
    problems.push(`${dir}/LICENSE is not a copy of the LICENSE of the repository`);
  if (!files.includes(entry)) problems.push(`${name} would be published without ${entry}`);
  for (const path of files.filter((path) => /(?:^|\/)(?:test|node_modules)\//.test(path)))
    problems.push(`${name} would publish ${path}`);
  problems.push(...needProblems({ dir, name, manifest }, versions));
  // The same numbers as in dist, once more and of no use to a reader.
  if (files.includes('src/weights.ts')) problems.push(`${name} would publish its weights twice`);
  const id = `${name.replace('@sallyport/', '')}.packed_kb`;
  figures[id] = { value: Math.round(size / 100) / 10, unit: 'kB', command: 'npm run pack:check' };
  console.log(`${name} ${manifest.version}: ${(size / 1000).toFixed(1)} kB packed, ${files.length} files`);
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems`, 'mend the package.json or the source of the package');
for (const name of Object.keys(foreign))
  if (!versions.has(name)) fail(`${name} was not packed`, 'check that it is not private', 2);
if (!options.dry) writeFigures(figures);
console.log('OK - every public package is fit to publish');
