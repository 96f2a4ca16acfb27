// Checks that docs/dependencies.md describes every dependency: what it does, its size, and the alternative.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';

const options = readOptions(
  `
Checks that docs/dependencies.md has one row for each dependency, runtime and development, with its exact version.

  node tools/check/dependencies.mjs            check
  node tools/check/dependencies.mjs --measure  print the size of each, alone and with its own dependencies
`,
  { measure: { type: 'boolean' } },
);

process.chdir(root);
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const manifests = ['packages', 'adapters', 'apps', 'contrib']
  .filter((parent) => existsSync(parent))
  .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name, 'package.json')))
  .filter((file) => existsSync(file));
const own = new Set(manifests.map((file) => readJson(file).name));

/** The dependencies of a project: version by name. */
function neededBy(files) {
  const needed = new Map();
  for (const file of files) {
    const { dependencies, devDependencies, optionalDependencies } = readJson(file);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
      if (!own.has(name)) needed.set(name, version.replace(/^npm:.*@/, ''));
  }
  return needed;
}

// The site and the example with Next.js are separate projects with their own lock files.
const projects = [
  { folder: '', needed: neededBy(['package.json', ...manifests]) },
  ...['site/', 'examples/nextjs/'].map((folder) => ({ folder, needed: neededBy([`${folder}package.json`]) })),
];
const needed = [
  ...new Set(projects.flatMap((project) => [...project.needed].map(([name, version]) => `${name} ${version}`))),
];
if (needed.length === 0) fail('no dependency was read: the check itself is broken', 'check package.json', 2);

/** Prints the size of each dependency of a project. */
function measure({ folder, needed: asked }) {
  const { packages } = readJson(`${folder}package-lock.json`);
  const find = (from, name) => {
    for (let dir = from; ; dir = dir.slice(0, Math.max(0, dir.lastIndexOf('/node_modules/')))) {
      const path = `${dir}${dir && '/'}node_modules/${name}`;
      if (packages[path]) return existsSync(`${folder}${path}`) ? path : undefined;
      if (dir === '') return undefined;
    }
  };
  const sizeOf = (path) =>
    readdirSync(`${folder}${path}`, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.slice(`${folder}${path}`.length).includes('node_modules'))
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  for (const [name, version] of [...asked].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const start = find('', name);
    if (!start) fail(`${name} is not installed`, `run npm ci${folder && ` in ${folder}`}`, 2);
    const closure = new Set([start]);
    for (const path of closure)
      for (const next of Object.keys({ ...packages[path].dependencies, ...packages[path].optionalDependencies }))
        if (find(path, next)) closure.add(find(path, next));
    const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`.padStart(10);
    const all = [...closure].reduce((sum, path) => sum + sizeOf(path), 0);
    console.log(`${`${name} ${version}`.padEnd(32)} ${mb(sizeOf(start))} ${mb(all)} with ${closure.size - 1} more`);
  }
}

if (options.measure) {
  for (const project of projects) measure(project);
  process.exit(0);
}

const rows = [...readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| `([^`]+)` (\S+) \|/gm)];
const listed = rows.map(([, name, version]) => `${name} ${version}`);
const problems = [
  ...needed.filter((each) => !listed.includes(each)).map((each) => `${each} has no row`),
  ...listed.filter((each) => !needed.includes(each)).map((each) => `${each} has a row, but is not a dependency`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems`, 'update docs/dependencies.md; --measure prints the sizes');
console.log(`OK - ${needed.length} dependencies are described`);
