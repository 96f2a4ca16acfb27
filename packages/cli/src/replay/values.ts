import { createReadStream, statSync } from 'node:fs';
import { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { CommandError } from '../say.ts';
import { JsonLines, type Parsed, TooLong } from './lines.ts';

/** What was read of a file, and how far: bytes of all that it has. */
export type Read = Parsed & { readonly bytes: number; readonly total: number };

function unpacked(file: string): Transform {
  if (file.endsWith('.br')) return createBrotliDecompress();
  if (file.endsWith('.gz')) return createGunzip();
  return new Transform({ transform: (chunk, _, done) => done(null, chunk) });
}

function refused(file: string, cause: unknown): CommandError {
  if (cause instanceof TooLong)
    return new CommandError(
      `${file}: ${cause.message}`,
      'write one conversation to a line (JSONL), or split the file',
      2,
    );
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  return new CommandError(
    `${file} cannot be read (${code})`,
    'look at the name, its ending, and whether you may read it',
    2,
  );
}

/** The JSON values of a file, packed or not, one at a time. */
export async function* valuesIn(file: string): AsyncGenerator<Read> {
  const lines = new JsonLines();
  try {
    const total = statSync(file).size;
    const source = createReadStream(file, { highWaterMark: 1 << 20 });
    const packed = unpacked(file);
    source.on('error', (error) => packed.destroy(error));
    for await (const chunk of source.pipe(packed) as AsyncIterable<Buffer>)
      for (const parsed of lines.take(chunk)) yield { ...parsed, bytes: source.bytesRead, total };
    for (const parsed of lines.end()) yield { ...parsed, bytes: total, total };
  } catch (cause) {
    throw refused(file, cause);
  }
}
