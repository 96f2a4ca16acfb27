import { endsWord, letterIndex, ROOT, step } from './words.ts';

const HALF = 13;
const MIN_WORDS = 2;
const MIN_LETTERS = 8;
const MIN_WORD_LENGTH = 3;

function rotated(unit: number): number {
  const letter = letterIndex(unit);
  if (letter < 0 || letter > 25) return unit;
  return unit - letter + ((letter + HALF) % 26);
}

/** The number of letters in words that rot13 turns into common words; 0 if there are too few. */
function knownLetters(units: Uint16Array): number {
  let words = 0;
  let letters = 0;
  let node: number = ROOT;
  let from = 0;
  for (let at = 0; at <= units.length; at++) {
    const letter = at < units.length ? letterIndex(units[at] as number) : -1;
    if (letter >= 0 && letter < 26) {
      node = step(node, (letter + HALF) % 26);
      continue;
    }
    if (at - from >= MIN_WORD_LENGTH && endsWord(node)) {
      words++;
      letters += at - from;
    }
    node = ROOT;
    from = at + 1;
  }
  return words >= MIN_WORDS || letters >= MIN_LETTERS ? letters : 0;
}

/** Decodes a line in place if its rot13 is English. */
export function rotate(units: Uint16Array): boolean {
  if (knownLetters(units) < MIN_LETTERS) return false;
  for (let at = 0; at < units.length; at++) units[at] = rotated(units[at] as number);
  return true;
}
