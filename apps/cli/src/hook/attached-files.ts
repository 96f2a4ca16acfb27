import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';

const MAX_FILES = 20;
const MAX_BYTES = 1_000_000;

/** Bytes that say whether a file is a text: only others have a NUL among them. */
const MAX_HEAD = 8192;

/** Pictures, documents, archives and media. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|bmp|ico|tiff?|heic|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|(?:doc|xls|ppt)[xm]?|od[tsp]|mp[34]|m4[av]|mov|avi|mkv|webm|wav|ogg|flac)$/i;

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

/** The first bytes of a file; a read may return fewer than it was asked for. */
function firstBytes(path: string, size: number): Buffer {
  const buffer = Buffer.alloc(size);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (let count = -1; count !== 0 && length < size; length += count)
      count = readSync(file, buffer, length, size - length, null);
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

interface Found {
  readonly path: string;
  readonly size: number;
}

/** Recognizes a text file. A file that cannot be opened may be one. */
function isText({ path, size }: Found): boolean {
  try {
    return !NO_TEXT.test(path) && !firstBytes(path, Math.min(size, MAX_HEAD)).includes(0);
  } catch {
    return true;
  }
}

function readFile({ path, size }: Found): readonly AttachedFile[] {
  try {
    return [{ path, text: firstBytes(path, Math.min(size, MAX_BYTES)).toString('utf8') }];
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
    return stats?.isFile() === true ? [{ path, size: stats.size }] : [];
  });
  const texts = found.filter(isText);
  const files = texts.slice(0, MAX_FILES).flatMap(readFile);
  return { files, isComplete: files.length === texts.length && texts.every(({ size }) => size <= MAX_BYTES) };
}
