// Every dependency has earned its place in docs/dependencies.md: what it does, what it weighs, what we would write instead.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from './command.mjs';

const options = readOptions(
  `
Checks that docs/dependencies.md has one row for each dependency, runtime and development, with its exact version.

  node tools/check-dependencies.mjs            check
  node tools/check-dependencies.mjs --measure  print what each weighs: itself, and with all it brings
`,
  { measure: { type: 'boolean' } },
);

process.chdir(root);
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const manifests = ['packages', 'adapters']
  .filter((parent) => existsSync(parent))
  .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name, 'package.json')))
  .filter((file) => existsSync(file));
const own = new Set(manifests.map((file) => readJson(file).name));
const needed = new Map();
for (const file of ['package.json', ...manifests]) {
  const { dependencies, devDependencies, optionalDependencies } = readJson(file);
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
    if (!own.has(name)) needed.set(name, version.replace(/^npm:.*@/, ''));
}
if (needed.size === 0) fail('no dependency was read: the check itself is broken', 'check package.json', 2);

if (options.measure) {
  const { packages } = readJson('package-lock.json');
  const find = (from, name) => {
    for (let dir = from; ; dir = dir.slice(0, Math.max(0, dir.lastIndexOf('/node_modules/')))) {
      const path = `${dir}${dir && '/'}node_modules/${name}`;
      if (packages[path]) return existsSync(path) ? path : undefined;
      if (dir === '') return undefined;
    }
  };
  const sizeOf = (path) =>
    readdirSync(path, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.slice(path.length).includes('node_modules'))
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  for (const [name, version] of [...needed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const start = find('', name);
    if (!start) fail(`${name} is not installed`, 'run npm ci', 2);
    const closure = new Set([start]);
    for (const path of closure)
      for (const next of Object.keys({ ...packages[path].dependencies, ...packages[path].optionalDependencies }))
        if (find(path, next)) closure.add(find(path, next));
    const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`.padStart(10);
    const all = [...closure].reduce((sum, path) => sum + sizeOf(path), 0);
    console.log(`${`${name} ${version}`.padEnd(32)} ${mb(sizeOf(start))} ${mb(all)} with ${closure.size - 1} more`);
  }
  process.exit(0);
}

const rows = [...readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| `([^`]+)` (\S+) \|/gm)];
const listed = new Map(rows.map(([, name, version]) => [name, version]));
const problems = [
  ...[...needed]
    .filter(([name, version]) => listed.get(name) !== version)
    .map(([name, version]) => `${name} ${version} has no row, or a row with version ${listed.get(name) ?? 'none'}`),
  ...[...listed.keys()].filter((name) => !needed.has(name)).map((name) => `${name} has a row, but is no dependency`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems`, 'bring docs/dependencies.md in line; --measure gives the weight');
console.log(`OK - ${needed.size} dependencies are accounted for`);
