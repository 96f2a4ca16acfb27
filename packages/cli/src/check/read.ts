import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '../io.ts';
import { CommandError } from '../terminal-text.ts';
import { decode } from './decode.ts';

/** The classifier looks at a megabyte in a fifth of a second. */
const MAX_BYTES = 64 * 1024 * 1024;
const CHUNK = 1024 * 1024;

/** All of it, or undefined where it is too much: a pipe and a device have no size that could be asked for before. */
function readAll(descriptor: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= MAX_BYTES; ) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const count = readSync(descriptor, chunk, 0, CHUNK, null);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    size += count;
  }
  return undefined;
}

function readBytes(file: string, io: Io): Buffer | undefined {
  if (file === '-') return readAll(0);
  const descriptor = openSync(resolve(io.cwd, file), 'r');
  try {
    return readAll(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The text of a file, or of standard input where the file is `-`. */
export function readText(file: string, name: string, io: Io): string {
  let bytes: Buffer | undefined;
  try {
    bytes = readBytes(file, io);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const next = code === 'EISDIR' ? `name files: ${file}/*.md` : 'look at the name, and whether you may read it';
    throw new CommandError(`${name} cannot be read (${code ?? 'unknown'})`, next, 2);
  }
  if (bytes === undefined)
    throw new CommandError(`${name} has more than 64 MiB`, 'split it, or check the parts that an agent reads', 2);
  const text = decode(bytes);
  if (text === undefined)
    throw new CommandError(`skipped: ${name} is not a text`, 'name files of text, or make a text of it first', 2);
  return text;
}
