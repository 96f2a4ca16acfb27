// Rules for the manifests of public packages: dependencies at run time, and the fields that npm needs for provenance.
const HOME = 'https://github.com/sallyport/sallyport';

// The only dependencies that a package may have at run time, besides our own packages and optional peers.
const FOREIGN = {
  '@sallyport/core': ['@noble/hashes'],
  '@sallyport/cli': [
    '@decimalturn/toml-patch',
    '@modelcontextprotocol/client',
    'ajv',
    'commander',
    'diff',
    'jsonc-parser',
    'yaml',
  ],
  '@sallyport/shell': ['unbash'],
  '@sallyport/sandbox': ['ajv', 'quickjs-wasi'],
  '@sallyport/react': ['react'],
  '@sallyport/console': [],
  '@sallyport/gateway': [
    '@hono/node-server',
    '@opentelemetry/api',
    'ajv',
    'hono',
    'ioredis',
    'jose',
    'oauth4webapi',
    'pino',
    'postgres',
    'prom-client',
    'undici',
  ],
};

/** Packages that must be packed. */
export const EXPECTED = Object.keys(FOREIGN);

/** An adapter may depend on its framework. */
function allowedFor({ dir, name, manifest }) {
  const peers = Object.keys(manifest.peerDependencies ?? {});
  if (dir.startsWith('adapters') && peers.length === 1) return peers;
  return FOREIGN[name] ?? [];
}

function* versionProblems(name, needs, versions) {
  for (const [need, version] of Object.entries(needs))
    if (versions.has(need) && versions.get(need) !== version)
      yield `${name} needs ${need} ${version}, but that package is at ${versions.get(need)}`;
}

/**
 * @param {{ dir: string, name: string, manifest: Record<string, any> }} one
 * @param {ReadonlyMap<string, string>} versions of our own packages
 */
export function* needProblems({ dir, name, manifest }, versions) {
  const all = { ...manifest.dependencies, ...manifest.peerDependencies };
  yield* versionProblems(name, { ...all, ...manifest.devDependencies }, versions);
  const isOptional = (need) => manifest.peerDependenciesMeta?.[need]?.optional === true;
  const needs = Object.keys(all).filter((need) => !isOptional(need));
  const allowed = allowedFor({ dir, name, manifest });
  for (const missing of allowed.filter((need) => !needs.includes(need))) yield `${name} does not need ${missing}`;
  for (const need of needs)
    if (!versions.has(need) && !allowed.includes(need)) yield `${name} needs ${need}, which is not allowed here`;
}

// What npm installs or runs in addition to `dependencies`: neither the list above nor a bill of materials would show it.
const HIDDEN_FIELDS = ['optionalDependencies', 'bundleDependencies', 'bundledDependencies'];
const HIDDEN_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];

/** @param {{ name: string, manifest: Record<string, any> }} one */
export function* hiddenProblems({ name, manifest }) {
  for (const field of HIDDEN_FIELDS) if (manifest[field] !== undefined) yield `${name} has ${field}`;
  for (const script of HIDDEN_SCRIPTS)
    if (manifest.scripts?.[script] !== undefined) yield `${name} runs a script at ${script}`;
}

/**
 * The fields that npm compares with the build when it accepts provenance, and those that the package's page shows.
 * @param {{ dir: string, name: string, manifest: Record<string, any> }} one
 */
export function* pageProblems({ dir, name, manifest }) {
  const wanted = {
    homepage: `${HOME}/tree/main/${dir}#readme`,
    bugs: { url: `${HOME}/issues` },
    repository: { type: 'git', url: `git+${HOME}.git`, directory: dir },
    publishConfig: { access: 'public', provenance: true },
  };
  for (const [field, value] of Object.entries(wanted))
    if (JSON.stringify(manifest[field]) !== JSON.stringify(value))
      yield `${name}: ${field} is not ${JSON.stringify(value)}`;
  const { description, keywords } = manifest;
  if (typeof description !== 'string' || description.length < 20) yield `${name} has no description`;
  if (!Array.isArray(keywords) || keywords.length === 0) yield `${name} has no keywords`;
}

/**
 * @param {Readonly<Record<string, number>>} limits packed kB by package
 * @param {ReadonlyMap<string, number>} sizes packed bytes by package
 */
export function* sizeProblems(limits, sizes) {
  for (const [name, size] of sizes) {
    if (!Object.hasOwn(limits, name)) yield `${name} has no limit in tools/release/sizes.json`;
    else if (size > limits[name] * 1000)
      yield `${name} has ${(size / 1000).toFixed(1)} kB packed, more than the ${limits[name]} kB of tools/release/sizes.json`;
  }
  for (const name of Object.keys(limits))
    if (!sizes.has(name)) yield `tools/release/sizes.json has a limit for ${name}, which was not packed`;
}
