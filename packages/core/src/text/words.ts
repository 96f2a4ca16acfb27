import { foldPoint, pointAt } from '@sallyport/decode';

/**
 * The words of a text as columns, for finding the texts that a value comes from. A word is a run of letters and digits
 * after folding, or one character in scripts without spaces. Case, quotes, spaces and punctuation are ignored, so that
 * `"Emma Stone"`, `emma.stone` and `EMMA_STONE` are the same two words.
 */
export interface Words {
  readonly text: string;
  readonly count: number;
  /** One number for each word; the room after them is not used. */
  readonly hashes: Int32Array;
  /** UTF-16 offsets in the text; `ends` are exclusive. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const OFFSET = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

const OTHER = 1;
const PART = 2;
const DENSE = 3;
const IGNORED = 4;

// The folded unit of each ASCII letter and digit; 0 for other ASCII characters.
const ASCII: Uint8Array = new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) {
  const character = String.fromCharCode(unit);
  if (/[a-z0-9]/i.test(character)) ASCII[unit] = character.toLowerCase().charCodeAt(0);
}

// Scripts that put no spaces between words.
const DENSE_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const WORD_PART = /[\p{L}\p{N}]/u;
const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** The kind of every code point seen so far; 0 for the others. A table is read much faster than a map. */
const kinds: Uint8Array = new Uint8Array(0x110000);

function kindOf(point: number): number {
  const known = kinds[point] as number;
  if (known !== 0) return known;
  const character = String.fromCodePoint(point);
  const kind = DENSE_SCRIPT.test(character)
    ? DENSE
    : WORD_PART.test(character)
      ? PART
      : INVISIBLE.test(character)
        ? IGNORED
        : OTHER;
  kinds[point] = kind;
  return kind;
}

/** The folded unit of each UTF-16 unit seen so far that folds to one; 0 for the others. */
const foldedUnits: Uint16Array = new Uint16Array(0x10000);

function hashPoint(hash: number, point: number): number {
  const unit = point < 0x10000 ? (foldedUnits[point] as number) : 0;
  if (unit !== 0) return Math.imul(hash ^ unit, PRIME);
  const folded = foldPoint(point);
  if (point < 0x10000 && folded.length === 1) foldedUnits[point] = folded.charCodeAt(0);
  let sum = hash;
  for (let i = 0; i < folded.length; i++) sum = Math.imul(sum ^ folded.charCodeAt(i), PRIME);
  return sum;
}

class Reader {
  hashes: Int32Array;
  starts: Int32Array;
  ends: Int32Array;
  count = 0;

  constructor(capacity: number) {
    this.hashes = new Int32Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
  }

  add(hash: number, start: number, end: number): void {
    if (this.count === this.hashes.length) this.#grow();
    this.hashes[this.count] = hash;
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }

  #grow(): void {
    const doubled = (column: Int32Array): Int32Array => {
      const copy = new Int32Array(column.length * 2);
      copy.set(column);
      return copy;
    };
    this.hashes = doubled(this.hashes);
    this.starts = doubled(this.starts);
    this.ends = doubled(this.ends);
  }
}

const BACKSLASH = 92;
const SMALL_U = 117;
const ESCAPE = 2;
const UNICODE_ESCAPE = 6;

/** Engines keep a typed array of this length in the object itself, which takes a fraction of the time. */
const SMALL = 16;

/** Reads all words of a text in one pass. In escaped text such as JSON, an escape separates words. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over units, one pass; calls would double its time
export function readWords(text: string, isEscaped = false): Words {
  const reader = new Reader(Math.max(SMALL, text.length >> 2));
  let hash = OFFSET;
  let start = -1;
  let last = 0;
  const close = (): void => {
    if (start >= 0) reader.add(hash, start, last);
    start = -1;
    hash = OFFSET;
  };
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128) {
      const folded = ASCII[unit] as number;
      if (folded === 0) {
        close();
        if (isEscaped && unit === BACKSLASH) at += (text.charCodeAt(at + 1) === SMALL_U ? UNICODE_ESCAPE : ESCAPE) - 1;
        continue;
      }
      if (start < 0) start = at;
      hash = Math.imul(hash ^ folded, PRIME);
      last = at + 1;
      continue;
    }
    const point = pointAt(text, at);
    const size = point > 0xffff ? 2 : 1;
    const kind = kindOf(point);
    if (kind === DENSE) {
      close();
      reader.add(hashPoint(OFFSET, point), at, at + size);
    } else if (kind === PART) {
      if (start < 0) start = at;
      hash = hashPoint(hash, point);
      last = at + size;
    } else if (kind === OTHER) close();
    at += size - 1;
  }
  close();
  const { count, hashes, starts, ends } = reader;
  return { text, count, hashes, starts, ends };
}

/** The hashes of the prefixes of a folded text: its first unit, its first two, and so on. */
export function hashesOfStarts(folded: string): Int32Array {
  const hashes = new Int32Array(folded.length);
  let hash = OFFSET;
  for (let i = 0; i < folded.length; i++) {
    hash = Math.imul(hash ^ folded.charCodeAt(i), PRIME);
    hashes[i] = hash;
  }
  return hashes;
}

function foldedAt(text: string, at: number): string {
  const unit = text.charCodeAt(at);
  if (unit < 128) return String.fromCharCode(ASCII[unit] as number);
  return kindOf(pointAt(text, at)) === IGNORED ? '' : foldPoint(pointAt(text, at));
}

/** A range of a text, folded: without case, marks and invisible characters. */
export function foldedWord(text: string, start: number, end: number): string {
  let folded = '';
  for (let at = start; at < end; at += pointAt(text, at) > 0xffff ? 2 : 1) folded += foldedAt(text, at);
  return folded;
}

/** Compares two words unit by unit. Equal hashes are not enough: an attacker can find words with equal hashes. */
export function isSameWord(one: string, from: number, to: number, other: string, start: number, end: number): boolean {
  if (to - from === end - start) {
    let i = 0;
    while (i < to - from && one.charCodeAt(from + i) === other.charCodeAt(start + i)) i++;
    if (i === to - from) return true;
  }
  return foldedWord(one, from, to) === foldedWord(other, start, end);
}
