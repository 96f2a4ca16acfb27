// In place of npm, which would need the network: what a page installs is what this repository has installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const [bin, ...command] = process.argv.slice(2);
const names = command.filter((word) => word !== '--' && !word.startsWith('-'));

/** The folder of an installed package. */
function installed(name) {
  const folder = join(ROOT, 'node_modules', name);
  if (!existsSync(folder)) throw new Error(`npm install ${name}: this repository does not have it`);
  return folder;
}

/** Puts the programs of a package on the path. */
function link(name) {
  const { bin: programs } = JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8'));
  for (const [program, file] of Object.entries(programs)) symlinkSync(join(installed(name), file), join(bin, program));
}

/** Runs the real program in a checkout. A page that speaks of a checkout elsewhere only has the names of its packages checked. */
function tarballs(wanted) {
  const packages = wanted.map((name) => installed(name === 'sallyport' ? name : `@sallyport/${name}`));
  if (!existsSync('tools/release/tarballs.mjs'))
    return void process.stdout.write(`npm install ${packages.join(' ')}\n`);
  process.exitCode = spawnSync('node', ['tools/release/tarballs.mjs', ...wanted], { stdio: 'inherit' }).status ?? 1;
}

const [verb, ...rest] = names;
if (verb === 'ci') symlinkSync(join(ROOT, 'node_modules'), 'node_modules');
else if (verb === 'install' && command.includes('--global')) rest.forEach(link);
else if (verb === 'install') rest.forEach(installed);
else if (verb === 'run' && rest[0] === 'tarballs') tarballs(rest.slice(1));
else throw new Error(`expected npm ci, npm install or npm run tarballs; received npm ${command.join(' ')}`);
