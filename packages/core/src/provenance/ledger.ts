import type { Budget } from '@sallyport/decode';
import { hashesOfStarts, type Words } from '../text/words.ts';
import { Finder, type Found, MAX_SHOWN, NOWHERE } from './occurrence.ts';
import { type Accepts, Columns, type LedgerText, pairOf } from './word-columns.ts';

const MAX_EXAMINED = 4096;
const STEPS_PER_SPLIT = 16;
const STEPS_PER_JOINED = 3;

interface Run {
  readonly from: number;
  readonly to: number;
  readonly accepts?: Accepts;
}

/** The positions of the same words, from the latest back. */
interface Chain {
  readonly position: number;
  readonly before: Int32Array;
}

/** What is searched for in a chain. */
interface JoinedSearch {
  readonly folded: string;
  readonly found: Finder;
  readonly budget: Budget;
  readonly accepts: Accepts | undefined;
}

/** The positions of the rarest words of a value. */
interface Rarest extends Chain {
  readonly at: number;
  /** The trust bits of all positions, if the value has no other words; else 0. */
  readonly join: number;
  /** A position of the worst trust. */
  readonly worst: number;
}

/**
 * Everything that the models of one conversation have read, word by word, to find where the words of a value occur. The cost of a
 * search depends on how often the rarest pair of the value's words occurs.
 */
export class Ledger {
  readonly #columns = new Columns();

  add(entry: LedgerText): void {
    this.#columns.add(entry);
  }

  /** Where the words `from` to `to` (exclusive) of a value occur consecutively. */
  find(words: Words, budget: Budget, from = 0, to: number = words.count): Found {
    const rarest = this.#rarestIn(words, from, to);
    if (rarest === undefined) return NOWHERE;
    const indexed = rarest.join === 0 ? undefined : this.#findIndexed(words, from, to, rarest);
    return indexed ?? this.#walk(words, budget, rarest, { from, to });
  }

  /** Where all words of a value occur consecutively, in ranges that are accepted. */
  findWhere(words: Words, budget: Budget, accepts: Accepts): Found {
    const run = { from: 0, to: words.count, accepts };
    const rarest = this.#rarestIn(words, run.from, run.to);
    return rarest === undefined ? NOWHERE : this.#walk(words, budget, rarest, run);
  }

  #walk(words: Words, budget: Budget, rarest: Rarest, { from, to, accepts }: Run): Found {
    const found = new Finder();
    let position = rarest.position;
    for (let examined = 0; position !== -1; examined++, position = rarest.before[position] as number) {
      budget.spend(1 + to - from);
      if (examined === MAX_EXAMINED || budget.isExhausted) return found.end(true);
      const first = position - (rarest.at - from);
      if (first < 0 || !this.#columns.isRun(words, from, to, first)) continue;
      if (accepts !== undefined && !this.#columns.isAccepted(accepts, first, to - from)) continue;
      if (found.wants(this.#columns.trustOf(first, to - from)))
        found.add(this.#columns.occurrence(first, to - from), this.#columns.trustOf(first, to - from));
    }
    return found.end(false);
  }

  /**
   * For one or two words the index has the trust bits of all positions, so reading the latest few and the worst is enough.
   * Undefined if other words of the same hash are among them.
   */
  #findIndexed(
    words: Words,
    from: number,
    to: number,
    { position: latest, before, join, worst }: Rarest,
  ): Found | undefined {
    const found = new Finder();
    const positions = [worst];
    for (let position = latest; position !== -1 && positions.length < MAX_SHOWN; position = before[position] as number)
      if (position !== worst) positions.push(position);
    for (const position of positions) {
      if (!this.#columns.isRun(words, from, to, position)) return undefined;
      found.add(this.#columns.occurrence(position, to - from), this.#columns.trustOf(position, to - from));
    }
    return { ...found.end(false), trust: join };
  }

  /** Where consecutive words make up a folded text, however it is divided: `de021203` in `DE02 1203`. */
  findJoined(folded: string, budget: Budget, accepts?: Accepts): Found {
    const found = new Finder();
    const starts = hashesOfStarts(folded);
    const whole = this.#columns.words.get(starts.at(-1) as number);
    const search = { folded, found, budget, accepts };
    if (this.#isExhausted({ position: whole, before: this.#columns.beforeWord }, search)) return found.end(true);
    // By their first two words, since one alone may be a single letter.
    for (let first = 1; first < folded.length; first++) {
      if (this.#columns.words.get(starts[first - 1] as number) === -1) continue;
      const seconds = hashesOfStarts(folded.slice(first));
      budget.spend(STEPS_PER_SPLIT + seconds.length);
      for (const second of seconds) {
        const position = this.#columns.pairs.get(pairOf(starts[first - 1] as number, second));
        const chain = { position, before: this.#columns.beforePair };
        if (position !== -1 && this.#isExhausted(chain, search)) return found.end(true);
      }
    }
    return found.end(false);
  }

  /** Reads the positions of a chain where a folded text may start. True if the limit ended the search. */
  #isExhausted(chain: Chain, { folded, found, budget, accepts }: JoinedSearch): boolean {
    let { position } = chain;
    for (let examined = 0; position !== -1; examined++, position = chain.before[position] as number) {
      budget.spend(STEPS_PER_JOINED);
      if (examined === MAX_EXAMINED || budget.isExhausted) return true;
      const length = this.#columns.joinedLength(folded, position);
      const bit = this.#columns.trustOf(position, length);
      const isFit = length > 0 && (accepts === undefined || this.#columns.isAccepted(accepts, position, length));
      if (isFit && found.wants(bit)) found.add(this.#columns.occurrence(position, length), bit);
    }
    return false;
  }

  /** True if a word occurs at all. Compares the words, since another word may have the same hash. */
  #occurs(words: Words, budget: Budget, at: number): boolean {
    let position = this.#columns.words.get(words.hashes[at] as number);
    for (; position !== -1 && !budget.isExhausted; position = this.#columns.beforeWord[position] as number) {
      if (this.#columns.isRun(words, at, at + 1, position)) return true;
      budget.spend(1);
    }
    return false;
  }

  /** The largest number of words from `from` on that occur consecutively. */
  reach(words: Words, budget: Budget, from: number): number {
    if (!this.#occurs(words, budget, from)) return 0;
    let longest = 1;
    if (from + 1 >= words.count) return longest;
    let position = this.#columns.pairs.get(pairOf(words.hashes[from] as number, words.hashes[from + 1] as number));
    for (
      let examined = 0;
      position !== -1 && examined < MAX_EXAMINED;
      examined++, position = this.#columns.beforePair[position] as number
    ) {
      const length = this.#columns.runLength(words, from, position);
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
      const position = this.#columns.words.get(hash);
      const [join, worst] = [this.#columns.words.joinOf(hash), this.#columns.words.worstOf(hash)];
      return position === -1 ? undefined : { at: from, position, before: this.#columns.beforeWord, join, worst };
    }
    let at = from;
    let fewest = Number.POSITIVE_INFINITY;
    let position = -1;
    for (let i = from; i + 1 < to; i++) {
      const pair = pairOf(words.hashes[i] as number, words.hashes[i + 1] as number);
      const count = this.#columns.pairs.countOf(pair);
      if (count === 0) return undefined;
      if (count < fewest) [at, fewest, position] = [i, count, this.#columns.pairs.get(pair)];
    }
    // The trust of a longer run is not that of its rarest pair.
    const pair = pairOf(words.hashes[from] as number, words.hashes[from + 1] as number);
    const [join, worst] =
      to - from === 2 ? [this.#columns.pairs.joinOf(pair), this.#columns.pairs.worstOf(pair)] : [0, -1];
    return { at, position, before: this.#columns.beforePair, join, worst };
  }
}
