import { JOINER, kindAt, LETTER, lowerOf } from './character.ts';
import { OFFSET, PRIME } from './lexicon.ts';
import {
  FIRST_HASHES,
  FIRST_WORDS,
  isNegated,
  languagesOf,
  type Meaning,
  meaningsIn,
  type Strength,
  TEMPLATES,
  type Template,
  WORDS,
} from './override-phrases.ts';
import { foldWord, isSpelling } from './spelling.ts';

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Set when only a blank separates it from the word before: a phrase does not cross the end of a sentence. */
  readonly joined: boolean;
  readonly meanings: readonly Meaning[];
}

const WORD = /[\p{L}\p{M}\p{N}']+/gu;
const APOSTROPHE = 39;
const RIGHT_QUOTE = 0x2019;
/** The maximum length of a word between the parts: articles, pronouns and the like. */
const MAX_GAP_WORD = 12;

const OTHERS = 1 << 16;
const MAX_KNOWN = 5000;

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (OTHERS - 1);
}

function smallOf(code: number): number {
  const kind = kindAt(code);
  if (kind === LETTER || kind === JOINER) return lowerOf(code);
  return code === RIGHT_QUOTE || code === APOSTROPHE ? APOSTROPHE : 0;
}

const ASCII: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => smallOf(code));

/** The index after the words of a meaning that begins at `at`, or -1 if other words follow. */
function endOf({ following }: Meaning, words: readonly Word[], at: number): number {
  for (const [offset, expected] of following.entries()) {
    const word = words[at + 1 + offset];
    if (!word?.joined || !isSpelling(word.text, expected)) return -1;
  }
  return at + 1 + following.length;
}

/**
 * The index after the part of a template at `step` and the parts after it, if the first of them begins at `at`; else
 * -1.
 */
function endOfPart(template: Template, step: number, words: readonly Word[], at: number): number {
  const part = template.parts[step] as number;
  for (const meaning of (words[at] as Word).meanings) {
    if ((meaning.part & part) === 0 || (meaning.languages & template.languages) === 0) continue;
    const next = endOf(meaning, words, at);
    const end = next < 0 ? next : endAfter(template, step + 1, words, next);
    if (end >= 0) return end;
  }
  return -1;
}

/** The index after the parts of a template from `step` on, with other words before each; -1 if one is missing. */
function endAfter(template: Template, step: number, words: readonly Word[], from: number): number {
  if (step === template.parts.length) return from;
  for (let at = from; at <= from + (template.gaps[step] as number); at++) {
    const word = words[at];
    if (!word?.joined) return -1;
    const end = endOfPart(template, step, words, at);
    if (end >= 0) return end;
    if (word.text.length > MAX_GAP_WORD) return -1;
  }
  return -1;
}

/** Reads phrases in languages that write blanks. Its caches of words serve all texts. */
export class PhraseReader {
  /** Hashes of words that begin no phrase, as most words of a text do, each at its remainder. */
  private readonly others = new Int32Array(OTHERS);
  private readonly known = new Map<string, readonly Meaning[]>();
  /** The languages in which a phrase may begin with a word; a text may repeat such a word a million times. */
  private readonly starts = new Map<string, number>();

  private meaningsOf(word: string): readonly Meaning[] {
    let meanings = this.known.get(word);
    if (meanings === undefined) {
      if (this.known.size === MAX_KNOWN) this.known.clear();
      meanings = meaningsIn(WORDS, word);
      this.known.set(word, meanings);
    }
    return meanings;
  }

  /** The languages in which a phrase may begin with a word. */
  private begins(word: string, hash: number): number {
    const started = this.starts.get(word);
    if (started !== undefined) return started;
    let languages = 0;
    for (const meaning of meaningsIn(FIRST_WORDS, word)) languages |= languagesOf(meaning, 0);
    // A word that was made to collide with the hash of a listed one must not hide it.
    if (languages === 0 && !FIRST_HASHES.has(hash)) this.others[slotOf(hash)] = hash;
    else {
      if (this.starts.size === MAX_KNOWN) this.starts.clear();
      this.starts.set(word, languages);
    }
    return languages;
  }

  /**
   * The languages in which a range of a text contains the first part of a phrase and, after it, the second; as bits.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over units, one pass; calls would double its time
  languagesIn(text: string, start: number, end: number): number {
    const { others } = this;
    let begun = 0;
    let found = 0;
    for (let at = start; at < end; at++) {
      const from = at;
      let hash = OFFSET;
      for (; at < end; at++) {
        const code = text.charCodeAt(at);
        const small = code < 128 ? (ASCII[code] as number) : smallOf(code);
        if (small === 0) break;
        hash = Math.imul(hash ^ small, PRIME);
      }
      if (at === from) continue;
      if (begun !== 0)
        for (const meaning of this.meaningsOf(text.slice(from, at))) found |= begun & languagesOf(meaning, 1);
      if (others[slotOf(hash)] !== hash) begun |= this.begins(text.slice(from, at), hash);
    }
    return found;
  }

  private wordsOf(text: string): Word[] {
    const words: Word[] = [];
    for (const { index: start, 0: word } of text.matchAll(WORD)) {
      const joined = text.slice(words.at(-1)?.end ?? 0, start) === ' ';
      words.push({ text: foldWord(word), start, end: start + word.length, joined, meanings: this.meaningsOf(word) });
    }
    return words;
  }

  /** The strongest phrase of these languages that begins among the first `own` units and is not negated. */
  read(text: string, own: number, languages: number): Strength {
    if (languages === 0) return 'no';
    const words = this.wordsOf(text);
    const saysIt = (template: Template): boolean =>
      words.some(({ start }, index) => {
        if (start >= own) return false;
        const last = words[endOfPart(template, 0, words, index) - 1];
        if (last === undefined) return false;
        return !isNegated(text.slice(0, start), text.slice(start, last.end), text.slice(last.end));
      });
    const met = TEMPLATES.filter((template) => (template.languages & languages) !== 0 && saysIt(template));
    if (met.length === 0) return 'no';
    return met.some(({ strength }) => strength === 'says') ? 'says' : 'perhaps';
  }
}
