// Builds the image of the gateway with buildah, and runs it as its user against a PostgreSQL of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fail, readOptions, root } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { Postgres } from './postgres.ts';
import { freePort } from './program.ts';
import { setUp } from './roles.ts';

const options = readOptions(
  `
Builds apps/gateway/Dockerfile with buildah, migrates a PostgreSQL of its own with the image, starts a replica, and looks whether it
serves, may change its own files, and ends on SIGTERM. Needs root, Linux, buildah and postgresql. Where the base image cannot be pulled, one is made of
Debian's packages (debootstrap) and the Node of this repository, and the output says so.

  npm run check -- image        writes evals/results/image.json and its figures
  npm run check -- image --dry  writes nothing
`,
  { dry: { type: 'boolean' } },
);

const BASE = 'docker.io/library/node:24.21.0-bookworm-slim';
const MADE = 'made here of Debian packages and the Node of this repository';
const IMAGE = 'localhost/sallyport-gateway:check';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const KEYS = { SALLYPORT_KEY: 'a'.repeat(64), SALLYPORT_SECRETS_KEY: 'b'.repeat(64) };
/** Without namespaces of its own, so that it works within a container too. */
const environment = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };

function buildah(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('buildah', args, { cwd: root, encoding: 'utf8', env: environment });
  if (status !== 0) throw new Error(`buildah ${args[0]} failed: ${`${stdout}${stderr}`.slice(-2000)}`);
  return stdout.trim();
}

/** The files of a small Debian with Node and npm. */
function makeFolder(folder: string): void {
  const made = spawnSync('debootstrap', ['--variant=minbase', 'bookworm', folder], { encoding: 'utf8' });
  if (made.status !== 0)
    fail(`there is no base image: ${made.error?.message ?? made.stdout.slice(-500)}`, 'apt-get install debootstrap', 2);
  const npm = spawnSync('npm', ['root', '--global'], { encoding: 'utf8' }).stdout.trim();
  const local = join(folder, 'usr/local');
  cpSync(join(root, 'node_modules/node-24/bin/node'), join(local, 'bin/node'));
  cpSync(join(npm, 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true });
  mkdirSync(join(folder, 'etc/ssl/certs'), { recursive: true });
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(folder, CERTIFICATES));
}

/** Makes the base image where it cannot be pulled. Returns where it came from. */
function prepareBase(): string {
  if (spawnSync('buildah', ['pull', '--policy', 'always', BASE], { env: environment }).status === 0) return 'pulled';
  if (spawnSync('buildah', ['inspect', '--type', 'image', BASE], { env: environment }).status === 0) return MADE;
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-image-'));
  makeFolder(folder);
  const container = buildah('from', 'scratch');
  buildah('copy', container, folder, '/');
  buildah('run', container, '--', 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm');
  buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, container);
  buildah('commit', '--quiet', container, BASE);
  buildah('rm', container);
  rmSync(folder, { recursive: true });
  return MADE;
}

/** The container as the image configures it. */
class Container {
  readonly #name = buildah('from', '--pull-never', IMAGE);

  #args(args: readonly string[], variables: Readonly<Record<string, string>>): string[] {
    const given = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return ['run', ...given, this.#name, '--', ...args];
  }

  run(args: readonly string[], variables: Readonly<Record<string, string>> = {}): string {
    return buildah(...this.#args(args, variables));
  }

  start(args: readonly string[], variables: Readonly<Record<string, string>>): ChildProcess {
    return spawn('buildah', this.#args(args, variables), { env: environment, stdio: 'inherit' });
  }

  remove(): void {
    buildah('rm', this.#name);
  }
}

async function answerOf(url: string): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => undefined,
    );
    if (status !== undefined) return status;
    await pause(200);
  }
  throw new Error(`${url} does not answer.`);
}

const MAIN = ['node', 'apps/cli/dist/main.js'];
if (spawnSync('buildah', ['--version']).status !== 0) fail('there is no buildah', 'apt-get install buildah', 2);
const base = prepareBase();
console.log(`base image: ${base}`);
const started = Date.now();
buildah('build', '--pull-never', '--layers', '-f', 'apps/gateway/Dockerfile', '-t', IMAGE, '.');
const sizeOf = (image: string): number =>
  Number(JSON.parse(buildah('images', '--json', image))[0].size.replace(/ MB$/, ''));
const added = Math.round(sizeOf(IMAGE) - sizeOf(BASE));
console.log(`built in ${Math.round((Date.now() - started) / 1000)} s, ${added} MB more than its base`);

const server = await Postgres.start();
const container = new Container();
const checks: Record<string, boolean> = {};
try {
  const { url, ownerUrl } = await setUp(server.url);
  container.run([...MAIN, 'gateway', 'migrate'], { DATABASE_OWNER_URL: ownerUrl });
  checks['runs as a user without rights'] = container.run(['id', '-u']) === '65532';
  const written = container.run(['sh', '-c', 'echo x > apps/cli/dist/main.js 2>/dev/null && echo yes || echo no']);
  checks['cannot change its own code'] = written === 'no';
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const variables = { DATABASE_URL: url, PORT: String(port), ...KEYS };
  const replica = container.start([...MAIN, 'gateway'], variables);
  const ended = once(replica, 'exit');
  checks['answers /health'] = (await answerOf(`${origin}/health`)) === 200;
  checks['is ready'] = (await answerOf(`${origin}/ready`)) === 200;
  const key = container.run([...MAIN, 'gateway', 'workspace', 'acme'], variables);
  const servers = await fetch(`${origin}/api/v1/servers`, { headers: { authorization: `Bearer ${key}` } });
  checks['accepts the key of a new workspace'] = servers.status === 200;
  spawnSync('pkill', ['-TERM', '-u', '65532', '-f', `^\\S*${MAIN.join(' ')}`]);
  const [code] = await Promise.race([ended, pause(30_000, ['none'])]);
  checks['ends with exit code 0 on SIGTERM'] = code === 0;
} finally {
  container.remove();
  server.remove();
}
for (const [name, isOk] of Object.entries(checks)) console.log(`${isOk ? 'yes' : 'NO '}  ${name}`);
const failed = Object.keys(checks).filter((name) => !checks[name]);
if (failed.length > 0) fail(`the image fails: ${failed.join(', ')}`, 'mend apps/gateway/Dockerfile');
if (options.dry !== true) {
  writeResult('image', { base, checks, megabytes: added });
  writeFigures({ 'gateway.image_mb': { value: added, unit: 'MB', command: 'npm run check -- image' } });
}
console.log(`OK - the image passes ${Object.keys(checks).length} checks`);
