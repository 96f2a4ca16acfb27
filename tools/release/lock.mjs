// Extracts the part of the workspace's lock file that one package reaches at run time, as a separate lock file.

/** Where Node would find `name` for a package at `from`. A link points to one of our own packages. */
function find(packages, from, name) {
  for (
    let dir = from;
    ;
    dir = dir.includes('node_modules/') ? dir.slice(0, dir.lastIndexOf('node_modules/') - 1) : ''
  ) {
    const path = `${dir}${dir && '/'}node_modules/${name}`;
    if (packages[path]?.link) return packages[path].resolved;
    if (packages[path]) return path;
    if (dir === '' || dir === '/') return undefined;
  }
}

/** The fields of an entry that do not depend on the workspace: no marks of npm, nothing for development. */
function entryOf({ version, license, integrity, dependencies, optionalDependencies, engines }) {
  return { version, license, integrity, dependencies, optionalDependencies, engines };
}

/**
 * @param {{ dir: string, name: string }} one
 * @param {Record<string, any>} packages of the workspace's lock file
 * @param {ReadonlyMap<string, string>} own folders of our packages by name
 */
export function lockFor({ dir, name }, packages, own) {
  const root = packages[dir];
  const made = { '': { name, version: root.version, dependencies: root.dependencies } };
  const visit = (from, path) => {
    const { dependencies, optionalDependencies } = packages[from];
    for (const need of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = find(packages, from, need);
      if (found === undefined && Object.hasOwn(optionalDependencies ?? {}, need)) continue;
      if (found === undefined) throw new Error(`${need} of ${from} is not in package-lock.json`);
      const entry = entryOf(packages[found]);
      const top = `node_modules/${need}`;
      const isOther = made[top] !== undefined && made[top].version !== entry.version;
      const target = isOther ? `${path}/node_modules/${need}` : top;
      if (made[target] !== undefined) continue;
      made[target] = entry;
      visit(own.has(need) ? own.get(need) : found, target);
    }
  };
  visit(dir, '');
  return {
    name,
    version: root.version,
    lockfileVersion: 3,
    requires: true,
    packages: JSON.parse(JSON.stringify(made)),
  };
}
