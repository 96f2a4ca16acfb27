import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Machine } from './config/clients.ts';

/** The program that a name starts, if there is one. */
export function programOf(
  name: string,
  { environment, platform }: Pick<Machine, 'environment' | 'platform'>,
): string | undefined {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const names = platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  return folders.flatMap((folder) => names.map((each) => join(folder, each))).find((path) => existsSync(path));
}
