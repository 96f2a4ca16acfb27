import { isCount, requireOption } from '../base/option.ts';
import type { Token, Tokenize } from './wordpiece.ts';

interface Entry {
  readonly token: string;
  readonly score: number;
  readonly id: number;
}

// The reference implementation takes this off the worst score for a character that is in no token.
const UNKNOWN_PENALTY = 10;

function readEntries(vocab: unknown): Entry[] {
  requireOption(
    Array.isArray(vocab) && vocab.length > 0,
    'A Unigram model must have an array `vocab` that is not empty.',
  );
  return vocab.map((entry, id) => {
    const [token, score] = Array.isArray(entry) ? (entry as unknown[]) : [];
    requireOption(
      typeof token === 'string' && typeof score === 'number' && Number.isFinite(score),
      'Each entry of `vocab` of a Unigram model must be a token and its score.',
    );
    return { token, score, id };
  });
}

/** A sorted list, narrowed unit by unit: a tree of 250,000 tokens would take a hundred times the memory. */
class Lexicon {
  readonly #entries: readonly Entry[];
  readonly #first = new Map<number, readonly [number, number]>();

  constructor(entries: readonly Entry[]) {
    const latest = new Map(entries.filter(({ token }) => token !== '').map((entry) => [entry.token, entry]));
    this.#entries = [...latest.values()].sort((one, other) => (one.token < other.token ? -1 : 1));
    for (const [index, { token }] of this.#entries.entries()) {
      const unit = token.charCodeAt(0);
      this.#first.set(unit, [this.#first.get(unit)?.[0] ?? index, index + 1]);
    }
  }

  /** Every token that occurs at `from`, shortest first. */
  *at(text: string, from: number): Generator<Entry> {
    let [low, high] = this.#first.get(text.charCodeAt(from)) ?? [0, 0];
    for (let depth = 1; low < high; depth++) {
      const entry = this.#entries[low] as Entry;
      if (entry.token.length === depth) {
        yield entry;
        low++;
      }
      if (from + depth >= text.length) return;
      const unit = text.charCodeAt(from + depth);
      low = this.#bound(low, high, depth, unit);
      high = this.#bound(low, high, depth, unit + 1);
    }
  }

  /** The first entry in the range whose unit at `depth` is at least `unit`. */
  #bound(from: number, to: number, depth: number, unit: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle] as Entry).token.charCodeAt(depth) < unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The best segmentation up to each offset of a text. */
class Lattice {
  readonly #scores: Float64Array;
  readonly #starts: Int32Array;
  readonly #ids: Int32Array;

  constructor(length: number) {
    this.#scores = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
    this.#scores[0] = 0;
    this.#starts = new Int32Array(length + 1);
    this.#ids = new Int32Array(length + 1);
  }

  offer(from: number, to: number, id: number, score: number): void {
    const total = (this.#scores[from] as number) + score;
    if (total <= (this.#scores[to] as number)) return;
    this.#scores[to] = total;
    this.#starts[to] = from;
    this.#ids[to] = id;
  }

  tokens(unknown: number): Token[] {
    const tokens: Token[] = [];
    for (let to = this.#scores.length - 1; to > 0; ) {
      const from = this.#starts[to] as number;
      const id = this.#ids[to] as number;
      const next = tokens.at(-1);
      if (id === unknown && next?.id === unknown) tokens[tokens.length - 1] = { ...next, from };
      else tokens.push({ id, from, to });
      to = from;
    }
    return tokens.reverse();
  }
}

/** SentencePiece's Unigram: the cut with the best sum of scores. */
export function readUnigram(model: Readonly<Record<string, unknown>>): Tokenize {
  requireOption(
    model.byte_fallback !== true,
    'A Unigram model with `byte_fallback` is not supported. Pass your own `tokenizer`.',
  );
  const entries = readEntries(model.vocab);
  const { unk_id: unknown } = model;
  requireOption(
    isCount(unknown, 0) && unknown < entries.length,
    '`unk_id` of a Unigram model must be an index of its `vocab`.',
  );
  const lexicon = new Lexicon(entries);
  const penalty = entries.reduce((worst, { score }) => Math.min(worst, score), 0) - UNKNOWN_PENALTY;
  return ({ text }) => {
    const lattice = new Lattice(text.length);
    for (let from = 0; from < text.length; ) {
      const width = (text.codePointAt(from) as number) > 0xffff ? 2 : 1;
      let isKnown = false;
      for (const { token, id, score } of lexicon.at(text, from)) {
        lattice.offer(from, from + token.length, id, score);
        isKnown ||= token.length === width;
      }
      if (!isKnown) lattice.offer(from, from + width, unknown, penalty);
      from += width;
    }
    return lattice.tokens(unknown);
  };
}
