import { createReadStream, statSync } from 'node:fs';
import { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { CommandError, printable } from '../../terminal-text.ts';
import { JsonLines, type Parsed, TooLong } from './lines.ts';

/** A value of a file, with the bytes read so far and the file's size; the size of standard input is undefined. */
export type Read = Parsed & { readonly bytes: number; readonly total: number | undefined };

/** The file name that means standard input. */
export const STANDARD_INPUT = '-';

function decompressor(file: string): Transform {
  if (file.endsWith('.br')) return createBrotliDecompress();
  if (file.endsWith('.gz')) return createGunzip();
  return new Transform({ transform: (chunk, _, done) => done(null, chunk) });
}

function readError(file: string, cause: unknown): CommandError {
  if (cause instanceof TooLong)
    return new CommandError(
      `${printable(file)}: ${cause.message}`,
      'write one conversation per line (JSONL), or split the file',
      2,
    );
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  return new CommandError(
    `cannot read ${printable(file)} (${code})`,
    code === 'EISDIR'
      ? `it is a folder; name the files in it, such as ${printable(file)}/*.jsonl`
      : 'check the name, the extension and the permissions of the file',
    2,
  );
}

interface Source {
  readonly chunks: AsyncIterable<Buffer>;
  readonly total: number | undefined;
  /** Bytes of the file read so far, before decompression. */
  readonly bytes: () => number;
}

function open(file: string): Source {
  const isInput = file === STANDARD_INPUT;
  const total = isInput ? undefined : statSync(file).size;
  const source = isInput ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 });
  const decompressed = decompressor(file);
  source.on('error', (error: Error) => decompressed.destroy(error));
  return { chunks: source.pipe(decompressed), total, bytes: () => source.bytesRead };
}

/** The JSON values of a file, compressed or not, or of standard input, one at a time. */
export async function* valuesIn(file: string): AsyncGenerator<Read> {
  const lines = new JsonLines();
  try {
    const { chunks, total, bytes } = open(file);
    for await (const chunk of chunks)
      for (const parsed of lines.push(chunk)) yield { ...parsed, bytes: bytes(), total };
    for (const parsed of lines.end()) yield { ...parsed, bytes: bytes(), total };
  } catch (cause) {
    throw readError(file, cause);
  }
}
