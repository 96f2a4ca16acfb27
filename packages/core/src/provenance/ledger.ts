import type { Budget } from '../base/budget.ts';
import { hashesOfStarts, type Words } from '../text/words.ts';
import { Finder, type Found, MAX_SHOWN, NOWHERE } from './occurrence.ts';
import { type Accepts, Columns, type LedgerText, pairOf } from './word-columns.ts';

const MAX_LOOKED = 4096;

/** Whether nothing, a blank or a quotation mark is at a place. */
function isBorder(text: string, at: number): boolean {
  return at < 0 || at >= text.length || ' \t\r\n"\'`'.includes(text[at] as string);
}

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
  readonly budget: Budget;
  readonly accepts: Accepts | undefined;
}

/** The places of the rarest words of a value. */
interface Rarest extends Chain {
  readonly at: number;
  /** The join of all places and where the worst is, where the value is no longer than the words looked up; else 0. */
  readonly join: number;
  readonly worst: number;
}

/**
 * Everything that models of one conversation have read, word by word, so that for a value it can be said where its words
 * stand. Asking depends on how often the rarest pair of the value's words occurs.
 */
export class Ledger {
  readonly #columns = new Columns();

  add(entry: LedgerText): void {
    this.#columns.add(entry);
  }

  /** Whether a text without words, such as `/` or `*`, stands by itself somewhere. */
  occursAlone(text: string, budget: Budget): boolean {
    return this.#columns.texts.some((held) => {
      budget.spend(1 + (held.length >> 4));
      if (budget.isExhausted) return false;
      for (let at = held.indexOf(text); at >= 0; at = held.indexOf(text, at + 1))
        if (isBorder(held, at - 1) && isBorder(held, at + text.length)) return true;
      return false;
    });
  }

  /** Where words `from` to `to` (exclusive) of a value stand in a row. */
  find(words: Words, budget: Budget, from = 0, to: number = words.count): Found {
    const rarest = this.#rarestIn(words, from, to);
    if (rarest === undefined) return NOWHERE;
    const known = rarest.join === 0 ? undefined : this.#known(words, from, to, rarest);
    return known ?? this.#walk(words, budget, rarest, { from, to });
  }

  /** Where all words of a value stand in a row, in places that are accepted. */
  findWhere(words: Words, budget: Budget, accepts: Accepts): Found {
    const run = { from: 0, to: words.count, accepts };
    const rarest = this.#rarestIn(words, run.from, run.to);
    return rarest === undefined ? NOWHERE : this.#walk(words, budget, rarest, run);
  }

  #walk(words: Words, budget: Budget, rarest: Rarest, { from, to, accepts }: Run): Found {
    const found = new Finder();
    let place = rarest.place;
    for (let looked = 0; place !== -1; looked++, place = rarest.before[place] as number) {
      budget.spend(1 + to - from);
      if (looked === MAX_LOOKED || budget.isExhausted) return found.end(true);
      const first = place - (rarest.at - from);
      if (first < 0 || !this.#columns.isRun(words, from, to, first)) continue;
      if (accepts !== undefined && !this.#columns.isAccepted(accepts, first, to - from)) continue;
      if (found.wants(this.#columns.trustOf(first, to - from)))
        found.add(this.#columns.occurrence(first, to - from), this.#columns.trustOf(first, to - from));
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
    for (let place = latest; place !== -1 && places.length < MAX_SHOWN; place = before[place] as number)
      if (place !== worst) places.push(place);
    for (const place of places) {
      if (!this.#columns.isRun(words, from, to, place)) return undefined;
      found.add(this.#columns.occurrence(place, to - from), this.#columns.trustOf(place, to - from));
    }
    return { ...found.end(false), trust: join };
  }

  /** Where a folded text stands in a row of words, wherever they are divided: `de021203` in `DE02 1203`. */
  findJoined(folded: string, budget: Budget, accepts?: Accepts): Found {
    const found = new Finder();
    const starts = hashesOfStarts(folded);
    const whole = this.#columns.words.get(starts.at(-1) as number);
    const look = { folded, found, budget, accepts };
    if (this.#isExhausted({ place: whole, before: this.#columns.beforeWord }, look)) return found.end(true);
    // By their first two words: one alone may be any letter.
    for (let first = 1; first < folded.length; first++) {
      if (this.#columns.words.get(starts[first - 1] as number) === -1) continue;
      const seconds = hashesOfStarts(folded.slice(first));
      budget.spend(seconds.length);
      for (const second of seconds) {
        const place = this.#columns.pairs.get(pairOf(starts[first - 1] as number, second));
        const chain = { place, before: this.#columns.beforePair };
        if (place !== -1 && this.#isExhausted(chain, look)) return found.end(true);
      }
    }
    return found.end(false);
  }

  /** Looks at the places of a chain where a folded text may begin; whether there were more than may be looked at. */
  #isExhausted(chain: Chain, { folded, found, budget, accepts }: Look): boolean {
    let { place } = chain;
    for (let looked = 0; place !== -1; looked++, place = chain.before[place] as number) {
      budget.spend(1);
      if (looked === MAX_LOOKED || budget.isExhausted) return true;
      const length = this.#columns.joinedLength(folded, place);
      const bit = this.#columns.trustOf(place, length);
      const isFit = length > 0 && (accepts === undefined || this.#columns.isAccepted(accepts, place, length));
      if (isFit && found.wants(bit)) found.add(this.#columns.occurrence(place, length), bit);
    }
    return false;
  }

  /** Whether a word stands anywhere: another one may have its hash. */
  #occurs(words: Words, budget: Budget, at: number): boolean {
    let place = this.#columns.words.get(words.hashes[at] as number);
    for (; place !== -1 && !budget.isExhausted; place = this.#columns.beforeWord[place] as number) {
      if (this.#columns.isRun(words, at, at + 1, place)) return true;
      budget.spend(1);
    }
    return false;
  }

  /** How many words from `from` on stand somewhere in a row. */
  reach(words: Words, budget: Budget, from: number): number {
    if (!this.#occurs(words, budget, from)) return 0;
    let longest = 1;
    if (from + 1 >= words.count) return longest;
    let place = this.#columns.pairs.get(pairOf(words.hashes[from] as number, words.hashes[from + 1] as number));
    for (
      let looked = 0;
      place !== -1 && looked < MAX_LOOKED;
      looked++, place = this.#columns.beforePair[place] as number
    ) {
      const length = this.#columns.runLength(words, from, place);
      longest = Math.max(longest, length);
      budget.spend(length + 1);
      if (budget.isExhausted) break;
    }
    return longest;
  }

  #rarestIn(words: Words, from: number, to: number): Rarest | undefined {
    if (to <= from || to > words.count) return undefined;
    if (to - from === 1) {
      const hash = words.hashes[from] as number;
      const place = this.#columns.words.get(hash);
      const [join, worst] = [this.#columns.words.joinOf(hash), this.#columns.words.worstOf(hash)];
      return place === -1 ? undefined : { at: from, place, before: this.#columns.beforeWord, join, worst };
    }
    let at = from;
    let fewest = Number.POSITIVE_INFINITY;
    let place = -1;
    for (let i = from; i + 1 < to; i++) {
      const pair = pairOf(words.hashes[i] as number, words.hashes[i + 1] as number);
      const count = this.#columns.pairs.countOf(pair);
      if (count === 0) return undefined;
      if (count < fewest) [at, fewest, place] = [i, count, this.#columns.pairs.get(pair)];
    }
    // The standing of a longer run is not that of its rarest pair.
    const pair = pairOf(words.hashes[from] as number, words.hashes[from + 1] as number);
    const [join, worst] =
      to - from === 2 ? [this.#columns.pairs.joinOf(pair), this.#columns.pairs.worstOf(pair)] : [0, -1];
    return { at, place, before: this.#columns.beforePair, join, worst };
  }
}
