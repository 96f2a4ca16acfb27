// Installs hosts and the packed Sallyport, each in a folder of its own.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail, run } from '../../command.mjs';
import { build, pack, withNeeded } from '../../release/packages.mjs';

const TIMEOUT = 10 * 60_000;

async function install(folder, packages, flags = []) {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', ...flags, ...packages];
  const { code, output } = await run('npm', args, { cwd: folder, timeout: TIMEOUT });
  return code === 0 ? undefined : output.trim().split('\n').slice(-5).join('\n');
}

/** Installs a host unless the folder has it. Returns its program and version, or why it cannot be installed. */
export async function installHost(folder, { host, package: name, bin }) {
  const own = join(folder, host);
  const manifest = join(own, 'node_modules', name, 'package.json');
  const problem = existsSync(manifest) ? undefined : await install(own, [`${name}@latest`]);
  if (problem !== undefined || !existsSync(manifest)) return { problem: problem ?? `${name} is missing` };
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return { program: join(own, 'node_modules', '.bin', bin), version };
}

/** Packs the command line, or takes the tarballs of `from`, and installs it. Returns the folder of its program. */
export async function installSallyport(folder, from) {
  const own = join(folder, 'sallyport');
  rmSync(own, { recursive: true, force: true });
  const scratch = mkdtempSync(join(tmpdir(), 'sallyport-packed-'));
  const tarballs = [];
  if (from === undefined) {
    await build();
    for (const { dir } of withNeeded(['@sallyport/cli'])) tarballs.push((await pack(dir, scratch)).file);
  } else {
    const names = readdirSync(from).filter((name) => name.endsWith('.tgz'));
    tarballs.push(...names.map((name) => resolve(from, name)));
  }
  const problem = await install(own, tarballs, ['--ignore-scripts']);
  rmSync(scratch, { recursive: true });
  if (problem !== undefined) fail(`the packed command line cannot be installed:\n${problem}`, 'check the registry', 2);
  return join(own, 'node_modules', '.bin');
}
