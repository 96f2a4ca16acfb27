/** A value, or the number of a line that is none. */
export type Parsed = { readonly value: unknown } | { readonly broken: number };

/** What was held is more than may be. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

const MAX_LINE_LENGTH = 64 * 1024 * 1024;
const MAX_DOCUMENT_SIZE = 256 * 1024 * 1024;
const NEWLINE = 10;
/** Ends of lines after which what is no value by itself is taken for the beginning of a document. */
const MAX_LOOKS = 8;
const BYTE_ORDER_MARK = '\ufeff';

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Lines, each with its number, of which those that are none are told; undefined where no list or table is among them. */
function parseLines(text: string, first: number): readonly Parsed[] | undefined {
  const parsed = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parse(line) ?? { broken: first + index }]));
  const isLog = parsed.some((each) => 'value' in each && typeof each.value === 'object' && each.value !== null);
  return isLog ? parsed : undefined;
}

/**
 * Cuts bytes into JSON values: one to a line, or one over all lines. Which of the two it is, the first lines tell: one that is a value by
 * itself, or, where the first was cut off, two after it, which no document has side by side. Only what is not a value yet is held.
 */
export class JsonLines {
  #rest: Buffer[] = [];
  #held = 0;
  #line = 0;
  #looks = 0;
  #kind: 'unknown' | 'lines' | 'document' = 'unknown';

  *take(chunk: Buffer): Generator<Parsed> {
    let from = 0;
    for (let at = this.#endIn(chunk, 0); at >= 0; at = this.#endIn(chunk, from)) {
      this.#hold(chunk.subarray(from, at + 1));
      from = at + 1;
      if (this.#kind === 'unknown') this.#decide();
      if (this.#kind === 'lines') yield* this.#release();
    }
    this.#hold(chunk.subarray(from));
    if (this.#held > (this.#kind === 'lines' ? MAX_LINE_LENGTH : MAX_DOCUMENT_SIZE))
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

  /** Looks at the first lines, of which another has just been read. */
  #decide(): void {
    const [first, second, third] = this.#text()
      .split('\n')
      .filter((line) => line.trim() !== '');
    if (first === undefined) {
      this.#forget(1);
      return;
    }
    const isDocument = ++this.#looks > MAX_LOOKS || [second, third].some((line) => line !== undefined && !parse(line));
    if (isDocument) this.#kind = 'document';
    else if (third !== undefined || (second === undefined && parse(first))) this.#kind = 'lines';
  }

  #text(): string {
    const text = Buffer.concat(this.#rest).toString('utf8');
    return this.#line === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }

  #forget(lines: number): void {
    this.#rest = [];
    this.#held = 0;
    this.#line += lines;
  }

  /** What is held: one value, or else lines: the first ones, or those of a document that turns out to be none. */
  *#release(): Generator<Parsed> {
    const text = this.#text();
    const first = this.#line + 1;
    const whole = parse(text);
    const lines = whole === undefined && text.trim() !== '' ? parseLines(text, first) : undefined;
    this.#forget(lines === undefined ? 1 : text.split('\n').length - 1);
    if (whole !== undefined) yield whole;
    else if (text.trim() !== '') yield* lines ?? [{ broken: first }];
  }
}
