import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type Line, Lines } from '@sallyport/mcp-proxy';

const MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** A stream that messages are written to, each on a line of its own. */
export class LineSink {
  readonly #stream: Writable;
  #isFull = false;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  write(text: string): void {
    if (this.#stream.writable && !this.#stream.write(`${text}\n`)) this.#isFull = true;
  }

  /** Waits until the other side has read what was written. */
  async drained(): Promise<void> {
    if (!this.#isFull) return;
    this.#isFull = false;
    if (!this.#stream.writable || !this.#stream.writableNeedDrain) return;
    // Whichever comes first: the other is not waited for any longer, or each wait would leave a listener.
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([once(this.#stream, 'drain', { signal }), once(this.#stream, 'close', { signal })])
      .catch(() => undefined)
      .finally(() => waiting.abort());
  }
}

/** Hands every line of a stream to `take`, one after the other: nothing is read that could not be dealt with yet. */
export async function readLines(stream: Readable, take: (line: Line) => Promise<void>): Promise<void> {
  const lines = new Lines(MAX_LINE_LENGTH);
  for await (const chunk of stream) for (const line of lines.push(chunk as Uint8Array)) await take(line);
  for (const line of lines.end()) await take(line);
}
