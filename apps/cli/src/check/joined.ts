import { findSpans, type SpanFound } from '@sallyport/classifier';
import type { FoundText } from './texts.ts';

/** A finding in joined strings. */
export interface FoundAcross {
  readonly span: SpanFound;
  /** The joined text that the span refers to. */
  readonly text: string;
  readonly first: FoundText;
  readonly last: FoundText;
}

/** Short enough that an instruction carries weight in the window, and long enough to contain it. */
const WINDOW = 4096;
/** An instruction up to this length on the border of two windows is complete in one of them. */
const OVERLAP = 1024;
const MIN_LENGTH = 16;
const RECENT = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, with its controls.
const ASCII = /^[\u0000-\u007f]*$/;

/**
 * Selects the strings that are checked alone. A short one in Latin letters means nothing alone, and checking all of a
 * file's would take minutes: they are checked only joined with their neighbours.
 */
export function isReadAlone({ text, place }: FoundText): boolean {
  return place === undefined || text.length >= MIN_LENGTH || !ASCII.test(text);
}

// Letters and digits, with punctuation inside and after a word.
const WORD =
  /^["'(\u201c\u2018]?[\p{L}\p{M}\p{N}]+(?:['\u2019-][\p{L}\p{M}\p{N}]+)*["'\u201d\u2019)]?[.,;:!?\u2026]*$/u;
const CAMEL = /\p{Ll}\p{Lu}/u;
const DENSE = /[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]/;
const ENDED = /[.!?\u3002\uff01\uff1f\u0964\u06d4\u061f]["'\u201d\u2019)]?\s*$/;
const ADDRESS = /@|:\/\//;

/**
 * Recognizes a string that could be part of a sentence. Joined commands, paths, versions and identifiers look like
 * instructions to a classifier of sentences: they separate the strings before them from those after.
 */
function isPiece(text: string): boolean {
  if (DENSE.test(text)) return true;
  return text
    .trim()
    .split(/\s+/)
    .every((word) => ADDRESS.test(word) || (WORD.test(word) && !CAMEL.test(word)));
}

interface Piece {
  readonly found: FoundText;
  readonly text: string;
}

interface Window {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** Joins strings to texts, in windows: a model follows an instruction even if its words are separate strings. */
export class Joined {
  readonly #windows: Window[] = [];
  #pieces: Piece[] = [];
  #names = new Set<string>();
  #length = 0;

  add(found: FoundText): void {
    if (found.text === '') return;
    if (!isPiece(found.text)) this.#separate();
    else if (!this.#isRepeated(found)) this.#append(found);
  }

  #append(found: FoundText): void {
    if (found.isName) this.#names.add(found.text);
    this.#pieces.push({ found, text: found.text });
    this.#length += found.text.length + 1;
    if (ENDED.test(found.text) && isReadAlone(found)) this.#separate();
    else if (this.#length >= WINDOW) this.#close();
  }

  /** Records repeat their names, and lists repeat values: repetitions add nothing and would separate the words that matter. */
  #isRepeated({ text, isName }: FoundText): boolean {
    return isName ? this.#names.has(text) : this.#pieces.slice(-RECENT).some((piece) => piece.text === text);
  }

  /** Ends the text: what follows does not continue it. */
  #separate(): void {
    this.#close();
    this.#pieces = [];
    this.#names = new Set();
    this.#length = 0;
  }

  /** Ends a window. The next one starts with the end of this one. */
  #close(): void {
    if (this.#pieces.length < 2 || this.#length < MIN_LENGTH) return;
    this.#windows.push({ text: this.#pieces.map((piece) => piece.text).join(' '), pieces: this.#pieces });
    this.#keepEnd();
  }

  /** Classifies the joined strings, window by window. */
  async read(): Promise<readonly FoundAcross[]> {
    this.#close();
    const across: FoundAcross[] = [];
    for (const { text, pieces } of this.#windows.splice(0))
      for (const span of await findSpans(text)) {
        const [first, ...others] = this.#touched(span, pieces);
        const last = others.at(-1) ?? first;
        // A finding within one string was already checked by itself, where its neighbours do not change the score.
        if (first === undefined || last === undefined || (first === last && isReadAlone(first))) continue;
        across.push({ span, text, first, last });
      }
    return across;
  }

  #touched({ start, end }: SpanFound, pieces: readonly Piece[]): readonly FoundText[] {
    let at = 0;
    return pieces.flatMap(({ found, text }) => {
      const from = at;
      at += text.length + 1;
      return from < end && from + text.length > start ? [found] : [];
    });
  }

  #keepEnd(): void {
    const kept: Piece[] = [];
    let length = 0;
    for (let at = this.#pieces.length - 1; at >= 0 && length < OVERLAP; at--) {
      const { found, text } = this.#pieces[at] as Piece;
      kept.push({ found, text: text.slice(length - OVERLAP) });
      length += text.length + 1;
    }
    this.#pieces = kept.reverse();
    this.#names = new Set(this.#pieces.filter(({ found }) => found.isName).map(({ text }) => text));
    this.#length = Math.min(length, OVERLAP);
  }
}
