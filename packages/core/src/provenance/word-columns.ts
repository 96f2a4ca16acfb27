import type { Layer } from '../text/view/layer.ts';
import { foldedWord, isSameWord, readWords, type Words } from '../text/words.ts';
import type { Occurrence } from './occurrence.ts';
import { nameOf, worstBit } from './trust.ts';
import { Heads } from './word-index.ts';

/** A stretch of one text with one standing; what lies between stretches has the standing of the text. */
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
  /** The reading of the part that this text is, when it is not the part's own text: leads back to places of the part. */
  readonly layer?: Layer;
  /** Where all of it is in the part, when it was taken out of the part in another way. */
  readonly at?: { readonly start: number; readonly end: number };
  /** Its words are separated by escapes as well: JSON, or the print of a string. */
  readonly isEscaped?: boolean;
  readonly trust: number;
  /** In places of the part, sorted and without overlaps. */
  readonly ranges: readonly TrustRange[];
}

/** Where what begins at a unit of a text begins in its part. */
function startInPart({ layer, at }: LedgerText, unit: number): number {
  return at?.start ?? layer?.startOf(unit) ?? unit;
}

/** Where what ends before a unit of a text ends in its part. */
function endInPart({ layer, at }: LedgerText, unit: number): number {
  return at?.end ?? layer?.endOf(unit - 1) ?? unit;
}

/** Whether a stretch of a text will do, beside that its words are the right ones. */
export type Accepts = (text: string, start: number, end: number) => boolean;

/** What no word has: stands between two texts. */
const BORDER = -1;
const FIRST_ROOM = 64;

/** The key of a word that is followed by another. */
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
 * Texts as columns of words: a place is a word, with its hash, its offsets and what stands behind it, and a chain leads from
 * each to the place before it of the same word. Adding is linear in the text.
 */
export class Columns {
  readonly #texts: { readonly entry: LedgerText; readonly first: number }[] = [];
  /** The latest place of each word, and of each word that is followed by another. */
  readonly words: Heads = new Heads();
  readonly pairs: Heads = new Heads();
  #hashes: Int32Array = new Int32Array(FIRST_ROOM);
  #starts: Int32Array = new Int32Array(FIRST_ROOM);
  #ends: Int32Array = new Int32Array(FIRST_ROOM);
  #beforeWord: Int32Array = new Int32Array(FIRST_ROOM);
  #beforePair: Int32Array = new Int32Array(FIRST_ROOM);
  #trustClasses: Uint8Array = new Uint8Array(FIRST_ROOM);
  #count = 0;

  get texts(): readonly string[] {
    return this.#texts.map(({ entry }) => entry.text);
  }

  /** For each place, the one before it of the same word. */
  get beforeWord(): Int32Array {
    return this.#beforeWord;
  }

  /** The same for a word and the one behind it. */
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
      this.#note(words.hashes[i] as number, start, end, isOver ? over.trust : entry.trust);
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

  #note(hash: number, start: number, end: number, trust: number): void {
    const place = this.#count++;
    this.#hashes[place] = hash;
    this.#starts[place] = start;
    this.#ends[place] = end;
    this.#trustClasses[place] = trust;
    this.#beforeWord[place] = this.words.put(hash, place, trust);
    const follows = place > 0 && this.#starts[place - 1] !== BORDER;
    if (follows) {
      const pair = pairOf(this.#hashes[place - 1] as number, hash);
      this.#beforePair[place - 1] = this.pairs.put(pair, place - 1, this.trustOf(place - 1, 2));
    }
  }

  /** How many words from a place on make up a folded text; 0 when they do not. */
  joinedLength(folded: string, place: number): number {
    const { text } = this.#entryAt(place);
    let done = 0;
    for (let at = place; at < this.#count && this.#starts[at] !== BORDER; at++) {
      const word = foldedWord(text, this.#starts[at] as number, this.#ends[at] as number);
      if (word === '' || !folded.startsWith(word, done)) return 0;
      done += word.length;
      if (done === folded.length) return at + 1 - place;
    }
    return 0;
  }

  /** How many words from a place on are those of a value. */
  runLength(words: Words, from: number, place: number): number {
    const { text } = this.#entryAt(place);
    let length = 0;
    while (
      from + length < words.count &&
      place + length < this.#count &&
      this.#starts[place + length] !== BORDER &&
      this.#hashes[place + length] === words.hashes[from + length] &&
      this.#isWord(text, place + length, words, from + length)
    )
      length++;
    return length;
  }

  /** Whether a run will do, beside that its words are the right ones. */
  isAccepted(accepts: Accepts, first: number, length: number): boolean {
    const { text } = this.#entryAt(first);
    return accepts(text, this.#starts[first] as number, this.#ends[first + length - 1] as number);
  }

  /** Whether words of a value stand in a row from a place on. Equal hashes only make it worth a look. */
  isRun(words: Words, from: number, to: number, first: number): boolean {
    if (first + (to - from) > this.#count) return false;
    for (let i = from; i < to; i++) {
      const place = first + (i - from);
      if (this.#hashes[place] !== words.hashes[i] || this.#starts[place] === BORDER) return false;
    }
    const { text } = this.#entryAt(first);
    for (let i = from; i < to; i++) if (!this.#isWord(text, first + i - from, words, i)) return false;
    return true;
  }

  #isWord(text: string, place: number, words: Words, at: number): boolean {
    const [start, end] = [this.#starts[place] as number, this.#ends[place] as number];
    return isSameWord(text, start, end, words.text, words.starts[at] as number, words.ends[at] as number);
  }

  #entryAt(place: number): LedgerText {
    let low = 0;
    let high = this.#texts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#texts[middle] as { first: number }).first <= place) low = middle;
      else high = middle - 1;
    }
    return (this.#texts[low] as { entry: LedgerText }).entry;
  }

  /** Where a run stands, for people. */
  occurrence(first: number, length: number): Occurrence {
    const entry = this.#entryAt(first);
    const start = startInPart(entry, this.#starts[first] as number);
    const end = endInPart(entry, this.#ends[first + length - 1] as number);
    const { recordId, part } = entry;
    return { recordId, part, start, end, trust: nameOf(this.trustOf(first, length)) };
  }

  /** What stands behind a run. */
  trustOf(first: number, length: number): number {
    let trust = 0;
    for (let i = 0; i < length; i++) trust |= this.#trustClasses[first + i] as number;
    return worstBit(trust);
  }
}
