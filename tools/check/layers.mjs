// Checks that imports point one way: down the list of packages, down the list of folders in each, and in no circle of files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { importsBelow, ownerOf, packageNames, readLayers } from '../docs/imports.mjs';

readOptions(`
Checks every import of every package against layers.json, the order of the packages and of the folders in src of each:
  a package imports only packages that are listed before it
  a folder imports only folders that are listed before it
  a file beside the folders may import any of them; what imports it must come after them
  no files import each other in a circle
Exit 1 when an import points up, or a package or folder is not listed.

  node tools/check/layers.mjs
`);

const { packages, folders } = readLayers();
const problems = [];
let imports = 0;

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
for (const parent of workspaces.map((glob) => glob.replace('/*', '')).filter((name) => existsSync(join(root, name))))
  for (const dir of readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    if (existsSync(join(root, dir, 'src')) && !packages.includes(dir)) problems.push(`${dir} is not in layers.json`);
for (const dir of new Set([...packages, ...Object.keys(folders)]))
  if (!packages.includes(dir) || !existsSync(join(root, dir, 'package.json')))
    fail(`layers.json names ${dir}, which is no package, or not in its list of packages`, 'correct layers.json');
const names = packageNames(packages);

function* folderProblems(src, order) {
  const sources = readdirSync(join(root, src), { recursive: true }).filter((name) => /\/.*\.tsx?$/.test(name));
  const present = new Set(sources.map((name) => name.split('/')[0]));
  for (const name of present) if (!order.includes(name)) yield `${src}/${name} is not in layers.json`;
  for (const name of order) if (!present.has(name)) yield `${src}/${name} is in layers.json and does not exist`;
}

/** @param {Map<string, string[]>} imported what each file of a package imports of that package */
function* circles(imported) {
  const seen = new Set();
  function* visit(file, path) {
    if (path.includes(file)) yield `circle: ${[...path.slice(path.indexOf(file)), file].join(' > ')}`;
    if (seen.has(file)) return;
    seen.add(file);
    for (const to of imported.get(file) ?? []) yield* visit(to, [...path, file]);
  }
  for (const file of imported.keys()) yield* visit(file, []);
}

function* upward(imported, src, order) {
  const ranks = new Map();
  /** The place of a file's folder in the order; of a file beside the folders, the highest place of what it imports. */
  function rankOf(file) {
    const [top, ...rest] = relative(src, file).split('/');
    if (rest.length > 0) return order.includes(top) ? order.indexOf(top) : Number.NaN;
    if (!ranks.has(file)) {
      ranks.set(file, -1); // in a circle, which is reported
      ranks.set(file, Math.max(-1, ...(imported.get(file) ?? []).map(rankOf)));
    }
    return ranks.get(file);
  }
  for (const [file, targets] of imported)
    for (const to of targets)
      if (rankOf(to) > rankOf(file)) yield `${file} imports ${to}, which comes after ${order[rankOf(file)]}`;
}

for (const dir of packages) {
  const src = `${dir}/src`;
  const imported = new Map();
  for (const { file, specifier } of importsBelow(src)) {
    imports++;
    const owner = ownerOf(names, specifier);
    if (owner && packages.indexOf(owner) >= packages.indexOf(dir))
      problems.push(`${file} imports ${specifier}, which is not below ${dir}`);
    if (!specifier.startsWith('.') || specifier.endsWith('.css')) continue;
    const to = join(dirname(file), specifier);
    if (!to.startsWith(`${src}/`)) problems.push(`${file} imports ${specifier}, outside ${src}`);
    else imported.set(file, [...(imported.get(file) ?? []), to]);
  }
  const order = folders[dir] ?? [];
  const upwards = [...upward(imported, src, order)];
  problems.push(...folderProblems(src, order), ...upwards);
  // An import that points up is in many circles, and one circle contains others.
  const [circle] = upwards.length > 0 ? [] : circles(imported);
  if (circle !== undefined) problems.push(circle);
}

if (imports === 0) problems.push('no import was read: the check itself is broken');
for (const problem of problems) console.error(problem);
if (problems.length > 0) fail(`${problems.length} problems`, 'reverse the import, or correct layers.json');
console.log(`OK - ${imports} imports point down, and none is part of a circle`);
