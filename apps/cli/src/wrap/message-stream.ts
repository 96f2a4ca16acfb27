import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type Line, Lines } from '@sallyport/mcp-proxy';

const MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** Writes messages to a stream, one per line. */
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
    // The first event ends both waits; otherwise each call would leave a listener.
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([once(this.#stream, 'drain', { signal }), once(this.#stream, 'close', { signal })])
      // `once` rejects when the stream fails; the stream's own error handler reports that.
      .catch(() => undefined)
      .finally(() => waiting.abort());
  }
}

/** Passes every line of a stream to `onLine`, and reads no further until the returned promise settles. */
export async function readLines(stream: Readable, onLine: (line: Line) => Promise<void>): Promise<void> {
  const lines = new Lines(MAX_LINE_LENGTH);
  for await (const chunk of stream) for (const line of lines.push(chunk as Uint8Array)) await onLine(line);
  for (const line of lines.end()) await onLine(line);
}
