import { viewOf } from '../text/fold.ts';

const A = 97;
const LETTER_COUNT = 26;
/** The shortest nonce: four words of three letters. */
const MIN_LETTERS = 12;

/** The number of the three letters at `at`. */
function startAt(letters: string, at: number): number {
  const high = (letters.charCodeAt(at) - A) * LETTER_COUNT + letters.charCodeAt(at + 1) - A;
  return high * LETTER_COUNT + letters.charCodeAt(at + 2) - A;
}

/** Codes by their letters, whatever is between them. */
export class CodeTable<Value> {
  readonly #values = new Map<string, Value>();
  readonly #byStart = new Map<string, string[]>();
  /** The first three letters of each code. Most places in a text are ruled out by them. */
  readonly #starts = new Set<number>();

  add(nonce: string, value: Value): void {
    const letters = nonce.replaceAll(' ', '');
    const start = letters.slice(0, MIN_LETTERS);
    if (!this.#values.has(nonce)) this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), nonce]);
    this.#values.set(nonce, value);
    this.#starts.add(startAt(letters, 0));
  }

  get(nonce: string): Value | undefined {
    return this.#values.get(nonce);
  }

  /** The code whose letters are at `at`, where the three letters with the number `start` are. */
  codeAt(letters: string, at: number, start: number): string | undefined {
    if (!this.#starts.has(start)) return undefined;
    const codes = this.#byStart.get(letters.slice(at, at + MIN_LETTERS));
    return codes?.find((nonce) => letters.startsWith(nonce.replaceAll(' ', ''), at));
  }
}

/** A code in a text, from its first to its last letter. */
export interface Spelled<Value> {
  readonly start: number;
  readonly end: number;
  readonly value: Value;
}

// What can separate two words for some reader. It is blanked, so that offsets stay the same.
const ESCAPES = /\\u[0-9a-f]{4}|\\[a-z]|&#?\w{1,31};|%[0-9a-f]{2}|~x[0-9a-f]{2,6}~/gi;
const TAGS = /<[^<>]*>/g;

function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => ' '.repeat(match.length));
}

/** The text as readers may see it: as it is, without escapes, and without tags. A tag may also be between the words of a code. */
function readingsOf(text: string): ReadonlySet<string> {
  const unescaped = blank(text, ESCAPES);
  return new Set([text, unescaped, blank(unescaped, TAGS)]);
}

/** The offset of each letter of a text. */
function lettersAt(text: string): readonly number[] {
  return [...text.matchAll(/[a-z]/g)].map(({ index }) => index);
}

function search<Value>(text: string, tables: () => readonly CodeTable<Value>[]): Spelled<Value>[] {
  const letters = text.replace(/[^a-z]+/g, '');
  const found: Spelled<Value>[] = [];
  const known = letters.length < MIN_LETTERS ? [] : tables();
  let offsets: readonly number[] | undefined;
  for (let at = 0; at + MIN_LETTERS <= letters.length; at++) {
    const first = startAt(letters, at);
    for (const table of known) {
      const nonce = table.codeAt(letters, at, first);
      if (nonce === undefined) continue;
      offsets ??= lettersAt(text);
      const last = at + nonce.replaceAll(' ', '').length - 1;
      found.push({
        start: offsets[at] as number,
        end: (offsets[last] as number) + 1,
        value: table.get(nonce) as Value,
      });
      at = last;
      break;
    }
  }
  return found;
}

/** Without overlaps, in the order of the text. */
function inOrder<Value>(found: readonly Spelled<Value>[]): Spelled<Value>[] {
  const ordered: Spelled<Value>[] = [];
  for (const each of found.toSorted((one, other) => one.start - other.start || one.end - other.end))
    if (each.start >= (ordered.at(-1)?.end ?? 0)) ordered.push(each);
  return ordered;
}

const PLAIN = /^[\0-\x7f]*$/;

/**
 * The codes that a text spells: their words in order, in any case and look-alike letters, with anything between them that is not a
 * letter. The tables are asked for only if the text is long enough.
 */
export function spelledIn<Value>(text: string, tables: () => readonly CodeTable<Value>[]): readonly Spelled<Value>[] {
  if (text.length < MIN_LETTERS) return [];
  if (PLAIN.test(text)) return inOrder([...readingsOf(text.toLowerCase())].flatMap((each) => search(each, tables)));
  const { text: folded, starts } = viewOf(text);
  const found = [...readingsOf(folded.toLowerCase())].flatMap((each) => search(each, tables));
  // The end is where the next unit of the view begins, so that what folds to nothing goes with the letter before it.
  const endOf = (end: number): number => (end < starts.length ? (starts[end] as number) : text.length);
  return inOrder(found.map(({ start, end, value }) => ({ start: starts[start] as number, end: endOf(end), value })));
}
