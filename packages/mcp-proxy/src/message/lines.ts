/** One line of a stream, without the line feed. */
export type Line =
  | { readonly type: 'line'; readonly text: string }
  /** Not UTF-8, or longer than allowed. Its beginning and ending may still contain the id of the request it answers. */
  | {
      readonly type: 'refused';
      readonly reason: 'oversized' | 'encoding';
      readonly beginning: string;
      readonly ending: string;
    };

const NEW_LINE = 10;
const MAX_END_BYTES = 512;
const MAX_CHUNKS = 4096;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

function refused(reason: 'oversized' | 'encoding', first: Uint8Array, last: Uint8Array): Line {
  const beginning = lenient.decode(first.subarray(0, MAX_END_BYTES));
  return { type: 'refused', reason, beginning, ending: lenient.decode(last.subarray(-MAX_END_BYTES)) };
}

function lineOf(bytes: Uint8Array): Line[] {
  try {
    const text = strict.decode(bytes);
    return text.trim() === '' ? [] : [{ type: 'line', text }];
  } catch {
    // Not UTF-8: the reason of the refused line says so.
    return [refused('encoding', bytes, bytes)];
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * Splits a stream of bytes into lines, for chunks of any size. Never buffers more than the longest allowed line.
 *
 * @example
 * ```ts
 * const lines = new Lines(1_000_000);
 * stream.on('data', (chunk) => lines.push(chunk).forEach(handle));
 * stream.on('end', () => lines.end().forEach(handle));
 * ```
 */
export class Lines {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  // The beginning and the ending so far of a line that is too long.
  #ends: { first: Uint8Array; last: Uint8Array } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk, and returns the lines that it completes. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, from)) {
      this.#append(chunk.subarray(from, end));
      lines.push(...this.end());
      from = end + 1;
    }
    if (from < chunk.length) this.#append(chunk.subarray(from));
    return lines;
  }

  /** The rest after the last line feed. Call it at the end of the stream. */
  end(): Line[] {
    const ends = this.#ends;
    const bytes = joined(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    this.#ends = undefined;
    if (ends !== undefined) return [refused('oversized', ends.first, ends.last)];
    return bytes.length === 0 ? [] : lineOf(bytes);
  }

  #append(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size <= this.#maxBytes) {
      this.#chunks.push(chunk);
      // A stream may arrive byte by byte, and each chunk has a fixed cost.
      if (this.#chunks.length > MAX_CHUNKS) this.#chunks = [joined(this.#chunks)];
      return;
    }
    if (this.#ends === undefined) {
      const start = joined(this.#chunks);
      this.#ends = { first: start.slice(0, MAX_END_BYTES), last: start.slice(-MAX_END_BYTES) };
      this.#chunks = [];
    }
    const { first, last } = this.#ends;
    if (first.length < MAX_END_BYTES) this.#ends.first = joined([first, chunk.slice(0, MAX_END_BYTES - first.length)]);
    this.#ends.last = joined([last, chunk.slice(-MAX_END_BYTES)]).slice(-MAX_END_BYTES);
  }
}
