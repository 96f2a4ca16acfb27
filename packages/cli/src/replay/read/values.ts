import { createReadStream, statSync } from 'node:fs';
import { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { CommandError, shown } from '../../terminal-text.ts';
import { JsonLines, type Parsed, TooLong } from './lines.ts';

/** What was read of a file, and how far: bytes of all that it has, which nobody knows of standard input. */
export type Read = Parsed & { readonly bytes: number; readonly total: number | undefined };

/** The name by which standard input is given. */
export const STANDARD_INPUT = '-';

function unpacked(file: string): Transform {
  if (file.endsWith('.br')) return createBrotliDecompress();
  if (file.endsWith('.gz')) return createGunzip();
  return new Transform({ transform: (chunk, _, done) => done(null, chunk) });
}

function refused(file: string, cause: unknown): CommandError {
  if (cause instanceof TooLong)
    return new CommandError(
      `${shown(file)}: ${cause.message}`,
      'write one conversation to a line (JSONL), or split the file',
      2,
    );
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  return new CommandError(
    `${shown(file)} cannot be read (${code})`,
    code === 'EISDIR'
      ? `it is a folder: name the files in it, such as ${shown(file)}/*.jsonl`
      : 'look at the name, its ending, and whether you may read it',
    2,
  );
}

interface Source {
  readonly chunks: AsyncIterable<Buffer>;
  readonly total: number | undefined;
  /** How many bytes have been read, as they stand in the file. */
  readonly bytes: () => number;
}

function open(file: string): Source {
  const isInput = file === STANDARD_INPUT;
  const total = isInput ? undefined : statSync(file).size;
  const source = isInput ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 });
  const packed = unpacked(file);
  source.on('error', (error: Error) => packed.destroy(error));
  return { chunks: source.pipe(packed), total, bytes: () => source.bytesRead };
}

/** The JSON values of a file, packed or not, or of standard input, one at a time. */
export async function* valuesIn(file: string): AsyncGenerator<Read> {
  const lines = new JsonLines();
  try {
    const { chunks, total, bytes } = open(file);
    for await (const chunk of chunks)
      for (const parsed of lines.take(chunk)) yield { ...parsed, bytes: bytes(), total };
    for (const parsed of lines.end()) yield { ...parsed, bytes: bytes(), total };
  } catch (cause) {
    throw refused(file, cause);
  }
}
