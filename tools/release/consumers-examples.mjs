// The examples, copied out of the repository and run with the installed packages: a user who copies one gets a program that works.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root, run, typescriptOptions } from '../command.mjs';

const SOURCES = join(root, 'examples');
const IMPORT = /^(?:import|export)\b[^;]*?from '([^']+)'/gm;
// With a key, an example asks a real model.
const KEYS = { OPENAI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined, GEMINI_API_KEY: undefined };

const names = readdirSync(SOURCES).filter((name) => existsSync(join(SOURCES, name, 'main.ts')));
if (names.length === 0) fail('no examples/*/main.ts exists', 'add one', 2);

/** The package of an import: `@scope/name` or `name`. */
const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function importedBy(name) {
  const files = readdirSync(join(SOURCES, name), { recursive: true }).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) =>
    [...readFileSync(join(SOURCES, name, file), 'utf8').matchAll(IMPORT)].map(([, specifier]) => ({ file, specifier })),
  );
}

/**
 * What the examples import in addition to our packages, in the tested versions.
 * @param {ReadonlySet<string>} own names of our public packages
 * @returns {string[]} such as `zod@4.6.7`
 */
export function neededByExamples(own) {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = new Set(['@types/node']);
  for (const name of names)
    for (const { file, specifier } of importedBy(name)) {
      if (specifier.startsWith('node:') || specifier.startsWith('./') || specifier.startsWith('../')) continue;
      const needs = packageOf(specifier);
      if (own.has(needs)) continue;
      if (devDependencies[needs] === undefined)
        fail(`examples/${name}/${file} imports ${specifier}, which users cannot install`, 'import a public package');
      needed.add(needs);
      if (devDependencies[`@types/${needs}`] !== undefined) needed.add(`@types/${needs}`);
    }
  return [...needed].map((name) => `${name}@${devDependencies[name]}`);
}

function typecheck(project) {
  const compilerOptions = {
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'NodeNext',
    strict: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    noEmit: true,
  };
  writeFileSync(join(project, 'examples', 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return run(process.execPath, [tsc, '-p', 'examples'], { cwd: project });
}

/**
 * One consumer for each example, and one that checks the types of all.
 * @param {string} project where the packages are installed
 */
export function exampleConsumers(project) {
  for (const name of names) cpSync(join(SOURCES, name), join(project, 'examples', name), { recursive: true });
  const runs = names.map((name) => ({
    name: `example ${name}, copied`,
    check: () =>
      run(process.execPath, [...typescriptOptions, 'main.ts'], {
        cwd: join(project, 'examples', name),
        env: KEYS,
        timeout: 60_000,
      }),
  }));
  return [{ name: 'types of the copied examples', check: () => typecheck(project) }, ...runs];
}
