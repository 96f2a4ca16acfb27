/** The kind of a UTF-16 unit for the tokenizer. */
export const OTHER = 0;
export const SPACE = 1;
/** A letter of a script that writes blanks between words. */
export const LETTER = 2;
export const DIGIT = 3;
/** A letter of a script without blanks, or of one whose words take endings: read in short runs of characters. */
export const DENSE = 4;
/** Half of a surrogate pair, or a mark: part of the word around it. */
export const JOINER = 5;

const DENSE_SCRIPTS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30fc]/u;

// Pages of 256 units, filled on first use: filling the whole table would cost every start 30 ms.
const UNKNOWN = 255;
const kinds = new Uint8Array(65_536).fill(UNKNOWN);
const lower = new Uint16Array(65_536);

function kindOf(character: string): number {
  if (/\s/u.test(character)) return SPACE;
  if (/\p{N}/u.test(character)) return DIGIT;
  if (DENSE_SCRIPTS.test(character)) return DENSE;
  if (/\p{L}/u.test(character)) return LETTER;
  return /[\p{M}\p{Cs}]/u.test(character) ? JOINER : OTHER;
}

function fill(page: number): void {
  for (let code = page << 8; code < (page + 1) << 8; code++) {
    const character = String.fromCharCode(code);
    kinds[code] = kindOf(character);
    const small = character.toLowerCase();
    lower[code] = small.length === 1 ? small.charCodeAt(0) : code;
  }
}

fill(0);

function learn(code: number): number {
  fill(code >> 8);
  return kinds[code] as number;
}

export function kindAt(code: number): number {
  const kind = kinds[code] as number;
  return kind === UNKNOWN ? learn(code) : kind;
}

/** Lower case of one unit; only after `kindAt` of the same unit, which fills the page. */
export function lowerOf(code: number): number {
  return lower[code] as number;
}
