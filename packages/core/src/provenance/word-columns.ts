import type { Layer } from '@sallyport/decode';
import { foldedWord, isSameWord, readWords, type Words } from '../text/words.ts';
import type { Occurrence } from './occurrence.ts';
import { nameOf, worstBit } from './trust.ts';
import { WordIndex } from './word-index.ts';

/** A range of a text with its own trust. Text outside all ranges has the trust of the entry. */
export interface TrustRange {
  readonly start: number;
  readonly end: number;
  readonly trust: number;
}

/** A text that a model has read. */
export interface LedgerText {
  readonly recordId: string;
  readonly part: number;
  readonly text: string;
  /** The decoded layer that this text is, if it is not the part's own text. Maps positions back to the part. */
  readonly layer?: Layer;
  /** The range in the part that the text was extracted from, if it is neither the part nor a layer of it. */
  readonly at?: { readonly start: number; readonly end: number };
  /** Escapes also separate words, as in JSON text or a printed string. */
  readonly isEscaped?: boolean;
  readonly trust: number;
  /** In positions of the part, sorted and without overlaps. */
  readonly ranges: readonly TrustRange[];
}

/** The start in the part of a word that starts at a unit of the text. */
function startInPart({ layer, at }: LedgerText, unit: number): number {
  return at?.start ?? layer?.startOf(unit) ?? unit;
}

/** The end in the part of a word that ends before a unit of the text. */
function endInPart({ layer, at }: LedgerText, unit: number): number {
  return at?.end ?? layer?.endOf(unit - 1) ?? unit;
}

/** Says whether a range of a text counts, once its words match: `isToken()` and others in token.ts make one. */
export type Accepts = (text: string, start: number, end: number) => boolean;

/** The start of the entry between two texts; no word has it. */
const BORDER = -1;
const FIRST_ROOM = 64;

/** The key of two consecutive words. */
export function pairOf(one: number, other: number): number {
  const mixed = Math.imul(one ^ 0x7feb352d, 0x846ca68b) ^ other;
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
}

function widen(column: Int32Array, room: number): Int32Array {
  const wider = new Int32Array(room);
  wider.set(column);
  return wider;
}

/**
 * Texts as columns of words. A position is one word, with its hash, its offsets and its trust, and a link to the previous position
 * of the same word. Adding takes time linear in the text.
 */
export class Columns {
  readonly #texts: { readonly entry: LedgerText; readonly first: number }[] = [];
  /** The latest position of each word. */
  readonly words: WordIndex = new WordIndex();
  /** The latest position of each pair of consecutive words. */
  readonly pairs: WordIndex = new WordIndex();
  #hashes: Int32Array = new Int32Array(FIRST_ROOM);
  #starts: Int32Array = new Int32Array(FIRST_ROOM);
  #ends: Int32Array = new Int32Array(FIRST_ROOM);
  #beforeWord: Int32Array = new Int32Array(FIRST_ROOM);
  #beforePair: Int32Array = new Int32Array(FIRST_ROOM);
  #trustClasses: Uint8Array = new Uint8Array(FIRST_ROOM);
  #count = 0;

  /** For each position, the previous one of the same word. */
  get beforeWord(): Int32Array {
    return this.#beforeWord;
  }

  /** For each position, the previous one of the same pair of words. */
  get beforePair(): Int32Array {
    return this.#beforePair;
  }

  add(entry: LedgerText): void {
    const words = readWords(entry.text, entry.isEscaped);
    this.#reserve(words.count + 1);
    this.#texts.push({ entry, first: this.#count });
    let range = 0;
    for (let i = 0; i < words.count; i++) {
      const start = words.starts[i] as number;
      const end = words.ends[i] as number;
      const from = startInPart(entry, start);
      while (range < entry.ranges.length && (entry.ranges[range] as TrustRange).end <= from) range++;
      const over = entry.ranges[range];
      const isOver = over !== undefined && over.start < endInPart(entry, end);
      this.#addWord(words.hashes[i] as number, start, end, isOver ? over.trust : entry.trust);
    }
    this.#trustClasses[this.#count] = 0;
    this.#starts[this.#count] = BORDER;
    this.#count++;
  }

  #reserve(more: number): void {
    const needed = this.#count + more;
    if (needed <= this.#hashes.length) return;
    const room = Math.max(needed, this.#hashes.length * 2);
    this.#hashes = widen(this.#hashes, room);
    this.#starts = widen(this.#starts, room);
    this.#ends = widen(this.#ends, room);
    this.#beforeWord = widen(this.#beforeWord, room);
    this.#beforePair = widen(this.#beforePair, room);
    const trustClasses = new Uint8Array(room);
    trustClasses.set(this.#trustClasses);
    this.#trustClasses = trustClasses;
  }

  #addWord(hash: number, start: number, end: number, trust: number): void {
    const position = this.#count++;
    this.#hashes[position] = hash;
    this.#starts[position] = start;
    this.#ends[position] = end;
    this.#trustClasses[position] = trust;
    this.#beforeWord[position] = this.words.put(hash, position, trust);
    const follows = position > 0 && this.#starts[position - 1] !== BORDER;
    if (follows) {
      const pair = pairOf(this.#hashes[position - 1] as number, hash);
      this.#beforePair[position - 1] = this.pairs.put(pair, position - 1, this.trustOf(position - 1, 2));
    }
  }

  /** The number of words from a position on that make up a folded text; 0 if they do not. */
  joinedLength(folded: string, position: number): number {
    const { text } = this.#entryAt(position);
    let done = 0;
    for (let at = position; at < this.#count && this.#starts[at] !== BORDER; at++) {
      const word = foldedWord(text, this.#starts[at] as number, this.#ends[at] as number);
      if (word === '' || !folded.startsWith(word, done)) return 0;
      done += word.length;
      if (done === folded.length) return at + 1 - position;
    }
    return 0;
  }

  /** The number of words from a position on that match those of a value. */
  runLength(words: Words, from: number, position: number): number {
    const { text } = this.#entryAt(position);
    let length = 0;
    while (
      from + length < words.count &&
      position + length < this.#count &&
      this.#starts[position + length] !== BORDER &&
      this.#hashes[position + length] === words.hashes[from + length] &&
      this.#isWord(text, position + length, words, from + length)
    )
      length++;
    return length;
  }

  /** Asks `accepts` about a run whose words match. */
  isAccepted(accepts: Accepts, first: number, length: number): boolean {
    const { text } = this.#entryAt(first);
    return accepts(text, this.#starts[first] as number, this.#ends[first + length - 1] as number);
  }

  /** True if words of a value occur consecutively from a position on. Equal hashes are compared word by word. */
  isRun(words: Words, from: number, to: number, first: number): boolean {
    if (first + (to - from) > this.#count) return false;
    for (let i = from; i < to; i++) {
      const position = first + (i - from);
      if (this.#hashes[position] !== words.hashes[i] || this.#starts[position] === BORDER) return false;
    }
    const { text } = this.#entryAt(first);
    for (let i = from; i < to; i++) if (!this.#isWord(text, first + i - from, words, i)) return false;
    return true;
  }

  #isWord(text: string, position: number, words: Words, at: number): boolean {
    const [start, end] = [this.#starts[position] as number, this.#ends[position] as number];
    return isSameWord(text, start, end, words.text, words.starts[at] as number, words.ends[at] as number);
  }

  #entryAt(position: number): LedgerText {
    let low = 0;
    let high = this.#texts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#texts[middle] as { first: number }).first <= position) low = middle;
      else high = middle - 1;
    }
    return (this.#texts[low] as { entry: LedgerText }).entry;
  }

  /** Where a run occurs in its part, for reports. */
  occurrence(first: number, length: number): Occurrence {
    const entry = this.#entryAt(first);
    const start = startInPart(entry, this.#starts[first] as number);
    const end = endInPart(entry, this.#ends[first + length - 1] as number);
    const { recordId, part } = entry;
    return { recordId, part, start, end, trust: nameOf(this.trustOf(first, length)) };
  }

  /** The worst trust of a run. */
  trustOf(first: number, length: number): number {
    let trust = 0;
    for (let i = 0; i < length; i++) trust |= this.#trustClasses[first + i] as number;
    return worstBit(trust);
  }
}
