// The imports between packages, and between the folders of one package.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../command.mjs';

const IMPORT = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;

/** @typedef {{ order: string[], arrows: Map<string, Set<string>> }} Graph `order` is that of layers.json */

/** @returns {{ packages: string[], folders: Record<string, string[]> }} */
export const readLayers = () => JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8'));

/** Names and folders of packages. */
export const packageNames = (packages) =>
  packages.map((dir) => [JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8')).name, dir]);

/** The folder of the package that an import names. */
export const ownerOf = (names, specifier) =>
  names.find(([name]) => specifier === name || specifier.startsWith(`${name}/`))?.[1];

/** What each source file below a folder imports. */
export function* importsBelow(folder) {
  for (const name of readdirSync(join(root, folder), { recursive: true }).filter((each) => /\.tsx?$/.test(each))) {
    const file = join(folder, name);
    for (const [, specifier] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) yield { file, specifier };
  }
}

/** @returns {Graph} */
export function packageGraph({ packages }) {
  const names = packageNames(packages);
  const arrows = new Map(packages.map((dir) => [dir, new Set()]));
  for (const dir of packages)
    for (const { specifier } of importsBelow(join(dir, 'src'))) {
      const owner = ownerOf(names, specifier);
      if (owner !== undefined && owner !== dir) arrows.get(dir).add(owner);
    }
  return { order: packages, arrows };
}

/**
 * The folders of one package, without the files beside them.
 * @returns {Graph}
 */
export function folderGraph({ folders }, dir) {
  const src = join(dir, 'src');
  const order = folders[dir];
  const arrows = new Map(order.map((name) => [name, new Set()]));
  const topOf = (path) => relative(src, path).split('/')[0];
  for (const { file, specifier } of importsBelow(src)) {
    if (!specifier.startsWith('.')) continue;
    const [from, to] = [topOf(file), topOf(join(dirname(file), specifier))];
    if (from !== to && order.includes(to)) arrows.get(from)?.add(to);
  }
  return { order, arrows };
}

/** The same graph without nodes that have no arrow, such as a package of static files. */
export function connected({ order, arrows }) {
  const targets = new Set([...arrows.values()].flatMap((tos) => [...tos]));
  const kept = order.filter((name) => arrows.get(name).size > 0 || targets.has(name));
  return { order: kept, arrows: new Map(kept.map((name) => [name, arrows.get(name)])) };
}

/** The same graph without arrows that point up, and without arrows that a path of other arrows implies. */
export function reduced(graph) {
  const down = new Map(
    [...graph.arrows].map(([from, tos]) => [
      from,
      [...tos].filter((to) => graph.order.indexOf(to) < graph.order.indexOf(from)),
    ]),
  );
  const reach = new Map();
  for (const name of graph.order)
    reach.set(name, new Set(down.get(name).flatMap((to) => [to, ...(reach.get(to) ?? [])])));
  const isNeeded = (from, to) => !down.get(from).some((other) => reach.get(other).has(to));
  const arrows = graph.order.map((from) => [from, new Set(down.get(from).filter((to) => isNeeded(from, to)))]);
  return { order: graph.order, arrows: new Map(arrows) };
}

/** Merges nodes with the same incoming and outgoing arrows; the key is that of the first. */
export function bundled({ order, arrows }) {
  const signature = (name) => {
    const into = order.filter((from) => arrows.get(from).has(name));
    return JSON.stringify([name.split('/')[0], [...arrows.get(name)].sort(), into.sort()]);
  };
  const bundles = new Map();
  for (const name of order) bundles.set(signature(name), [...(bundles.get(signature(name)) ?? []), name]);
  const members = new Map([...bundles.values()].map((names) => [names[0], names]));
  const kept = order.filter((name) => members.has(name));
  const keptArrows = kept.map((from) => [from, new Set([...arrows.get(from)].filter((to) => members.has(to)))]);
  return { graph: { order: kept, arrows: new Map(keptArrows) }, members };
}
