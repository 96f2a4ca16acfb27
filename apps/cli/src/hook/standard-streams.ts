import { readSync, writeSync } from 'node:fs';

// A hook runs on every tool call. Node.js needs 4 ms to load the streams of process.stdin and process.stdout, so they are used only
// where the host's pipe does not wait for its other end: reading or writing it at once then fails with EAGAIN.

const CHUNK = 65_536;

/** The host's input, in parts. */
export async function* standardInput(): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const length = readSync(0, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // On Windows, the end of a pipe is an error.
    if (code === 'EOF') return;
    if (code !== 'EAGAIN') throw cause;
  }
  yield* process.stdin;
}

/** Writes all of `bytes`, and then calls `done`. */
export function writeOutput(bytes: Buffer, done: () => void): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause;
    process.stdout.write(bytes.subarray(written), done);
    return;
  }
  done();
}
