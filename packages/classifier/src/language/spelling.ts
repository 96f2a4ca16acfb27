/** The maximum cost of all errors in a word. */
const MAX_COST = 2;
const NEVER = MAX_COST + 1;

const SHORT = 5;
const LONG = 8;
const MIN_WRITTEN = 4;
const MAX_WRITTEN = 24;

// Vowels of the Latin, Cyrillic and Arabic scripts, and the vowel signs of Devanagari and Bengali.
const VOWELS =
  /[aeiouy\u0430\u0435\u0438\u043e\u0443\u044b\u044d\u044e\u044f\u0454\u0456\u0627\u0648\u064a\u093e-\u094c\u09be-\u09cc]/;
const LAST_VOWEL = 0x09cc;
const IS_VOWEL: Uint8Array = Uint8Array.from({ length: LAST_VOWEL + 1 }, (_, code) =>
  Number(VOWELS.test(String.fromCharCode(code))),
);

// Accents of Latin and Cyrillic letters, Arabic vowel signs and hamzas, the dots below Indic letters.
const MARKS = /[\u0300-\u036f\u064b-\u065f\u0670\u093c\u09bc]/g;
// An article or a pronoun that French and Italian join to the next word.
const ELISION = /^\p{L}{1,2}['\u2019](?=\p{L})/u;

/** A word without case, accents and apostrophes: two spellings that differ only in these are the same. */
export function foldWord(word: string): string {
  const small = word.toLowerCase();
  if (/^[a-z]*$/.test(small)) return small;
  const bare = small.replace(ELISION, '').replace(/['\u2019]/g, '');
  return bare.normalize('NFD').replace(MARKS, '').normalize('NFC').replaceAll('\u0131', 'i');
}

const ENDINGS = /^([^()]+)\(([^()]+)\)([^()]*)$/;

/** `order(|s|ed)` in a word list is short for `order orders ordered`. */
export function expandEndings(word: string): string[] {
  const [, stem, endings, rest] = ENDINGS.exec(word) ?? [];
  if (stem === undefined || endings === undefined) return [word];
  return endings.split('|').map((ending) => stem + ending + rest);
}

/** Excludes short words: with four letters, a misspelling is too often another word. */
function canBeMisspelt({ length }: string): boolean {
  return length >= SHORT;
}

/** The cost of one wrong letter: a word of 5 to 7 letters may have one, a longer word two. */
function letterCost({ length }: string): number {
  return length < LONG ? MAX_COST : MAX_COST / 2;
}

function isVowel(code: number): boolean {
  return IS_VOWEL[code] === 1;
}

// The rows of the comparison before the last, the last, and the current one.
const size = MAX_WRITTEN + 1;
let [before, above, current] = [new Uint8Array(size), new Uint8Array(size), new Uint8Array(size)];

/** Fills the first row: the cost of the first letters that are written before the word begins. */
function begin(written: string, cost: number): void {
  above[0] = 0;
  for (let j = 1; j <= written.length; j++) above[j] = j === 2 && written[0] === written[1] ? cost : NEVER;
}

/** Fills the row of one letter. Returns its lowest cost. */
function compareLetter(word: string, i: number, written: string, cost: number): number {
  const code = word.charCodeAt(i - 1);
  current[0] = (above[0] as number) + cost;
  let lowest = current[0] as number;
  for (let j = 1; j <= written.length; j++) {
    const other = written.charCodeAt(j - 1);
    const same = above[j - 1] as number;
    // Two vowels may be wrong in any word: people write by ear.
    let best = code === other ? same : same + (isVowel(code) && isVowel(other) ? MAX_COST / 2 : cost);
    best = Math.min(best, (above[j] as number) + cost);
    // An extra letter is a slip inside a word or a letter typed twice. At the end it is an ending: `ignored`,
    // `systems`.
    if (i < word.length || other === written.charCodeAt(j - 2))
      best = Math.min(best, (current[j - 1] as number) + cost);
    if (i > 1 && j > 1 && code === written.charCodeAt(j - 2) && other === word.charCodeAt(i - 2))
      best = Math.min(best, (before[j - 2] as number) + cost);
    current[j] = Math.min(best, NEVER);
    lowest = Math.min(lowest, best);
  }
  return lowest;
}

/**
 * Checks that letters dropped, added, replaced or exchanged with the next turn `word` into `written` within the maximum
 * cost.
 */
function isNear(word: string, written: string): boolean {
  const cost = letterCost(word);
  begin(written, cost);
  for (let i = 1; i <= word.length; i++) {
    if (compareLetter(word, i, written, cost) > MAX_COST) return false;
    [before, above, current] = [above, current, before];
  }
  return (above[written.length] as number) <= MAX_COST;
}

/** Recognises `word` and its misspellings. Both arguments are folded. */
export function isSpelling(written: string, word: string): boolean {
  if (written === word) return true;
  if (!canBeMisspelt(word) || written.length < MIN_WRITTEN || written.length > MAX_WRITTEN) return false;
  return Math.abs(word.length - written.length) * letterCost(word) <= MAX_COST && isNear(word, written);
}

/** The letters that occur in a word, as bits. */
interface Letters {
  readonly all: number;
  readonly consonants: number;
}

interface Entry<Value> {
  readonly word: string;
  readonly letters: Letters;
  readonly values: Value[];
}

function lettersOf(word: string): Letters {
  let all = 0;
  let consonants = 0;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    const bit = 1 << (code & 31);
    all |= bit;
    if (!isVowel(code)) consonants |= bit;
  }
  return { all, consonants };
}

function isOneOrNone(bits: number): boolean {
  return (bits & (bits - 1)) === 0;
}

/**
 * A quick check by letter sets: they may differ by two letters, of which one may be a consonant unless the word is
 * long.
 */
function areNear(letters: Letters, word: Letters, isLong: boolean): boolean {
  const missing = word.all & ~letters.all;
  const added = letters.all & ~word.all;
  if (!isOneOrNone(missing & (missing - 1)) || !isOneOrNone(added & (added - 1))) return false;
  return isLong || (isOneOrNone(word.consonants & ~letters.all) && isOneOrNone(letters.consonants & ~word.all));
}

function keyOf(word: string, place: number, length: number): number {
  return word.charCodeAt(place) * MAX_WRITTEN * 2 + length;
}

/**
 * Finds words of a list in spite of misspellings. A misspelling may change the first letter or the second, not both.
 */
export class WordIndex<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  /** Words that can be misspelt, by the length of a misspelling and one of the first two letters. */
  private readonly buckets = new Map<number, Entry<Value>[]>();

  /** The words are folded. */
  constructor(words: Iterable<readonly [word: string, value: Value]>) {
    for (const [word, value] of words) {
      const known = this.entries.get(word);
      if (known === undefined) this.add({ word, letters: lettersOf(word), values: [value] });
      else known.values.push(value);
    }
  }

  private add(entry: Entry<Value>): void {
    const { word } = entry;
    this.entries.set(word, entry);
    if (!canBeMisspelt(word)) return;
    const reach = MAX_COST / letterCost(word);
    for (const letter of new Set(word.slice(0, 2)))
      for (let length = word.length - reach; length <= word.length + reach; length++) {
        const key = keyOf(letter, 0, length);
        const bucket = this.buckets.get(key);
        if (bucket === undefined) this.buckets.set(key, [entry]);
        else bucket.push(entry);
      }
  }

  /** The values of a word, which is folded. */
  find(word: string): readonly Value[] {
    return this.entries.get(word)?.values ?? [];
  }

  /** The values of the words of which `written`, which is folded, is a misspelling. */
  findMisspelt(written: string): readonly Value[] {
    if (written.length < MIN_WRITTEN || written.length > MAX_WRITTEN) return [];
    const letters = lettersOf(written);
    const found = new Set<Value>();
    for (const place of [0, 1])
      for (const entry of this.buckets.get(keyOf(written, place, written.length)) ?? [])
        if (areNear(letters, entry.letters, entry.word.length >= LONG) && isSpelling(written, entry.word))
          for (const value of entry.values) found.add(value);
    return [...found];
  }
}
