import { endsWord, letterIndex, ROOT, step } from './words.ts';

const ONE = 49;
const BANG = 33;
const LETTER_I = 105;
const LETTER_L = 108;
const MIN_WORDS = 2;
const MIN_KNOWN_LENGTH = 3;
const MAX_WORD_LENGTH = 24;

/** The letter that each sign imitates. A letter maps to itself, in lower case. */
const LETTERS: Uint8Array = new Uint8Array(0x10000);
for (let letter = 97; letter <= 122; letter++) {
  LETTERS[letter] = letter;
  LETTERS[letter - 32] = letter;
}
for (const [sign = '', letter = ''] of ['0o', '1i', '3e', '4a', '5s', '7t', '8b', '@a', '$s', '!i'])
  LETTERS[sign.charCodeAt(0)] = letter.charCodeAt(0);

function isLetter(unit: number): boolean {
  const letter = letterIndex(unit);
  return letter >= 0 && letter < 26;
}

function isDigit(unit: number | undefined): boolean {
  return unit !== undefined && unit >= 48 && unit <= 57;
}

/** Iterates over the words of a line that contain a sign. It holds one word at a time and allocates nothing. */
class Words {
  from = 0;
  to = 0;
  private switches = 0;
  private letters = 0;
  private readonly units: Uint16Array;

  constructor(units: Uint16Array) {
    this.units = units;
  }

  /** Moves to the next word. Returns false if there is none. */
  next(): boolean {
    const { units } = this;
    for (this.from = this.to; this.from < units.length; this.from = this.to) {
      if (LETTERS[units[this.from] as number] === 0) this.to = this.from + 1;
      else {
        this.read();
        const isPart = isDigit(units[this.from - 1]) || isDigit(units[this.to]);
        if (!isPart && this.to - this.from > this.letters && this.to - this.from <= MAX_WORD_LENGTH) return true;
      }
    }
    return false;
  }

  private read(): void {
    const { units } = this;
    let end = this.from;
    let letters = 0;
    let switches = 0;
    let wasLetter = isLetter(units[end] as number);
    for (; end < units.length && LETTERS[units[end] as number] !== 0; end++) {
      const isHere = isLetter(units[end] as number);
      if (isHere) letters++;
      if (isHere !== wasLetter) switches++;
      wasLetter = isHere;
    }
    this.to = end;
    this.letters = letters;
    // Exclamation marks at the end usually close a sentence.
    this.switches = units[end - 1] === BANG ? switches - 1 : switches;
  }

  /** True if signs are between letters, as in `ign0re`. */
  get isClear(): boolean {
    return this.switches >= 2;
  }

  /** True if signs are between letters, or one sign is at an end (`4ll`). Not for `10kg`, `abc123` or `wow!!`. */
  get isLeet(): boolean {
    return this.letters > 0 && (this.isClear || (this.switches === 1 && this.to - this.from - this.letters === 1));
  }

  /** The letter for the digit 1: i, or l if only l makes a word. Zero if neither does. */
  get letterForOne(): number {
    if (this.isWord(LETTER_I)) return LETTER_I;
    return this.isWord(LETTER_L) ? LETTER_L : 0;
  }

  private isWord(one: number): boolean {
    let node: number = ROOT;
    for (let at = this.from; at < this.to; at++) node = step(node, this.letterAt(at, one) - 97);
    return endsWord(node);
  }

  private letterAt(at: number, one: number): number {
    const unit = this.units[at] as number;
    return unit === ONE || unit === BANG ? one : (LETTERS[unit] as number);
  }

  write(one: number): void {
    const { units } = this;
    let to = this.to;
    while (to > this.from && units[to - 1] === BANG) to--;
    for (let at = this.from; at < to; at++) if (!isLetter(units[at] as number)) units[at] = this.letterAt(at, one);
  }
}

function isLeetLine(units: Uint16Array): boolean {
  let leet = 0;
  let clear = 0;
  let known = 0;
  for (const words = new Words(units); words.next(); ) {
    if (!words.isLeet) continue;
    leet++;
    if (words.isClear) clear++;
    if (known === 0 && words.to - words.from >= MIN_KNOWN_LENGTH && words.letterForOne > 0) known++;
  }
  return leet >= MIN_WORDS && clear > 0 && known > 0;
}

/** Replaces digits and signs with the letters that they imitate, in a line with several such words. */
export function unleet(units: Uint16Array): boolean {
  if (!isLeetLine(units)) return false;
  for (const words = new Words(units); words.next(); ) {
    const one = words.letterForOne;
    // In a line of leet, `53nd` and `70` are words too.
    if (words.isLeet || one > 0) words.write(one || LETTER_I);
  }
  return true;
}
