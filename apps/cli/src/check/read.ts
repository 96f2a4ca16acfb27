import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '../io.ts';
import { CommandError } from '../terminal-text.ts';
import { decode } from './decode.ts';

/** The classifier needs about 0.2 seconds per megabyte, and reads everything twice. */
const MAX_BYTES = 64 * 1024 * 1024;
const CHUNK = 1024 * 1024;

/** Reads everything; undefined if it is too long. The size of a pipe or a device is not known in advance. */
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

/** The error for a file that is not text. */
export class NotTextError extends CommandError {}

/** The text of a file, or of standard input if the file is `-`. */
export function readText(file: string, name: string, io: Io): string {
  let bytes: Buffer | undefined;
  try {
    bytes = readBytes(file, io);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CommandError(
      `cannot read ${name} (${code ?? 'unknown error'})`,
      'check the name and the permissions of the file',
      2,
    );
  }
  if (bytes === undefined)
    throw new CommandError(`${name} is larger than 64 MiB`, 'split it, or check only the parts that an agent reads', 2);
  const text = decode(bytes);
  if (text === undefined)
    throw new NotTextError(`skipped ${name}: it is not a text file`, 'name text files, or convert it to text first', 2);
  return text;
}
