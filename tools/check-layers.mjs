// Every import points to an earlier entry of layers.json: packages in order, and rooms in flow order inside a package.
// Reads source text, not a compiler API, so a compiler upgrade cannot turn this check into a silent pass.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fail, readOptions, root } from './command.mjs';

readOptions(`
Checks that imports only point down the flow, in the order layers.json declares. A package, or a file or folder of
src (a room), that layers.json does not name is refused, and so is a name in layers.json that nothing answers to.

  node tools/check-layers.mjs
`);

process.chdir(root);
const { packages, rooms } = JSON.parse(readFileSync('layers.json', 'utf8'));
const importPattern = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
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

/** What is wrong with one import, if anything is. */
function problemOf(specifier, dir, file) {
  const owner = [...names].find(([name]) => specifier === name || specifier.startsWith(`${name}/`))?.[1];
  if (owner && packages.indexOf(owner) >= packages.indexOf(dir)) return `${specifier}, which is not below ${dir}`;
  if (!specifier.startsWith('.')) return undefined;
  const src = join(dir, 'src');
  const path = relative(src, join(src, dirname(file), specifier));
  if (path.startsWith('..')) return `${specifier}, which lies outside ${src}`;
  const order = rooms[src];
  const [from, to] = [file.split('/')[0], path.split('/')[0]];
  if (!order || from === to) return undefined;
  if (!order.includes(to)) return `${to}, which is not a room in layers.json`;
  return order.indexOf(to) > order.indexOf(from) ? `${to}, which comes later in the flow` : undefined;
}

for (const dir of packages) {
  const src = join(dir, 'src');
  const files = readdirSync(src, { recursive: true }).filter((name) => name.endsWith('.ts'));
  const present = new Set(files.map((file) => file.split('/')[0]));
  const order = rooms[src];
  for (const room of order ?? []) if (!present.has(room)) problems.push(`${src}/${room} is a room, but does not exist`);
  for (const room of order ? present : [])
    if (!order.includes(room)) problems.push(`${src}/${room} is not a room in layers.json`);
  for (const file of files)
    for (const [, specifier] of readFileSync(join(src, file), 'utf8').matchAll(importPattern)) {
      imports++;
      const problem = problemOf(specifier, dir, file);
      if (problem) problems.push(`${src}/${file} imports ${problem}`);
    }
}

if (imports === 0) problems.push('no import was read: the check itself is broken');
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems`, 'turn the import round, or give the file its place in layers.json');
console.log(`OK - ${imports} imports point down the flow`);
