/** One line of a stream, without its end. */
export type Line =
  | { readonly type: 'line'; readonly text: string }
  /** Not UTF-8, or longer than allowed. Its two ends may still say which request it answers. */
  | {
      readonly type: 'refused';
      readonly reason: 'oversized' | 'encoding';
      readonly beginning: string;
      readonly ending: string;
    };

const NEW_LINE = 10;
const KEPT = 512;
const MAX_PIECES = 4096;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

function refused(reason: 'oversized' | 'encoding', first: Uint8Array, last: Uint8Array): Line {
  const beginning = lenient.decode(first.subarray(0, KEPT));
  return { type: 'refused', reason, beginning, ending: lenient.decode(last.subarray(-KEPT)) };
}

function lineOf(bytes: Uint8Array): Line[] {
  try {
    const text = strict.decode(bytes);
    return text.trim() === '' ? [] : [{ type: 'line', text }];
  } catch {
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

/** Cuts a stream of bytes into lines, wherever its pieces end, and never holds more than the longest line allowed. */
export class Lines {
  readonly #longest: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  // Of a line that is too long: its beginning, and its ending so far.
  #ends: { first: Uint8Array; last: Uint8Array } | undefined;

  constructor(longest: number) {
    this.#longest = longest;
  }

  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, from)) {
      this.#take(chunk.subarray(from, end));
      lines.push(...this.end());
      from = end + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
    return lines;
  }

  /** What stands behind the last line's end, when nothing more comes. */
  end(): Line[] {
    const ends = this.#ends;
    const bytes = joined(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    this.#ends = undefined;
    if (ends !== undefined) return [refused('oversized', ends.first, ends.last)];
    return bytes.length === 0 ? [] : lineOf(bytes);
  }

  #take(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size <= this.#longest) {
      this.#chunks.push(piece);
      // A stream may come byte by byte, and each piece costs more than it holds.
      if (this.#chunks.length > MAX_PIECES) this.#chunks = [joined(this.#chunks)];
      return;
    }
    if (this.#ends === undefined) {
      const start = joined(this.#chunks);
      this.#ends = { first: start.slice(0, KEPT), last: start.slice(-KEPT) };
      this.#chunks = [];
    }
    const { first, last } = this.#ends;
    if (first.length < KEPT) this.#ends.first = joined([first, piece.slice(0, KEPT - first.length)]);
    this.#ends.last = joined([last, piece.slice(-KEPT)]).slice(-KEPT);
  }
}
