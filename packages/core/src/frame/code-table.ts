import { viewOf } from '@sallyport/decode';

const A = 97;
const LETTER_COUNT = 26;
/** The shortest and the longest nonce: four words of three or seven letters. */
const MIN_LETTERS = 12;
const MAX_LETTERS = 28;

/**
 * A rolling hash of twelve letters, which one more letter updates in constant time: a number in base `BASE`, modulo
 * 2^32.
 */
const BASE = 0x9e3779b1;
const HIGHEST_PLACE = Array.from({ length: MIN_LETTERS }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** The last twelve letters of a text, their hash, and their offsets. */
class LetterWindow {
  readonly #letters = new Uint8Array(MIN_LETTERS);
  readonly #offsets = new Int32Array(MIN_LETTERS);
  #count = 0;
  #turn = 0;
  hash = 0;

  add(letter: number, offset: number): void {
    const turn = this.#turn;
    this.hash = (Math.imul(this.hash, BASE) + letter - Math.imul(this.#letters[turn] as number, HIGHEST_PLACE)) | 0;
    this.#letters[turn] = letter;
    this.#offsets[turn] = offset;
    this.#turn = turn === MIN_LETTERS - 1 ? 0 : turn + 1;
    this.#count++;
  }

  get isFull(): boolean {
    return this.#count >= MIN_LETTERS;
  }

  get start(): number {
    return this.#offsets[this.#turn] as number;
  }
}

function hashOf(letters: string): number {
  const window = new LetterWindow();
  for (let at = 0; at < MIN_LETTERS; at++) window.add(letters.charCodeAt(at) - A, at);
  return window.hash;
}

function isLetter(letter: number): boolean {
  return letter >= 0 && letter < LETTER_COUNT;
}

/** The next letters of a text, and the offset after each. */
function lettersFrom(text: string, offset: number): { readonly letters: string; readonly ends: readonly number[] } {
  let letters = '';
  const ends: number[] = [];
  for (let at = offset; at < text.length && ends.length < MAX_LETTERS; at++) {
    if (!isLetter(text.charCodeAt(at) - A)) continue;
    letters += text[at];
    ends.push(at + 1);
  }
  return { letters, ends };
}

/**
 * The numbers of hash bits that choose a bit of the filter. A filter of at most 64 bytes costs no more than any small
 * object.
 */
const FILTER = { few: 9, many: 16 } as const;

/** Looks up codes by their letters, so that separators between the letters have no effect. */
export class CodeTable<Value> {
  readonly #values = new Map<string, Value>();
  /** By the hash of their first twelve letters. */
  readonly #byHash = new Map<number, string[]>();
  /** One bit for each hash. It rules out most places in a text. */
  readonly #filter: Uint8Array;
  readonly #shift: number;

  constructor(expected: keyof typeof FILTER) {
    this.#filter = new Uint8Array(2 ** FILTER[expected] / 8);
    this.#shift = 32 - FILTER[expected];
  }

  add(nonce: string, value: Value): void {
    const letters = nonce.replaceAll(' ', '');
    const hash = hashOf(letters);
    if (!this.#values.has(nonce)) this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), nonce]);
    this.#values.set(nonce, value);
    const bit = hash >>> this.#shift;
    this.#filter[bit >>> 3] = (this.#filter[bit >>> 3] as number) | (1 << (bit & 7));
  }

  get(nonce: string): Value | undefined {
    return this.#values.get(nonce);
  }

  /** A quick check with the filter: false if no code begins with the twelve letters of this hash. */
  mayStart(hash: number): boolean {
    const bit = hash >>> this.#shift;
    return ((this.#filter[bit >>> 3] as number) & (1 << (bit & 7))) !== 0 && this.#byHash.has(hash);
  }

  /** The code that is spelled at an offset of a text, which begins with the twelve letters of this hash. */
  codeAt(text: string, offset: number, hash: number): Spelled<Value> | undefined {
    const { letters, ends } = lettersFrom(text, offset);
    for (const nonce of this.#byHash.get(hash) ?? []) {
      const own = nonce.replaceAll(' ', '');
      if (letters.startsWith(own))
        return { start: offset, end: ends[own.length - 1] as number, value: this.#values.get(nonce) as Value };
    }
    return undefined;
  }
}

/** A code in a text, from its first to its last letter. */
export interface Spelled<Value> {
  readonly start: number;
  readonly end: number;
  readonly value: Value;
}

// Characters that can separate two words for some reader. They are blanked, so that offsets stay the same.
const ESCAPES = /\\u[0-9a-f]{4}|\\[a-z]|&#?\w{1,31};|%[0-9a-f]{2}|~x[0-9a-f]{2,6}~/gi;
const TAGS = /<[^<>]*>/g;

function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => ' '.repeat(match.length));
}

/**
 * The text as readers may see it: as it is, without escapes, and without tags. A tag may also be between the words of a
 * code.
 */
function readingsOf(text: string): ReadonlySet<string> {
  const unescaped = blank(text, ESCAPES);
  return new Set([text, unescaped, blank(unescaped, TAGS)]);
}

function codeIn<Value>(
  tables: readonly CodeTable<Value>[],
  text: string,
  { hash, start }: LetterWindow,
): Spelled<Value> | undefined {
  for (const table of tables) {
    const code = table.mayStart(hash) ? table.codeAt(text, start, hash) : undefined;
    if (code !== undefined) return code;
  }
  return undefined;
}

function search<Value>(text: string, tables: readonly CodeTable<Value>[]): Spelled<Value>[] {
  const found: Spelled<Value>[] = [];
  const window = new LetterWindow();
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at) - A;
    if (!isLetter(letter)) continue;
    window.add(letter, at);
    if (!window.isFull) continue;
    const code = codeIn(tables, text, window);
    if (code === undefined || code.start < from) continue;
    from = code.end;
    found.push(code);
  }
  return found;
}

/** Sorts matches by offset and drops overlaps. */
function inOrder<Value>(found: readonly Spelled<Value>[]): Spelled<Value>[] {
  const ordered: Spelled<Value>[] = [];
  for (const each of found.toSorted((one, other) => one.start - other.start || one.end - other.end))
    if (each.start >= (ordered.at(-1)?.end ?? 0)) ordered.push(each);
  return ordered;
}

const PLAIN = /^[\0-\x7f]*$/;

/**
 * The codes that a text spells: their words in order, in any case and look-alike letters, with any characters except
 * letters between them. The tables are built only if the text is long enough.
 */
export function spelledIn<Value>(text: string, tables: () => readonly CodeTable<Value>[]): readonly Spelled<Value>[] {
  if (text.length < MIN_LETTERS) return [];
  const isPlain = PLAIN.test(text);
  const { text: folded, starts } = isPlain ? { text, starts: [] } : viewOf(text);
  const known = tables();
  const found = [...readingsOf(folded.toLowerCase())].flatMap((each) => search(each, known));
  if (isPlain) return inOrder(found);
  // The end is the start of the next unit of the view, so that characters which fold to nothing go with the letter
  // before.
  const endOf = (end: number): number => (end < starts.length ? (starts[end] as number) : text.length);
  return inOrder(found.map(({ start, end, value }) => ({ start: starts[start] as number, end: endOf(end), value })));
}
