// Checks that imports point one way: down the list of packages, and down the list of folders and files in each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';

readOptions(`
Checks every import of every package against layers.json: a package, folder or file imports only what is listed before it.
The list of a folder names each of its files and folders; a folder has at most 16 source files. Exit 1 when an import points up.

  node tools/check/layers.mjs
`);

const MAX_FILES = 16;
process.chdir(root);
const { packages, folders } = JSON.parse(readFileSync('layers.json', 'utf8'));
const importPattern = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
const isSource = (name) => /\.tsx?$/.test(name);
const problems = [];
const names = new Map();
let imports = 0;

for (const dir of packages) {
  if (!existsSync(join(dir, 'package.json'))) fail(`layers.json names ${dir}, which has no package.json`, 'remove it');
  names.set(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')).name, dir);
}
for (const parent of ['packages', 'adapters'].filter((name) => existsSync(name)))
  for (const dir of readdirSync(parent).map((name) => `${parent}/${name}`))
    if (existsSync(join(dir, 'src')) && !packages.includes(dir)) problems.push(`${dir} is not in layers.json`);

/** What is wrong with an import inside one package: the two paths are compared in the folder where they diverge. */
function problemInside(from, to) {
  const [one, other] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (one[depth] === other[depth] && depth < one.length) depth++;
  const folder = one.slice(0, depth).join('/');
  const order = folders[folder];
  if (order === undefined) return `${to}, but ${folder} is not in layers.json`;
  const [here, there] = [one[depth], other[depth]];
  if (!order.includes(there)) return `${to}, which is not in layers.json`;
  return order.indexOf(there) > order.indexOf(here) ? `${to}, which comes after ${here} in ${folder}` : undefined;
}

function problemOf(specifier, dir, file) {
  const owner = [...names].find(([name]) => specifier === name || specifier.startsWith(`${name}/`))?.[1];
  if (owner && packages.indexOf(owner) >= packages.indexOf(dir)) return `${specifier}, which is not below ${dir}`;
  if (!specifier.startsWith('.') || specifier.endsWith('.css')) return undefined;
  const to = join(dirname(file), specifier);
  return relative(join(dir, 'src'), to).startsWith('..') ? `${specifier}, outside ${dir}/src` : problemInside(file, to);
}

/** What is wrong with the list of a folder: it must name all of its entries, and nothing else. */
function* listProblems(folder) {
  const present = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() || isSource(entry.name),
  );
  const order = folders[folder] ?? [];
  for (const { name } of present) if (!order.includes(name)) yield `${folder}/${name} is not in layers.json`;
  for (const name of order)
    if (!present.some((entry) => entry.name === name)) yield `${folder}/${name} is in layers.json and does not exist`;
  const count = present.filter((entry) => entry.isFile()).length;
  if (count > MAX_FILES) yield `${folder} has ${count} source files, more than ${MAX_FILES}: divide it`;
  for (const entry of present) if (entry.isDirectory()) yield* listProblems(join(folder, entry.name));
}

for (const dir of packages) {
  const src = join(dir, 'src');
  problems.push(...listProblems(src));
  const files = readdirSync(src, { recursive: true }).filter(isSource);
  for (const file of files.map((name) => join(src, name)))
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(importPattern)) {
      imports++;
      const problem = problemOf(specifier, dir, file);
      if (problem) problems.push(`${file} imports ${problem}`);
    }
}

if (imports === 0) problems.push('no import was read: the check itself is broken');
for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems`, 'reverse the import, or add the file to layers.json');
console.log(`OK - ${imports} imports point down; no folder has more than ${MAX_FILES} source files`);
