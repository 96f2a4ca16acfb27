import type { Effort } from './effort.ts';
import { Finder, type Found, MOST_SHOWN, NOWHERE, type Occurrence } from './found.ts';
import { Heads } from './heads.ts';
import { nameOf, worstBit } from './standing.ts';
import { foldedWord, hashesOfStarts, isSameWord, readWords, type Words } from './word.ts';

/** A stretch of one text with one standing; what lies between stretches has the standing of the text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly standing: number;
}

/** A text that a model has read. */
export interface LedgerText {
  readonly recordId: string;
  readonly part: number;
  readonly text: string;
  /** Where it stands in the part, when the text is not the part's but was decoded from it. */
  readonly at?: { readonly start: number; readonly end: number };
  /** Its words are separated by escapes as well: JSON, or the print of a string. */
  readonly isEscaped?: boolean;
  readonly standing: number;
  /** Sorted and without overlaps. */
  readonly stretches: readonly Stretch[];
}

/** What no word has: stands between two texts. */
const BORDER = -1;
const MOST_LOOKED = 4096;
const FIRST_ROOM = 64;

/** Whether nothing, a blank or a quotation mark is at a place. */
function isBorder(text: string, at: number): boolean {
  return at < 0 || at >= text.length || ' \t\r\n"\'`'.includes(text[at] as string);
}

function pairOf(one: number, other: number): number {
  const mixed = Math.imul(one ^ 0x7feb352d, 0x846ca68b) ^ other;
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
}

/** Whether a stretch of a text will do, beside that its words are the right ones. */
export type Accepts = (text: string, start: number, end: number) => boolean;

interface Run {
  readonly from: number;
  readonly to: number;
  readonly accepts?: Accepts;
}

/** Places of the same words, from the latest back. */
interface Chain {
  readonly place: number;
  readonly before: Int32Array;
}

/** What is looked for in a chain. */
interface Look {
  readonly folded: string;
  readonly found: Finder;
  readonly effort: Effort;
  readonly accepts: Accepts | undefined;
}

/** The places of the rarest words of a value. */
interface Rarest extends Chain {
  readonly at: number;
  /** The join of all places and where the worst is, where the value is no longer than the words looked up; else 0. */
  readonly join: number;
  readonly worst: number;
}

function widen(column: Int32Array, room: number): Int32Array {
  const wider = new Int32Array(room);
  wider.set(column);
  return wider;
}

/**
 * Everything that models of one conversation have read, word by word, so that for a value it can be said where its words
 * stand. Adding is linear in the text; asking depends on how often the rarest pair of the value's words occurs.
 */
export class Ledger {
  readonly #texts: { readonly entry: LedgerText; readonly first: number }[] = [];
  readonly #words = new Heads();
  readonly #pairs = new Heads();
  #hashes: Int32Array = new Int32Array(FIRST_ROOM);
  #starts: Int32Array = new Int32Array(FIRST_ROOM);
  #ends: Int32Array = new Int32Array(FIRST_ROOM);
  #beforeWord: Int32Array = new Int32Array(FIRST_ROOM);
  #beforePair: Int32Array = new Int32Array(FIRST_ROOM);
  #standings: Uint8Array = new Uint8Array(FIRST_ROOM);
  #count = 0;

  add(entry: LedgerText): void {
    const words = readWords(entry.text, entry.isEscaped);
    this.#reserve(words.count + 1);
    this.#texts.push({ entry, first: this.#count });
    let stretch = 0;
    for (let i = 0; i < words.count; i++) {
      const start = words.starts[i] as number;
      const end = words.ends[i] as number;
      while (stretch < entry.stretches.length && (entry.stretches[stretch] as Stretch).end <= start) stretch++;
      const over = entry.stretches[stretch];
      this.#note(
        words.hashes[i] as number,
        start,
        end,
        over !== undefined && over.start < end ? over.standing : entry.standing,
      );
    }
    this.#standings[this.#count] = 0;
    this.#starts[this.#count] = BORDER;
    this.#count++;
  }

  /** Whether a text without words, such as `/` or `*`, stands by itself somewhere. */
  standsAlone(text: string, effort: Effort): boolean {
    return this.#texts.some(({ entry }) => {
      effort.spend(1 + (entry.text.length >> 4));
      if (effort.isSpent) return false;
      for (let at = entry.text.indexOf(text); at >= 0; at = entry.text.indexOf(text, at + 1))
        if (isBorder(entry.text, at - 1) && isBorder(entry.text, at + text.length)) return true;
      return false;
    });
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
    const standings = new Uint8Array(room);
    standings.set(this.#standings);
    this.#standings = standings;
  }

  #note(hash: number, start: number, end: number, standing: number): void {
    const place = this.#count++;
    this.#hashes[place] = hash;
    this.#starts[place] = start;
    this.#ends[place] = end;
    this.#standings[place] = standing;
    this.#beforeWord[place] = this.#words.put(hash, place, standing);
    const follows = place > 0 && this.#starts[place - 1] !== BORDER;
    if (follows) {
      const pair = pairOf(this.#hashes[place - 1] as number, hash);
      this.#beforePair[place - 1] = this.#pairs.put(pair, place - 1, this.#standingOf(place - 1, 2));
    }
  }

  /** Where words `from` to `to` (exclusive) of a value stand in a row. */
  find(words: Words, effort: Effort, from = 0, to: number = words.count): Found {
    const rarest = this.#rarestIn(words, from, to);
    if (rarest === undefined) return NOWHERE;
    const known = rarest.join === 0 ? undefined : this.#known(words, from, to, rarest);
    return known ?? this.#walk(words, effort, rarest, { from, to });
  }

  /** Where all words of a value stand in a row, in places that are accepted. */
  findWhere(words: Words, effort: Effort, accepts: Accepts): Found {
    const run = { from: 0, to: words.count, accepts };
    const rarest = this.#rarestIn(words, run.from, run.to);
    return rarest === undefined ? NOWHERE : this.#walk(words, effort, rarest, run);
  }

  #walk(words: Words, effort: Effort, rarest: Rarest, { from, to, accepts }: Run): Found {
    const found = new Finder();
    let place = rarest.place;
    for (let looked = 0; place !== -1; looked++, place = rarest.before[place] as number) {
      effort.spend(1 + to - from);
      if (looked === MOST_LOOKED || effort.isSpent) return found.end(true);
      const first = place - (rarest.at - from);
      if (first < 0 || !this.#isRun(words, from, to, first)) continue;
      if (accepts !== undefined && !this.#isAccepted(accepts, first, to - from)) continue;
      if (found.wants(this.#standingOf(first, to - from)))
        found.add(this.#occurrence(first, to - from), this.#standingOf(first, to - from));
    }
    return found.end(false);
  }

  /**
   * Of one word or two the join of all places is known: it is enough to look at the latest few and at the worst. Undefined
   * when other words of the same hash are among them.
   */
  #known(words: Words, from: number, to: number, { place: latest, before, join, worst }: Rarest): Found | undefined {
    const found = new Finder();
    const places = [worst];
    for (let place = latest; place !== -1 && places.length < MOST_SHOWN; place = before[place] as number)
      if (place !== worst) places.push(place);
    for (const place of places) {
      if (!this.#isRun(words, from, to, place)) return undefined;
      found.add(this.#occurrence(place, to - from), this.#standingOf(place, to - from));
    }
    return { ...found.end(false), standing: join };
  }

  /** Where a folded text stands in a row of words, wherever they are divided: `de021203` in `DE02 1203`. */
  findJoined(folded: string, effort: Effort, accepts?: Accepts): Found {
    const found = new Finder();
    const starts = hashesOfStarts(folded);
    const whole = this.#words.get(starts.at(-1) as number);
    const look = { folded, found, effort, accepts };
    if (this.#isExhausted({ place: whole, before: this.#beforeWord }, look)) return found.end(true);
    // By their first two words: one alone may be any letter.
    for (let first = 1; first < folded.length; first++) {
      const seconds = hashesOfStarts(folded.slice(first));
      effort.spend(seconds.length);
      for (const second of seconds) {
        const place = this.#pairs.get(pairOf(starts[first - 1] as number, second));
        const chain = { place, before: this.#beforePair };
        if (place !== -1 && this.#isExhausted(chain, look)) return found.end(true);
      }
    }
    return found.end(false);
  }

  /** Looks at the places of a chain where a folded text may begin; whether there were more than may be looked at. */
  #isExhausted(chain: Chain, { folded, found, effort, accepts }: Look): boolean {
    let { place } = chain;
    for (let looked = 0; place !== -1; looked++, place = chain.before[place] as number) {
      effort.spend(1);
      if (looked === MOST_LOOKED || effort.isSpent) return true;
      const length = this.#joinedLength(folded, place);
      const bit = this.#standingOf(place, length);
      const isFit = length > 0 && (accepts === undefined || this.#isAccepted(accepts, place, length));
      if (isFit && found.wants(bit)) found.add(this.#occurrence(place, length), bit);
    }
    return false;
  }

  /** How many words from a place on make up a folded text; 0 when they do not. */
  #joinedLength(folded: string, place: number): number {
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

  /** How many words from `from` on stand somewhere in a row. */
  reach(words: Words, effort: Effort, from: number): number {
    if (this.find(words, effort, from, from + 1).standing === 0) return 0;
    let longest = 1;
    if (from + 1 >= words.count) return longest;
    let place = this.#pairs.get(pairOf(words.hashes[from] as number, words.hashes[from + 1] as number));
    for (let looked = 0; place !== -1 && looked < MOST_LOOKED; looked++, place = this.#beforePair[place] as number) {
      const length = this.#runLength(words, from, place);
      longest = Math.max(longest, length);
      effort.spend(length + 1);
      if (effort.isSpent) break;
    }
    return longest;
  }

  #runLength(words: Words, from: number, place: number): number {
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

  #isAccepted(accepts: Accepts, first: number, length: number): boolean {
    const { text } = this.#entryAt(first);
    return accepts(text, this.#starts[first] as number, this.#ends[first + length - 1] as number);
  }

  #rarestIn(words: Words, from: number, to: number): Rarest | undefined {
    if (to <= from || to > words.count) return undefined;
    if (to - from === 1) {
      const hash = words.hashes[from] as number;
      const place = this.#words.get(hash);
      const [join, worst] = [this.#words.joinOf(hash), this.#words.worstOf(hash)];
      return place === -1 ? undefined : { at: from, place, before: this.#beforeWord, join, worst };
    }
    let at = from;
    let fewest = Number.POSITIVE_INFINITY;
    let place = -1;
    for (let i = from; i + 1 < to; i++) {
      const pair = pairOf(words.hashes[i] as number, words.hashes[i + 1] as number);
      const count = this.#pairs.countOf(pair);
      if (count === 0) return undefined;
      if (count < fewest) [at, fewest, place] = [i, count, this.#pairs.get(pair)];
    }
    // The standing of a longer run is not that of its rarest pair.
    const pair = pairOf(words.hashes[from] as number, words.hashes[from + 1] as number);
    const [join, worst] = to - from === 2 ? [this.#pairs.joinOf(pair), this.#pairs.worstOf(pair)] : [0, -1];
    return { at, place, before: this.#beforePair, join, worst };
  }

  #isRun(words: Words, from: number, to: number, first: number): boolean {
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

  #occurrence(first: number, length: number): Occurrence {
    const { recordId, part, at } = this.#entryAt(first);
    const start = at?.start ?? (this.#starts[first] as number);
    const end = at?.end ?? (this.#ends[first + length - 1] as number);
    return { recordId, part, start, end, standing: nameOf(this.#standingOf(first, length)) };
  }

  #standingOf(first: number, length: number): number {
    let standing = 0;
    for (let i = 0; i < length; i++) standing |= this.#standings[first + i] as number;
    return worstBit(standing);
  }
}
