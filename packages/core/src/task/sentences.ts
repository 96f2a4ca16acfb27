import type { Range } from './quotations.ts';

export interface Sentence extends Range {
  readonly isQuestion: boolean;
  /** Whether the line begins with a bullet or a number. */
  readonly isItem: boolean;
  /** Whether the sentence ends with a colon, so that the items after it belong to it. */
  readonly isLead: boolean;
}

// Marks that end a sentence wherever they occur: full-width and ideographic ones, Arabic and Urdu, Devanagari.
const FINAL = '\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964\u0965\u2026\u203d';
const QUESTION = '?\uff1f\u061f\u203d';
// The inverted question mark begins a sentence: "Paga a Bob, \u00bfvale?"
const FIRST = '\u00bf\u00a1';
const MARK = new RegExp(`[.!?\\n\\r\\u2028\\u2029${FINAL}${FIRST}]`, 'g');
const AFTER_END = /["'\u2019\u201d\u201c\u00bb\u300d\u300f)\]*_.!?]/;
const SPACE = /\s/;
const LETTER = /\p{L}/u;
const ITEM = /^\s*(?:[-*+\u2022\u2013\u2014\u00b7]\s|\d{1,3}[.)]\s)/;
const ITEM_LENGTH = 80;

/** Abbreviations after which a sentence goes on. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof st mt vs etc inc ltd corp co jr sr sra dra hr fr frau nr bzw ca evtl ggf inkl usw max min tel art abs approx dept est fig vol ext cf al e.g i.e z.b d.h u.a p.ex'.split(
    ' ',
  ),
);
const MAX_ABBREVIATION = 7;
/** A line of this length was wrapped, so the sentence goes on in the next line. */
const WRAPPED_LINE = 60;

function isAbbreviation(text: string, at: number): boolean {
  const [word = ''] = /[\p{L}.]*$/u.exec(text.slice(Math.max(0, at - MAX_ABBREVIATION), at)) ?? [];
  const isInitial = /(?:^|\.)\p{L}$/u.test(word) && /^\s\S/.test(text.slice(at + 1, at + 3));
  return isInitial || ABBREVIATIONS.has(word.toLowerCase());
}

/** Reads a text from left to right, so that each question about a position costs no more than the text before it. */
class Scanner {
  readonly #text: string;
  #checked = 0;
  #hasSlash = false;
  #closing: Range = { start: 0, end: 0 };

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether the word before a position contains a slash: then a mark in it is part of an address or a path. */
  isInAddress(at: number): boolean {
    for (; this.#checked < at; this.#checked++) {
      const character = this.#text.charAt(this.#checked);
      if (SPACE.test(character)) this.#hasSlash = false;
      else if (character === '/') this.#hasSlash = true;
    }
    return this.#hasSlash;
  }

  /** Skips closing quotation marks, brackets and repeated marks after the end of a sentence. */
  skipClosing(start: number): number {
    if (start >= this.#closing.start && start <= this.#closing.end) return this.#closing.end;
    let end = start;
    while (end < this.#text.length && AFTER_END.test(this.#text.charAt(end))) end++;
    this.#closing = { start, end };
    return end;
  }
}

/** Whether an ASCII mark ends a sentence: not inside an address, a number, a file name or an abbreviation. */
function isEnd(text: string, at: number, scanner: Scanner): boolean {
  const after = scanner.skipClosing(at + 1);
  if (after >= text.length || SPACE.test(text.charAt(after)))
    return text.charAt(at) !== '.' || !isAbbreviation(text, at);
  if (text.charAt(at) === '.') return text.charCodeAt(after) >= 0xe00;
  return !scanner.isInAddress(at) || !/[!-~]/.test(text.charAt(after));
}

/** Whether a sentence ends with its line: the next line is blank, is an item, or the line is not wrapped. */
function endsLine(text: string, lineStart: number, at: number): boolean {
  const next = text.slice(at + 1, at + 1 + ITEM_LENGTH);
  if (/^[^\S\n]*(?:\n|$)/.test(next) || ITEM.test(next)) return true;
  const first = next.trimStart().charAt(0);
  const isWrapped = at - lineStart >= WRAPPED_LINE && !/[:;]\s*$/.test(text.slice(at - 4, at));
  return (
    !isWrapped && (first.toLowerCase() === first.toUpperCase() ? LETTER.test(first) : first !== first.toLowerCase())
  );
}

function sentenceOf(text: string, start: number, end: number, isQuestion: boolean): Sentence {
  return {
    start,
    end,
    isQuestion,
    isItem: ITEM.test(text.slice(start, start + ITEM_LENGTH)),
    isLead: /:\s*$/.test(text.slice(Math.max(start, end - 4), end)),
  };
}

/** Divides a text into sentences, without gaps. Linear in the text. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  const scanner = new Scanner(text);
  let start = 0;
  let lineStart = 0;
  const end = (at: number, isQuestion: boolean): void => {
    if (at > start) sentences.push(sentenceOf(text, start, at, isQuestion));
    start = at;
  };
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (index < start) continue;
    if (/\s/.test(mark)) {
      if (endsLine(text, lineStart, index)) end(index + 1, false);
      lineStart = index + 1;
    } else if (FIRST.includes(mark)) end(index, false);
    else if (FINAL.includes(mark) || isEnd(text, index, scanner)) {
      const after = scanner.skipClosing(index + 1);
      const isQuestion = Array.from(text.slice(index, after)).some((each) => QUESTION.includes(each));
      end(after, isQuestion);
    }
  }
  end(text.length, false);
  return sentences;
}
