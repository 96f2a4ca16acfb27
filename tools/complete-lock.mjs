// npm leaves out of package-lock.json the builds for other platforms that a registry does not serve, and then
// `npm ci` refuses the file. Their exact versions stand in the packages that ask for them, so they can be added.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from './command.mjs';

const options = readOptions(
  `
Adds to package-lock.json an entry for every optional dependency that has none. Entries added here carry a version
and no checksum; npm adds the checksum when the package is first installed on its own platform.

  node tools/complete-lock.mjs          add what is missing
  node tools/complete-lock.mjs --check  exit 1 when something is missing
`,
  { check: { type: 'boolean' } },
);

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const platform =
  /(?<os>android|darwin|freebsd|linux|netbsd|openbsd|openharmony|win32|wasm32)-(?<cpu>[a-z0-9]+)(?:-(?<abi>\w+))?$/;

function isLocked(from, name) {
  for (let dir = from; ; dir = dir.slice(0, Math.max(0, dir.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${dir}${dir && '/'}node_modules/${name}`]) return true;
    if (dir === '') return false;
  }
}

function entryFor(from, name, version) {
  const dev = lock.packages[from].dev ? { dev: true } : {};
  const { os, cpu, abi } = platform.exec(name)?.groups ?? {};
  if (!os || !/^\d+\.\d+\.\d+[-.\w]*$/.test(version))
    fail(`${name}@${version} is not locked, and its platform cannot be read from its name`, 'run npm install', 2);
  const libc = os === 'linux' && abi ? { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] } : {};
  if (os === 'wasm32') return { version, cpu: ['wasm32'], ...dev, optional: true };
  return { version, cpu: [cpu], ...dev, ...libc, optional: true, os: [os] };
}

const asked = Object.entries(lock.packages).flatMap(([from, entry]) =>
  Object.entries(entry.optionalDependencies ?? {}).map(([name, version]) => ({ from, name, version })),
);
const missing = asked.filter(({ from, name }) => !isLocked(from, name));

if (asked.length === 0) fail('package-lock.json names no optional dependency', 'run npm install first', 2);
if (missing.length > 0 && options.check)
  fail(`${missing.length} optional dependencies are not in package-lock.json`, 'run npm run lock:complete');
for (const { from, name, version } of missing) lock.packages[`node_modules/${name}`] = entryFor(from, name, version);
if (missing.length > 0) {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(`OK - ${asked.length} optional dependencies are locked, ${missing.length} of them added now`);
