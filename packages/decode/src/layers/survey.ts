import { hexValue } from './references.ts';

/** The decoders that may find something in a text, found in one cheap pass. Lines are pairs of a start and an end. */
export interface Survey {
  /** Set when a run is long enough to be base64 or hex. */
  readonly hasLongRun: boolean;
  /** Set when there are consecutive pairs of characters, as hex is often written. */
  readonly hasPairs: boolean;
  /** Set when there are consecutive single letters. */
  readonly hasSingles: boolean;
  readonly rotatedLines: readonly number[];
  readonly leetLines: readonly number[];
}

export const MIN_RUN_LENGTH = 16;
export const MIN_PAIRS = 8;
export const MIN_SINGLES = 6;
const MIN_LEET = 2;
const MAX_GAP_LENGTH = 3;
/** The length of a pair with `0x` before it and a comma and a space after it. */
const MAX_PAIR_LENGTH = 6;
const LETTER_X = 120;
const MAX_SIGNS_LENGTH = 4;

// Kinds of units.
const LETTER = 1;
const SIGN = 2;
const NEWLINE = 3;
const DIGIT = 4;

const KINDS: Uint8Array = new Uint8Array(0x10000).fill(LETTER, 65, 91).fill(LETTER, 97, 123);
for (const sign of '0134578$') KINDS[sign.charCodeAt(0)] = SIGN;
for (const digit of '269') KINDS[digit.charCodeAt(0)] = DIGIT;
KINDS[10] = NEWLINE;

/** The characters of base64: 1 for letters and digits, 2 for signs. */
const RUNS: Uint8Array = Uint8Array.from(KINDS, (kind) => (kind === LETTER ? 1 : 0)).fill(1, 48, 58);
for (const mark of '+/_-') RUNS[mark.charCodeAt(0)] = 2;

// Letter frequencies in English, per mille.
const FREQUENCIES = [
  82, 15, 28, 43, 127, 22, 20, 61, 70, 1.5, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 1.5, 20, 0.7,
];
// The logarithm of a letter's frequency over that of its rot13, in eighths of a nat, by the low five bits of the letter
// (1 to 26).
const NATURALNESS: Int8Array = new Int8Array(32);
for (const [letter, frequency] of FREQUENCIES.entries())
  NATURALNESS[letter + 1] = Math.round(8 * Math.log(frequency / (FREQUENCIES[(letter + 13) % 26] as number)));
/** The threshold per letter of a word: English words are rarely below it, their rot13 rarely above. */
const UNNATURAL = -4;
const LONG_WORD = 8;

/** Function words of three letters under rot13, as 15 bits. */
const ROTATED: Uint8Array = new Uint8Array(32_768);
for (const word of ['gur', 'naq', 'lbh', 'nyy', 'sbe', 'abg', 'ner', 'pna', 'nal', 'abj', 'hfr', 'bhg', 'trg', 'zhfg'])
  if (word.length === 3) ROTATED[[...word].reduce((bits, letter) => (bits << 5) | (letter.charCodeAt(0) & 31), 0)] = 2;

function isAlphanumeric(unit: number): boolean {
  const kind = KINDS[unit];
  return kind === LETTER || (kind === SIGN && unit !== 36) || kind === DIGIT;
}

/** Looks for a run of `MIN_RUN_LENGTH` units. Such a run covers one of the offsets that are tested. */
function findLongRun(text: string): boolean {
  for (let at = MIN_RUN_LENGTH - 1; at < text.length; at += MIN_RUN_LENGTH) {
    if (RUNS[text.charCodeAt(at)] === 0) continue;
    let from = at;
    const floor = Math.max(at - MIN_RUN_LENGTH, 0);
    while (from > floor && RUNS[text.charCodeAt(from - 1)] === 1) from--;
    const ceiling = Math.min(from + MIN_RUN_LENGTH, text.length);
    let to = at + 1;
    while (to < ceiling && RUNS[text.charCodeAt(to)] === 1) to++;
    if (to - from >= MIN_RUN_LENGTH) return true;
  }
  return false;
}

class Surveyor implements Survey {
  readonly hasLongRun: boolean;
  hasPairs = false;
  hasSingles = false;
  readonly rotatedLines: number[] = [];
  readonly leetLines: number[] = [];
  private readonly text: string;
  private pairs = 0;
  private pairStart = 0;
  private singles = 0;
  private singleEnd = 0;
  private rotated = 0;
  private leet = 0;
  private lineStart = 0;

  constructor(text: string) {
    this.text = text;
    this.hasLongRun = findLongRun(text);
  }

  // This loop runs over every text, so rare cases are handled in other methods.
  scan(): void {
    const { text } = this;
    let bits = 0;
    let naturalness = 0;
    let wordStart = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const kind = KINDS[unit] as number;
      if (kind === LETTER) {
        bits = (bits << 5) | (unit & 31);
        naturalness += NATURALNESS[unit & 31] as number;
        continue;
      }
      const length = at - wordStart;
      if (length === 1) this.countSingle(at);
      else if (length === 3) this.rotated += ROTATED[bits & 0x7fff] as number;
      else if (naturalness < length * UNNATURAL) this.rotated += length >= LONG_WORD ? 2 : 1;
      if (kind !== 0) this.visitMark(kind, at);
      bits = 0;
      naturalness = 0;
      wordStart = at + 1;
    }
    if (wordStart < text.length) this.endText(text.length - wordStart, naturalness);
    this.endLine(text.length);
  }

  private countSingle(end: number): void {
    this.singles = end - this.singleEnd <= MAX_GAP_LENGTH + 1 ? this.singles + 1 : 1;
    this.singleEnd = end;
    if (this.singles >= MIN_SINGLES) this.hasSingles = true;
  }

  /** Reads the last word of the text. */
  private endText(length: number, naturalness: number): void {
    if (length === 1) this.countSingle(this.text.length);
    else if (naturalness < length * UNNATURAL) this.rotated += length >= LONG_WORD ? 2 : 1;
  }

  private visitMark(kind: number, at: number): void {
    if (kind === NEWLINE) {
      this.endLine(at);
      return;
    }
    this.countPair(at);
    if (kind === SIGN && KINDS[this.text.charCodeAt(at + 1)] === LETTER) this.countSign(at);
  }

  /** Counts a pair of hex digits. In hex of ASCII text every pair begins with a digit. */
  private countPair(at: number): void {
    const { text } = this;
    if (hexValue(text.charCodeAt(at + 1)) < 0 || isAlphanumeric(text.charCodeAt(at + 2))) return;
    const before = text.charCodeAt(at - 1);
    if (isAlphanumeric(before) && (before | 32) !== LETTER_X) return;
    this.pairs = at - this.pairStart <= MAX_PAIR_LENGTH ? this.pairs + 1 : 1;
    this.pairStart = at;
    if (this.pairs >= MIN_PAIRS) this.hasPairs = true;
  }

  /** Counts the last of a few digits between two letters, or a single digit before a word: `ign0re`, `4ll`. */
  private countSign(at: number): void {
    const { text } = this;
    let from = at;
    while (from > at - MAX_SIGNS_LENGTH && KINDS[text.charCodeAt(from - 1)] === SIGN) from--;
    const isInside = KINDS[text.charCodeAt(from - 1)] === LETTER;
    const isFirst = from === at && (at === 0 || text.charCodeAt(at - 1) <= 32);
    if (isInside || isFirst) this.leet++;
  }

  private endLine(end: number): void {
    if (this.rotated >= 2) this.rotatedLines.push(this.lineStart, end);
    if (this.leet >= MIN_LEET) this.leetLines.push(this.lineStart, end);
    this.rotated = 0;
    this.leet = 0;
    this.lineStart = end + 1;
  }
}

/** Reads every unit once, so that the decoders run only where they may find something. */
export function survey(text: string): Survey {
  const surveyor = new Surveyor(text);
  surveyor.scan();
  return surveyor;
}
