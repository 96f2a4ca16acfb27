import { hashWord } from './lexicon.ts';
import { OVERRIDE_WORDS, type OverrideWords } from './override-words.ts';
import { expandEndings, foldWord, WordIndex } from './spelling.ts';

/**
 * The phrase that sets earlier instructions aside, which every attack kit contains. Harmless text rarely contains it
 * outside quotation marks. Scripts without blanks between words are searched for these patterns; their gaps are
 * bounded, so that a text of such words is read in linear time.
 */
const PATTERNS: readonly string[] = [
  // ja, zh, ko
  '(?:\u3053\u308c\u307e\u3067|\u4ee5\u524d|\u524d|\u4e0a\u8a18|\u5148\u307b\u3069|\u5f93\u6765)\u306e.{0,6}(?:\u6307\u793a|\u547d\u4ee4|\u6307\u4ee4|\u30eb\u30fc\u30eb|\u30d7\u30ed\u30f3\u30d7\u30c8).{0,6}(?:\u7121\u8996|\u5fd8\u308c|\u7834\u68c4)',
  '(?:\u5ffd\u7565|\u65e0\u89c6|\u7121\u8996|\u5fd8\u8bb0|\u5fd8\u8a18|\u5fd8\u6389|\u5ffd\u89c6).{0,4}(?:\u4e4b\u524d|\u4ee5\u4e0a|\u4e0a\u8ff0|\u6b64\u524d|\u5148\u524d|\u524d\u9762|\u6240\u6709).{0,6}(?:\u6307\u4ee4|\u6307\u793a|\u63d0\u793a|\u547d\u4ee4|\u8bf4\u660e|\u89c4\u5219)',
  '(?:\uc774\uc804|\uc55e\uc120|\uae30\uc874|\uc9c0\uae08\uae4c\uc9c0).{0,6}(?:\uc9c0\uc2dc|\uba85\ub839|\uc9c0\uce68|\uaddc\uce59).{0,6}(?:\ubb34\uc2dc|\uc78a)',
  // th, as the view writes it: a sara am is two characters there
  '(?:\u0e40\u0e1e\u0e34\u0e01\u0e40\u0e09\u0e22|\u0e25\u0e30\u0e40\u0e27\u0e49\u0e19|\u0e25\u0e37\u0e21|\u0e44\u0e21\u0e48\u0e2a\u0e19\u0e43\u0e08).{0,4}(?:\u0e04\u0e4d\u0e32\u0e2a\u0e31\u0e48\u0e07|\u0e04\u0e4d\u0e32\u0e41\u0e19\u0e30\u0e19\u0e4d\u0e32).{0,6}(?:\u0e01\u0e48\u0e2d\u0e19\u0e2b\u0e19\u0e49\u0e32|\u0e17\u0e35\u0e48\u0e1c\u0e48\u0e32\u0e19\u0e21\u0e32)',
];

/** Reads a text in which signs between words have become single blanks. */
export const DENSE_OVERRIDE: RegExp = new RegExp(PATTERNS.join('|'), 'g');

/** The parts of the phrase in languages that write blanks, as bits. */
const PARTS = ['verb', 'earlier', 'order', 'orders', 'rule', 'rules', 'any', 'after'] as const;

function bitOfPart(name: string): number {
  return 1 << (PARTS as readonly string[]).indexOf(name);
}

/**
 * The possible meaning of a word: a part of the phrase, in some languages, alone or with the words that must follow it.
 */
export interface Meaning {
  readonly part: number;
  /** Bits, by the position of the language in the table. */
  readonly languages: number;
  readonly following: readonly string[];
}

/** Parts in their order, each with the number of other words that may precede it. */
export interface Template {
  readonly languages: number;
  readonly parts: readonly number[];
  readonly gaps: readonly number[];
  readonly strength: Strength;
}

/**
 * The result of a search: no such phrase, one that programs are told as well, or one that sets earlier instructions
 * aside.
 */
export type Strength = 'no' | 'perhaps' | 'says';

function* meaningsOf(words: OverrideWords, languages: number): Generator<[word: string, meaning: Meaning]> {
  for (const name of PARTS)
    for (const phrase of (words[name] ?? []).flatMap((line) => line.split(' ')).flatMap(expandEndings)) {
      const [first, ...following] = phrase.split('_').map(foldWord) as [string, ...string[]];
      yield [first, { part: bitOfPart(name), languages, following }];
    }
}

/** Reads a line such as `verb 4 earlier 2 order|rules`. */
function templateOf(line: string, languages: number, strength: Strength): Template {
  const items = line.split(' ');
  const parts = items.filter((_, index) => index % 2 === 0);
  const bitsOf = (names: string): number => names.split('|').reduce((bits, name) => bits | bitOfPart(name), 0);
  const gaps = items.filter((_, index) => index % 2 === 1).map(Number);
  return { languages, parts: parts.map(bitsOf), gaps: [0, ...gaps], strength };
}

const MEANINGS = OVERRIDE_WORDS.flatMap((words, index) => [...meaningsOf(words, 1 << index)]);

/** Correct words that look like a misspelling, with their accents, and the languages that have them. */
const UNLIKE = new Map<string, number>();
for (const [index, { unlike = [] }] of OVERRIDE_WORDS.entries())
  for (const word of unlike.flatMap((line) => line.split(' ')))
    UNLIKE.set(word, (UNLIKE.get(word) ?? 0) | (1 << index));

export const TEMPLATES: readonly Template[] = OVERRIDE_WORDS.flatMap(({ says, perhaps = [] }, index) => [
  ...says.map((line) => templateOf(line, 1 << index, 'says')),
  ...perhaps.map((line) => templateOf(line, 1 << index, 'perhaps')),
]);

/** By the bit of a part: the languages in which a phrase may contain it at `step`. */
function languagesByPart(step: number): number[] {
  const languages: number[] = [];
  for (let index = 0; index < PARTS.length; index++) {
    const withPart = TEMPLATES.filter(({ parts }) => ((parts[step] as number) >> index) & 1);
    languages[1 << index] = withPart.reduce((bits, template) => bits | template.languages, 0);
  }
  return languages;
}

const FIRST: readonly number[] = languagesByPart(0);
const SECOND: readonly number[] = languagesByPart(1);

/** The languages in which a phrase may have this meaning as its first part, or as its second. */
export function languagesOf({ part, languages }: Meaning, step: 0 | 1): number {
  return languages & ((step === 0 ? FIRST : SECOND)[part] as number);
}

/** The words of all parts, and the words with which a phrase may begin. */
export const WORDS: WordIndex<Meaning> = new WordIndex(MEANINGS);
const FIRST_MEANINGS = MEANINGS.filter(([, meaning]) => languagesOf(meaning, 0) !== 0);
export const FIRST_WORDS: WordIndex<Meaning> = new WordIndex(FIRST_MEANINGS);
export const FIRST_HASHES: ReadonlySet<number> = new Set(FIRST_MEANINGS.map(([word]) => hashWord(word)));

const NO_MEANINGS: readonly Meaning[] = [];

/**
 * The meanings of a word, including those of the words it may be a misspelling of. A correct word of a language is not
 * a misspelling in it.
 */
export function meaningsIn(words: WordIndex<Meaning>, word: string): readonly Meaning[] {
  const folded = foldWord(word);
  const exact = words.find(folded);
  const misspelt = words.findMisspelt(folded);
  if (exact.length + misspelt.length === 0) return NO_MEANINGS;
  let known = UNLIKE.get(word.normalize('NFC').toLowerCase()) ?? 0;
  const isNew = ({ languages }: Meaning): boolean => (languages & known) === 0;
  const meant = exact.filter(isNew);
  known = meant.reduce((bits, { languages }) => bits | languages, known);
  return [...meant, ...misspelt.filter(isNew)];
}

// "Do not forget the earlier instructions" is the opposite: words before the phrase, within it or after it.
const NOT_BEFORE =
  /(?:\b(?:not|never|no|dont|n\u00e3o|nie|ne|pas|jangan|\u0111\u1eebng|nicht)|n't|(?:^|\s)\u043d\u0435|\u0e2d\u0e22\u0e48\u0e32|\u4e0d\u8981|\u8bf7\u52ff|\u52ff) ?(?:to )?$/i;
const NOT_WITHIN = /^\S+ (?:inte|nicht|niet|ikke)\b/i;
const NOT_AFTER =
  /^(?:\u305a|\u306a\u3044|\u3057\u306a\u3044|\ud558\uc9c0|\uc9c0 |\S{0,3} khi\b|.{0,8} \u09a8\u09be|.{0,12}\b(?:niet|nicht|inte)\b)/i;

/** Recognises a negation before, within or after a phrase. */
export function isNegated(before: string, phrase: string, after: string): boolean {
  return NOT_BEFORE.test(before) || NOT_WITHIN.test(phrase) || NOT_AFTER.test(after);
}
