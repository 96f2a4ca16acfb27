import { parseJson } from '@sallyport/core/json';
/** A value, or the number of a line that is not JSON. */
export type Parsed = { readonly value: unknown } | { readonly broken: number };

/** A line or document exceeds the limit. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

const MAX_LINE_LENGTH = 64 * 1024 * 1024;
const MAX_DOCUMENT_SIZE = 256 * 1024 * 1024;
const NEWLINE = 10;
/** After this number of lines without a complete value, the file is read as one document. */
const MAX_PROBES = 8;
const BYTE_ORDER_MARK = '\ufeff';

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) as unknown };
  } catch {
    // The caller reports the number of the line.
    return undefined;
  }
}

/** Parses each line, and reports the numbers of those that are not JSON; undefined if no line is an object or a list. */
function parseLines(text: string, first: number): readonly Parsed[] | undefined {
  const parsed = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parse(line) ?? { broken: first + index }]));
  const isLog = parsed.some((each) => 'value' in each && typeof each.value === 'object' && each.value !== null);
  return isLog ? parsed : undefined;
}

/**
 * Splits bytes into JSON values: one per line, or one document over all lines. The first lines decide: the file is JSON lines if the
 * first line is a value, or, if it was cut off, the next two are, which does not occur in a document. Buffers only incomplete values.
 */
export class JsonLines {
  #rest: Buffer[] = [];
  #held = 0;
  #line = 0;
  #probes = 0;
  #kind: 'unknown' | 'lines' | 'document' = 'unknown';

  *push(chunk: Buffer): Generator<Parsed> {
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
          ? `line ${this.#line + 1} is larger than 64 MiB`
          : 'it is one document larger than 256 MiB',
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

  /** Decides the kind of the file from the lines read so far. */
  #decide(): void {
    const [first, second, third] = this.#text()
      .split('\n')
      .filter((line) => line.trim() !== '');
    if (first === undefined) {
      this.#forget(1);
      return;
    }
    const isDocument =
      ++this.#probes > MAX_PROBES || [second, third].some((line) => line !== undefined && !parse(line));
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

  /** Yields what is buffered: one value, or else lines, if what looked like a document is not one. */
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
