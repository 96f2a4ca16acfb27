import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';

const MAX_FILES = 20;
const MAX_BYTES = 1_000_000;

export interface AttachedFile {
  readonly path: string;
  readonly text: string;
}

function readFile(path: string): readonly AttachedFile[] {
  try {
    const stats = statSync(path);
    // A link in a repository may lead to a device or a pipe, which never ends.
    return !stats.isFile() || stats.size > MAX_BYTES ? [] : [{ path, text: readFileSync(path, 'utf8') }];
  } catch {
    // Not every word after an @ is a file.
    return [];
  }
}

/** The files that a host reads with a prompt. No event says what is in them. */
export function readAttached(files: readonly string[], folder = '.'): readonly AttachedFile[] {
  const paths = files.map((file) => resolve(folder, file.replace(/^~(?=\/)/, homedir())));
  return [...new Set(paths)].slice(0, MAX_FILES).flatMap(readFile);
}
