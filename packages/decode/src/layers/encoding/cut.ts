import { endsWord, letterIndex, NOWHERE, ROOT, step } from './words.ts';

// Costs: fewer and longer words cost less, and an unknown letter costs more than a word.
const WORD = 10;
const SINGLE = 14;
const UNKNOWN = 17;

/** The division of a sequence of letters into words. */
export interface Cut {
  /** For each letter, 1 if a word begins with it. */
  readonly begins: Uint8Array;
  /** Set when the letters form common words only. */
  readonly isComplete: boolean;
}

/**
 * The cheapest way to split `letters` up to each offset. `back` is the length of the last word, negative if unknown.
 */
function findCheapest(letters: Uint8Array, costs: Int32Array, back: Int8Array): void {
  for (let from = 0; from < letters.length; from++) {
    const cost = costs[from] as number;
    if (cost + UNKNOWN < (costs[from + 1] as number)) {
      costs[from + 1] = cost + UNKNOWN;
      back[from + 1] = -1;
    }
    let node = step(ROOT, letters[from] as number);
    for (let end = from + 1; node !== NOWHERE; end++) {
      const price = cost + (end - from === 1 ? SINGLE : WORD);
      if (endsWord(node) && price < (costs[end] as number)) {
        costs[end] = price;
        back[end] = end - from;
      }
      node = end < letters.length ? step(node, letters[end] as number) : NOWHERE;
    }
  }
}

/** Splits letters (as units) into common words. Letters between them that form no word stay together. */
export function cutWords(units: Uint16Array): Cut {
  const letters = new Uint8Array(units.length);
  for (let index = 0; index < units.length; index++) letters[index] = letterIndex(units[index] as number) & 255;
  const costs = new Int32Array(units.length + 1).fill(0x7fffffff);
  const back = new Int8Array(units.length + 1);
  costs[0] = 0;
  findCheapest(letters, costs, back);
  const begins = new Uint8Array(units.length);
  let isComplete = true;
  for (let end = units.length; end > 0; ) {
    const length = back[end] as number;
    const start = end - Math.abs(length);
    if (length < 0) isComplete = false;
    // An unknown letter begins a word only after a known word.
    if (length > 0 || start === 0 || (back[start] as number) > 0) begins[start] = 1;
    end = start;
  }
  return { begins, isComplete };
}
