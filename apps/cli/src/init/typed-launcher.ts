import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import type { Io } from '../io.ts';
import { shortPath } from '../short-path.ts';
import { splitLauncher } from './wrapper.ts';

/** The program that a name starts, if there is one. */
export function programOf(name: string, { environment, platform }: Io): string | undefined {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const names = platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  return folders.flatMap((folder) => names.map((each) => join(folder, each))).find((path) => existsSync(path));
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // One of them is not a file.
    return false;
  }
}

/** A launcher as a person types it: by its name on the PATH, or else without what the shell knows. */
export function typedLauncher(io: Io, launcher: string): readonly string[] {
  const words = splitLauncher(launcher);
  const named = (path: string, name: string): boolean => {
    const program = programOf(name, io);
    return program !== undefined && isSameFile(program, path);
  };
  if (named(words.at(-1) ?? '', 'sallyport')) return ['sallyport'];
  return words.map((word) => {
    if (!isAbsolute(word)) return word;
    if (named(word, basename(word))) return basename(word);
    return io.platform === 'win32' || /[^\w./-]/.test(word) ? word : shortPath(word, io);
  });
}
