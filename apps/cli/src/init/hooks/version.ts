import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostHooks } from '../../hook/hosts/host.ts';
import type { Machine } from '../config/clients.ts';
import { programOf } from '../program.ts';

/** The version of a package of npm that a program is in. */
function versionOf(path: string, wanted: string): string | undefined {
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
        string,
        unknown
      >;
      if (name === wanted && typeof version === 'string') return version;
    } catch {
      // The folder above may be that of the package.
    }
  }
  return undefined;
}

function isBefore(version: string, other: string): boolean {
  const [one, two] = [version, other].map((each) => each.split(/[.-]/, 3).map(Number));
  const index = one?.findIndex((part, at) => part !== two?.[at]) ?? -1;
  return index >= 0 && (one?.[index] ?? 0) < (two?.[index] ?? 0);
}

/** Says why the installed version of a host is too old for hooks. Undefined if it is not, or is not known. */
export function tooOld(
  { name, needs }: HostHooks,
  machine: Pick<Machine, 'environment' | 'platform'>,
): string | undefined {
  const program = needs && programOf(needs.program, machine);
  if (needs === undefined || program === undefined) return undefined;
  const version = versionOf(realpathSync(program), needs.package);
  if (version === undefined || !isBefore(version, needs.version)) return undefined;
  return `${name} ${version} makes calls that should be asked about; update it to ${needs.version} or later`;
}
