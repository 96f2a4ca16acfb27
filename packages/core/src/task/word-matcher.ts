import type { Entries, Matching } from './words/act-words.ts';

/** An entry of this many letters is the beginning of a word, a shorter one is the whole word. */
const MIN_STEM = 4;
const MIN_STEM_OF_OTHER_SCRIPTS = 2;

/** A word without the endings of English verbs and nouns. */
export function stemOf(word: string): string {
  if (word.length <= 3) return word;
  const stem = word.replace(/ies$/, 'y').replace(/(?:ing|ed|es|s|e)$/, '');
  return stem.length < 3 ? word : stem.replace(/([bdgklmnprt])\1$/, '$1');
}

// Accents, Arabic vowel signs and hamzas, the dots of Indic letters, joiners and soft hyphens. Vowel signs of Indic scripts stay.
const ACCENTS = /[\u0300-\u036f\u064b-\u065f\u0670\u093c\u09bc\u00ad\u200b-\u200d\u0640]/gu;
const LETTERS: Readonly<Record<string, string>> = {
  '\u0131': 'i',
  '\u0142': 'l',
  '\u0111': 'd',
  '\u00f8': 'o',
  '\u00e6': 'ae',
  '\u00df': 'ss',
  '\u064a': '\u06cc',
  '\u0643': '\u06a9',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
const PRINTABLE_ASCII = /^[ -~]*$/;

/** A text in lower case, without accents. */
export function foldAccents(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.toLowerCase();
  const plain = text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(ACCENTS, '');
  return plain.replace(LETTER, (letter) => LETTERS[letter] ?? letter);
}

/** A text in lower case, with its accents. */
function compose(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKC').toLowerCase();
}

// A currency sign is a word, because an amount of money says what is meant.
const WORD = /[\p{L}\p{M}\u00ad\u200b-\u200d]+|\p{Sc}/gu;
// What may separate the words of an expression: "s'il te plait", "peux-tu".
const GAP = /^(?:\s+|['\u2019\u02bc-])$/u;
// In Arabic "and" and "then" are written as part of the next word.
const ARABIC_AND = /^[\u0648\u0641](?=\p{L}{3})/u;

/** A word of a text, in UTF-16 units. */
interface Word {
  readonly start: number;
  readonly end: number;
  readonly folded: string;
  readonly composed: string;
}

interface Expression<Value> {
  readonly words: readonly string[];
  readonly isStem: boolean;
  readonly value: Value;
}

/** An occurrence of an entry, in UTF-16 units. */
export interface WordMatch<Value> {
  readonly start: number;
  readonly end: number;
  readonly value: Value;
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const present = map.get(key);
  if (present === undefined) map.set(key, [value]);
  else if (!present.includes(value)) present.push(value);
}

/** Where the words of a text are, in order. */
export function wordRanges(text: string): { readonly start: number; readonly end: number }[] {
  return Array.from(text.matchAll(WORD), ({ 0: raw, index }) => ({ start: index, end: index + raw.length }));
}

/** Finds the words of many lists in one pass. Linear in the text. */
export class WordMatcher<Value> {
  readonly #english = new Map<string, Value[]>();
  // German "wir" is not "wire" and "not" is not "note": a bare stem counts only if it is an entry.
  readonly #englishWords = new Set<string>();
  readonly #folded = { whole: new Map<string, Value[]>(), stems: new Map<string, Value[]>() };
  readonly #composed = { whole: new Map<string, Value[]>(), stems: new Map<string, Value[]>() };
  readonly #expressions = new Map<string, Expression<Value>[]>();
  readonly #dense = new Map<string, Value[]>();
  readonly #denseStarts = new Set<number>();
  #longestStem = 0;
  #longestDense = 0;

  add(matching: Matching, entries: Entries, value: Value): void {
    for (const entry of entries.flatMap((each) => each.split(','))) {
      if (matching === 'dense') this.#addDense(entry, value);
      else if (/[ -]/.test(entry)) this.#addExpression(matching, entry, value);
      else this.#addWord(matching, entry, value);
    }
  }

  #addDense(entry: string, value: Value): void {
    for (const form of new Set([entry, entry.normalize('NFD')])) {
      append(this.#dense, form, value);
      this.#denseStarts.add(form.charCodeAt(0));
      this.#longestDense = Math.max(this.#longestDense, form.length);
    }
  }

  #addExpression(matching: Matching, entry: string, value: Value): void {
    const hasAccents = matching === 'words';
    const words = entry
      .replace(/^=/, '')
      .split(/ |(?=-)/)
      .map((word) => (hasAccents ? word : foldAccents(word)));
    const last = words.at(-1) ?? '';
    const least = /^[a-z]/.test(last) ? MIN_STEM : MIN_STEM_OF_OTHER_SCRIPTS;
    const isStem = matching === 'stems' && !entry.startsWith('=') && last.length >= least;
    append(this.#expressions, words[0] ?? '', { words, isStem, value });
  }

  #addWord(matching: Matching, entry: string, value: Value): void {
    const word = entry.replace(/^[=!]/, '');
    const isComposed = matching === 'words' || entry.startsWith('!');
    const key = isComposed ? word : foldAccents(word);
    const maps = isComposed ? this.#composed : this.#folded;
    const isWhole = entry.startsWith('=') || matching === 'words' || key.length < MIN_STEM;
    if (matching === 'english' && !entry.startsWith('=')) this.#addEnglish(key, value);
    else if (isWhole) append(maps.whole, key, value);
    else append(maps.stems, key, value);
    this.#longestStem = Math.max(this.#longestStem, key.length);
  }

  #addEnglish(word: string, value: Value): void {
    append(this.#english, stemOf(word), value);
    this.#englishWords.add(word);
  }

  /** Every occurrence of an entry, in no particular order. */
  find(text: string): WordMatch<Value>[] {
    const found: WordMatch<Value>[] = [];
    this.#findWords(text, found);
    this.#findDense(text, found);
    return found;
  }

  /** The values of the entries that a text contains. */
  valuesIn(text: string): Set<Value> {
    return new Set(this.find(text).map(({ value }) => value));
  }

  #findWords(text: string, found: WordMatch<Value>[]): void {
    const words: Word[] = [];
    const known = new Map<string, readonly Value[]>();
    for (const { 0: raw, index: start } of text.matchAll(WORD)) {
      const word = { start, end: start + raw.length, folded: foldAccents(raw), composed: compose(raw) };
      words.push(word);
      const values = known.get(word.composed) ?? this.#valuesOf(word);
      known.set(word.composed, values);
      for (const value of values) found.push({ start, end: word.end, value });
    }
    this.#findExpressions(text, words, found);
  }

  #findExpressions(text: string, words: readonly Word[], found: WordMatch<Value>[]): void {
    for (const [index, { start, folded, composed }] of words.entries()) {
      const begun = this.#expressions.get(folded) ?? [];
      const begunWithAccents = folded === composed ? [] : (this.#expressions.get(composed) ?? []);
      for (const expression of [...begun, ...begunWithAccents]) {
        const end = endOfExpression(text, words, index, expression);
        if (end !== undefined) found.push({ start, end, value: expression.value });
      }
    }
  }

  #valuesOf({ folded, composed }: Word): readonly Value[] {
    const stem = stemOf(folded);
    const isBare = stem === folded && !this.#englishWords.has(folded);
    const values = new Set<Value>(isBare ? [] : this.#english.get(stem));
    for (const word of new Set([folded, folded.replace(ARABIC_AND, '')])) this.#collect(this.#folded, word, values);
    this.#collect(this.#composed, composed, values);
    return [...values];
  }

  #collect(
    { whole, stems }: { whole: Map<string, Value[]>; stems: Map<string, Value[]> },
    word: string,
    values: Set<Value>,
  ): void {
    for (const value of whole.get(word) ?? []) values.add(value);
    const longest = Math.min(word.length, this.#longestStem);
    for (let length = MIN_STEM; length <= longest; length++)
      for (const value of stems.get(word.slice(0, length)) ?? []) values.add(value);
  }

  #findDense(text: string, found: WordMatch<Value>[]): void {
    for (let start = 0; start < text.length; start++) {
      if (!this.#denseStarts.has(text.charCodeAt(start))) continue;
      for (let length = 1; length <= this.#longestDense; length++)
        for (const value of this.#dense.get(text.slice(start, start + length)) ?? [])
          found.push({ start, end: start + length, value });
    }
  }
}

function endOfExpression<Value>(
  text: string,
  words: readonly Word[],
  index: number,
  { words: expected, isStem }: Expression<Value>,
): number | undefined {
  let end = words[index]?.end ?? 0;
  for (let offset = 1; offset < expected.length; offset++) {
    const word = words[index + offset];
    const hyphenated = expected[offset] as string;
    const want = hyphenated.replace(/^-/, '');
    if (word === undefined || !GAP.test(text.slice(end, word.start))) return undefined;
    if (want !== hyphenated && text.charAt(end) !== '-') return undefined;
    const canBeStem = isStem && offset === expected.length - 1;
    const isEqual = word.folded === want || word.composed === want;
    if (!isEqual && !(canBeStem && word.folded.startsWith(want))) return undefined;
    end = word.end;
  }
  return end;
}
