/** A value, or the number of a line that is none. */
export type Parsed = { readonly value: unknown } | { readonly broken: number };

/** What was held is more than may be. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

const LONGEST_LINE = 64 * 1024 * 1024;
const LARGEST_DOCUMENT = 256 * 1024 * 1024;
const NEWLINE = 10;

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * Cuts bytes into JSON values: one to a line, or one over all lines. Which of the two it is, the first line tells: one that is a value by
 * itself. Only what is not a value yet is held.
 */
export class JsonLines {
  #rest: Buffer[] = [];
  #held = 0;
  #line = 0;
  #kind: 'unknown' | 'lines' | 'document' = 'unknown';

  *take(chunk: Buffer): Generator<Parsed> {
    let from = 0;
    for (let at = this.#endIn(chunk, 0); at >= 0; at = this.#endIn(chunk, from)) {
      this.#hold(chunk.subarray(from, at + 1));
      from = at + 1;
      if (this.#isDocument()) break;
      yield* this.#release();
    }
    this.#hold(chunk.subarray(from));
    if (this.#held > (this.#kind === 'lines' ? LONGEST_LINE : LARGEST_DOCUMENT))
      throw new TooLong(
        this.#kind === 'lines'
          ? `line ${this.#line + 1} has more than 64 MiB`
          : 'it is one document of more than 256 MiB',
      );
  }

  *end(): Generator<Parsed> {
    yield* this.#release();
  }

  #endIn(chunk: Buffer, from: number): number {
    return this.#kind === 'document' ? -1 : chunk.indexOf(NEWLINE, from);
  }

  #hold(bytes: Buffer): void {
    if (bytes.length > 0) this.#rest.push(bytes);
    this.#held += bytes.length;
  }

  /** Whether the first line, which has just been read, is only the beginning of a value. */
  #isDocument(): boolean {
    if (this.#kind !== 'unknown') return this.#kind === 'document';
    const text = this.#text();
    if (text.trim() !== '') this.#kind = parse(text) === undefined ? 'document' : 'lines';
    return this.#kind === 'document';
  }

  #text(): string {
    return Buffer.concat(this.#rest).toString('utf8');
  }

  *#release(): Generator<Parsed> {
    const text = this.#text();
    this.#rest = [];
    this.#held = 0;
    this.#line++;
    if (text.trim() !== '') yield parse(text) ?? { broken: this.#line };
  }
}
