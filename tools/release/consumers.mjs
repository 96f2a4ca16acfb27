// Installs the packed packages as a user would, and checks that they work on every supported platform.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endProgress, fail, inLanes, progress, readOptions, root, run } from '../command.mjs';
import { runInBrowser } from './consumers-browser.mjs';
import { documentConsumers } from './consumers-docs.mjs';
import { exampleConsumers, neededByExamples } from './consumers-examples.mjs';
import { build, isOurs, pack, publicPackages } from './packages.mjs';

const options = readOptions(
  `
Builds, packs and installs the public packages in a temporary project, then runs tools/release/consumers/* there:
  ES modules and CommonJS on Node 20, 22 and 24; types with TypeScript 5.4 and 7, resolution NodeNext and Bundler;
  types of a CommonJS consumer; the command line's own doctor; a page in headless Chromium (CHROMIUM=path, or /usr/bin/chromium).
Then installs what the examples import as well, and runs a copy of each example there, without a provider's key.
And runs the commands that pages give to install a package, each in a folder of its own, and imports the packages.
Exit 1 when one of them fails, or when a public package is used by none of them.

  npm run check -- consumers
  npm run check -- consumers --only browser  only consumers whose name contains this word; example: the copied examples;
                                             page: the commands of pages
  npm run check -- consumers --without page  all but those
  npm run check -- consumers --from folder   install the tarballs in this folder: npm run check -- pack --out folder
`,
  { only: { type: 'string' }, without: { type: 'string' }, from: { type: 'string' } },
);

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-consumers-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const sources = join(root, 'tools', 'release', 'consumers');

/** The frameworks and the other packages of their scopes, as this repository has locked them: a release of theirs must not break this. */
function lockedFrameworks() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const frameworks = new Set(publicPackages().flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {})));
  const isOfFramework = (name) =>
    [...frameworks].some((each) => each === name || name.startsWith(`@${each.replace(/^@/, '').split('/')[0]}/`));
  return Object.fromEntries(
    Object.entries(packages)
      .map(([path, { version }]) => [path.slice('node_modules/'.length), version])
      .filter(([name, version]) => version && !name.includes('node_modules/') && !isOurs(name) && isOfFramework(name)),
  );
}

const INSTALL_TIMEOUT = 10 * 60_000;

function createProject(name = 'project') {
  const project = join(scratch, name);
  mkdirSync(project);
  const manifest = { name: 'consumer', private: true, type: 'module', overrides: lockedFrameworks() };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  return project;
}

const runNpm = (project, packages) =>
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', ...packages], {
    cwd: project,
    timeout: INSTALL_TIMEOUT,
  });

async function install(project, packages) {
  const { code, output, timedOut } = await runNpm(project, packages);
  if (timedOut) fail('npm install took over ten minutes', 'see which peer dependency cannot be met', 2);
  if (code !== 0)
    fail(`npm install ${packages.join(' ')} failed:\n${output}`, 'check the registry, then the package.json', 2);
}

/** The versions of Node that npm installed under aliases. */
function nodes() {
  const all = [20, 22, 24].map((version) => ({
    name: `Node ${version}`,
    path: join(root, 'node_modules', `node-${version}`, 'bin', 'node'),
  }));
  const absent = all.find(({ path }) => !existsSync(path));
  if (absent)
    fail(`${absent.path} does not exist`, 'run npm ci on Linux x64: the versions of Node are installed only there', 2);
  return all;
}

function runs(project, source) {
  copyFileSync(join(sources, source), join(project, source));
  return nodes().map(({ name, path }) => ({
    name: `${source} on ${name}`,
    check: async () => await run(path, [source], { cwd: project, timeout: 60_000 }),
  }));
}

function types(project, source, compiler, resolution) {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', compiler, 'package.json'), 'utf8'));
  const config = `tsconfig.${compiler}.${resolution}.json`;
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022'],
    module: resolution === 'NodeNext' ? 'NodeNext' : 'ES2022',
    moduleResolution: resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: [],
    noEmit: true,
  };
  copyFileSync(join(sources, source), join(project, source));
  writeFileSync(join(project, config), JSON.stringify({ compilerOptions, files: [source] }));
  return {
    name: `${source} with TypeScript ${version}, ${resolution}`,
    check: async () =>
      await run(process.execPath, [join(root, 'node_modules', compiler, 'bin', 'tsc'), '-p', config], { cwd: project }),
  };
}

/** The command line, as npm links it: `doctor` starts a hostile server with the boundary in front, and checks what passes. */
function commands(project) {
  return nodes().map(({ name, path }) => ({
    name: `sallyport doctor on ${name}`,
    check: async () =>
      await run(path, [join('node_modules', '.bin', 'sallyport'), 'doctor'], { cwd: project, timeout: 60_000 }),
  }));
}

/** Packages with an entry point that no consumer imports. */
function unused() {
  const text = readdirSync(sources)
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .join('\n');
  return publicPackages().filter(
    ({ name, manifest }) => manifest.exports['.'] !== undefined && !text.includes(`from '${name}'`),
  );
}

for (const { name } of unused()) fail(`no consumer uses ${name}`, 'add it to tools/release/consumers/every.mjs');
async function packed() {
  progress('building and packing');
  await build();
  const files = [];
  for (const { dir } of publicPackages()) files.push((await pack(dir, scratch)).file);
  return files;
}

/** The tarballs of a folder, one for every public package. */
function tarballsIn(folder) {
  const found = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  if (found.length !== publicPackages().length)
    fail(`${folder} has ${found.length} tarballs`, 'run npm run check -- pack --out with an empty folder', 2);
  return found.map((name) => resolve(folder, name));
}

const tarballs = options.from ? tarballsIn(options.from) : await packed();
progress(`installing ${tarballs.length} tarballs`);
const project = createProject();
await install(project, tarballs);

const consumers = [
  ...runs(project, 'esm.mjs'),
  ...runs(project, 'every.mjs'),
  ...runs(project, 'commonjs.cjs'),
  types(project, 'types.ts', 'typescript-5.4', 'NodeNext'),
  types(project, 'types.ts', 'typescript-5.4', 'Bundler'),
  types(project, 'types.ts', 'typescript', 'NodeNext'),
  types(project, 'types.ts', 'typescript', 'Bundler'),
  types(project, 'types.cts', 'typescript', 'NodeNext'),
  ...commands(project),
  { name: 'browser.mjs in Chromium', check: async () => await runInBrowser(project, join(sources, 'browser.mjs')) },
];
const examples = exampleConsumers(project);
const documents = documentConsumers({ tarballs, locked: lockedFrameworks(), createProject, runNpm });
const everyone = [...consumers, ...examples, ...documents];
const isChosen = ({ name }) =>
  (options.only === undefined || name.includes(options.only)) &&
  (options.without === undefined || !name.includes(options.without));
const chosen = everyone.filter(isChosen);
if (chosen.length === 0)
  fail(
    `--only and --without choose no consumer; received ${options.only} and ${options.without}`,
    `use one of: ${everyone.map((one) => one.name).join(', ')}`,
    2,
  );

const failed = [];
let done = 0;

async function runAll(some) {
  await inLanes(some, 2, async ({ name, check }) => {
    if (process.stdout.isTTY) progress(`[${done + 1}/${chosen.length}] ${name}`);
    const { code, output } = await check();
    done++;
    endProgress();
    console.log(`[${done}/${chosen.length}] ${code === 0 ? 'ok' : 'FAILED'} ${name}`);
    if (code !== 0) console.error(output);
    if (code !== 0) failed.push(name);
  });
}

await runAll(consumers.filter(isChosen));
// Only now: with what the examples import, a dependency that one of our packages does not declare could be found by accident.
if (examples.some(isChosen)) {
  progress('installing what the examples import');
  await install(project, neededByExamples(new Set(publicPackages().map(({ name }) => name))));
  await runAll(examples.filter(isChosen));
}
await runAll(documents.filter(isChosen));
if (failed.length > 0) fail(`${failed.length} of ${chosen.length} consumers fail`, 'see the output of each above');
console.log(`OK - ${chosen.length} consumers of the packed packages work`);
