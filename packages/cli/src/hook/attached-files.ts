import { readFileSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';

const MAX_FILES = 20;
const MAX_BYTES = 1_000_000;

/** What hosts show as a picture, which is not read here either. */
const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

interface AttachedFile {
  readonly path: string;
  readonly text: string;
}

/** The files that were read, and whether those are all of them to their end. */
export interface Attached {
  readonly files: readonly AttachedFile[];
  readonly isComplete: boolean;
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    // Not every word after an @ is a file.
    return undefined;
  }
}

function readFile(path: string): readonly AttachedFile[] {
  try {
    return [{ path, text: readFileSync(path, 'utf8') }];
  } catch {
    return [];
  }
}

/** The files that a host reads with a prompt. No event says what is in them. */
export function readAttached(names: readonly string[], folder = '.'): Attached {
  const paths = names.map((name) => resolve(folder, name.replace(/^~(?=\/)/, homedir())));
  const found = [...new Set(paths)].flatMap((path) => {
    const stats = statsOf(path);
    // A link in a repository may lead to a device or a pipe, which never ends.
    return stats?.isFile() === true && !IMAGE.test(path) ? [{ path, size: stats.size }] : [];
  });
  const short = found.filter(({ size }) => size <= MAX_BYTES).slice(0, MAX_FILES);
  const files = short.flatMap(({ path }) => readFile(path));
  return { files, isComplete: files.length === found.length };
}
