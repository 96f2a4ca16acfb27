// The packages that are published, and their tarballs.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root, run, runNode } from '../command.mjs';

/**
 * Every workspace package, also the private ones.
 * @returns {{ dir: string, name: string, manifest: Record<string, any> }[]}
 */
export function workspaces() {
  return ['packages', 'adapters', 'apps', 'contrib']
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)))
    .filter((dir) => existsSync(join(root, dir, 'package.json')))
    .map((dir) => ({ dir, manifest: JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8')) }))
    .map(({ dir, manifest }) => ({ dir, name: manifest.name, manifest }));
}

/** Every workspace package that is not private. */
export function publicPackages() {
  const found = workspaces().filter(({ manifest }) => !manifest.private);
  if (found.length === 0) fail('there is no public package', 'run this in the repository of the packages', 2);
  return found;
}

/**
 * Packages, and those of ours that they need.
 * @param {readonly string[]} names such as `@sallyport/ai-sdk` or `ai-sdk`
 */
export function withNeeded(names) {
  const short = (name) => name.replace('@sallyport/', '');
  const packages = new Map(publicPackages().map((each) => [short(each.name), each]));
  const wanted = new Set();

  /** An adapter is used with `sallyport`, although it depends only on core. */
  function add(name) {
    const found = packages.get(short(name));
    if (found === undefined) fail(`there is no package ${name}`, `name one of ${[...packages.keys()].join(', ')}`, 2);
    if (wanted.has(found)) return;
    wanted.add(found);
    if (found.dir.startsWith('adapters')) add('sallyport');
    const { dependencies, peerDependencies, peerDependenciesMeta } = found.manifest;
    for (const need of Object.keys({ ...dependencies, ...peerDependencies }))
      if (isOurs(need) && !peerDependenciesMeta?.[need]?.optional) add(need);
  }
  for (const name of names) add(name);
  return wanted;
}

/** Whether a package is published from this repository. */
export const isOurs = (name) => name === 'sallyport' || name.startsWith('@sallyport/');

/** Builds from scratch: files of an earlier build must not be packed. */
export async function build() {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const unbuilt = publicPackages().find(({ dir }) => !references.some(({ path }) => path === dir));
  if (unbuilt) fail(`tsconfig.json does not build ${unbuilt.dir}`, 'add it to the references there', 2);
  for (const { dir } of publicPackages()) {
    rmSync(join(root, dir, 'dist'), { recursive: true, force: true });
    rmSync(join(root, dir, 'tsconfig.tsbuildinfo'), { force: true });
  }
  const { code } = await runNode('node_modules/typescript/bin/tsc', ['-b'], { show: true });
  if (code !== 0) fail('the build failed', 'correct what tsc -b names above');
  const pages = await runNode('apps/console/build.mjs', [], { show: true });
  if (pages.code !== 0) fail('the pages of the console were not built', 'correct what Vite names above');
  const program = await runNode('apps/cli/build.mjs', [], { show: true });
  if (program.code !== 0) fail('the program sallyport was not built', 'correct what esbuild names above');
}

/**
 * Packs one package as npm would publish it.
 * @param {string} dir of the package
 * @param {string} destination
 * @returns {Promise<{ file: string, size: number, files: string[] }>}
 */
export async function pack(dir, destination) {
  const { code, output } = await run(
    'npm',
    ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', destination],
    {
      cwd: join(root, dir),
    },
  );
  if (code !== 0) fail(`npm pack failed in ${dir}:\n${output}`, 'correct the package, then try again', 2);
  const [{ filename, size, files }] = JSON.parse(output.slice(output.indexOf('[')));
  return { file: join(destination, filename), size, files: files.map(({ path }) => path) };
}
