// npm leaves builds for other platforms out of package-lock.json when a registry does not serve them, and then `npm ci`
// refuses the file. The packages that depend on them name their exact versions, so they can be added.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';

const options = readOptions(
  `
Adds to package-lock.json, and to those of the site and of examples/nextjs, an entry for every optional dependency that has none. Entries added here carry a version
and no checksum; npm adds the checksum when the package is first installed on its own platform.

  node tools/release/complete-lock.mjs          add what is missing
  node tools/release/complete-lock.mjs --check  exit 1 when something is missing
`,
  { check: { type: 'boolean' } },
);

const platform =
  /(?<os>android|darwin|freebsd|linux|netbsd|openbsd|openharmony|win32|wasm32)-(?<cpu>[a-z0-9]+)(?:-(?<abi>\w+))?$/;

function isLocked(lock, from, name) {
  for (let dir = from; ; dir = dir.slice(0, Math.max(0, dir.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${dir}${dir && '/'}node_modules/${name}`]) return true;
    if (dir === '') return false;
  }
}

function entryFor(lock, { from, name, version }) {
  const dev = lock.packages[from].dev ? { dev: true } : {};
  const { os, cpu, abi } = platform.exec(name)?.groups ?? {};
  if (!os || !/^\d+\.\d+\.\d+[-.\w]*$/.test(version))
    fail(`${name}@${version} is not locked, and its platform cannot be read from its name`, 'run npm install', 2);
  const libc = os === 'linux' && abi ? { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] } : {};
  if (os === 'wasm32') return { version, cpu: ['wasm32'], ...dev, optional: true };
  return { version, cpu: [cpu], ...dev, ...libc, optional: true, os: [os] };
}

function complete(name) {
  const file = join(root, name);
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const asked = Object.entries(lock.packages).flatMap(([from, entry]) =>
    Object.entries(entry.optionalDependencies ?? {}).map(([need, version]) => ({ from, name: need, version })),
  );
  const missing = asked.filter((each) => !isLocked(lock, each.from, each.name));
  if (asked.length === 0) fail(`${name} names no optional dependency`, 'run npm install first', 2);
  if (missing.length > 0 && options.check)
    fail(`${missing.length} optional dependencies are not in ${name}`, 'run npm run check -- lock');
  for (const each of missing) lock.packages[`node_modules/${each.name}`] = entryFor(lock, each);
  if (missing.length > 0) {
    lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
    writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  }
  console.log(`OK - ${name}: ${asked.length} optional dependencies are locked, ${missing.length} of them added now`);
}

for (const folder of ['', 'site/', 'examples/nextjs/']) complete(`${folder}package-lock.json`);
