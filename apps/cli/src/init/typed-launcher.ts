import { realpathSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import type { Io } from '../io.ts';
import { shortPath } from '../short-path.ts';
import { programOf } from './program.ts';
import { splitLauncher } from './wrapper.ts';

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
