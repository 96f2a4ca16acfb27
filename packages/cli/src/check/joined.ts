import { findSpans, type SpanFound } from '@sallyport/classifier';
import type { FoundText } from './texts.ts';

/** What stands in several strings, read one after the other. */
export interface FoundAcross {
  readonly span: SpanFound;
  /** What was read, to which the span belongs. */
  readonly text: string;
  readonly first: FoundText;
  readonly last: FoundText;
}

/** Short enough that an instruction is not one among many, and long enough to hold it. */
const WINDOW = 4096;
/** What lies on the border of two windows is whole in one of them, up to this length. */
const OVERLAP = 1024;
const MIN_LENGTH = 16;
const RECENT = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, with its controls.
const ASCII = /^[\u0000-\u007f]*$/;

/**
 * Whether a string says something by itself. One of two words in Latin letters does not, and of those a file may hold so many
 * that reading each takes minutes: they are read with their neighbours alone.
 */
export function isReadAlone({ text, place }: FoundText): boolean {
  return place === undefined || text.length >= MIN_LENGTH || !ASCII.test(text);
}

// Letters, with what stands inside a word and behind it.
const WORD =
  /^["'(\u201c\u2018]?[\p{L}\p{M}\p{N}]+(?:['\u2019-][\p{L}\p{M}\p{N}]+)*["'\u201d\u2019)]?[.,;:!?\u2026]*$/u;
const CAMEL = /\p{Ll}\p{Lu}/u;
const DENSE = /[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]/;
const ENDED = /[.!?\u3002\uff01\uff1f\u0964\u06d4\u061f]["'\u201d\u2019)]?\s*$/;
const ADDRESS = /@|:\/\//;

/**
 * Whether a string could be a piece of a sentence. Commands, paths, versions and identifiers one after the other read like
 * orders to a classifier that knows sentences: they part what stands before them from what stands behind.
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

/** Reads strings as one text, in windows: an instruction whose words are strings of their own is still one to a model. */
export class Joined {
  readonly #windows: Window[] = [];
  #pieces: Piece[] = [];
  #names = new Set<string>();
  #length = 0;

  add(found: FoundText): void {
    if (found.text === '') return;
    if (!isPiece(found.text)) this.#part();
    else if (!this.#isRepeated(found)) this.#take(found);
  }

  #take(found: FoundText): void {
    if (found.isName) this.#names.add(found.text);
    this.#pieces.push({ found, text: found.text });
    this.#length += found.text.length + 1;
    if (ENDED.test(found.text) && isReadAlone(found)) this.#part();
    else if (this.#length >= WINDOW) this.#close();
  }

  /** Records have the same names, and lists the same value again and again: that says nothing new, and parts what does. */
  #isRepeated({ text, isName }: FoundText): boolean {
    return isName ? this.#names.has(text) : this.#pieces.slice(-RECENT).some((piece) => piece.text === text);
  }

  /** What comes now does not go on with what was there before. */
  #part(): void {
    this.#close();
    this.#pieces = [];
    this.#names = new Set();
    this.#length = 0;
  }

  /** Ends a window. The next one begins with the end of this one. */
  #close(): void {
    if (this.#pieces.length < 2 || this.#length < MIN_LENGTH) return;
    this.#windows.push({ text: this.#pieces.map((piece) => piece.text).join(' '), pieces: this.#pieces });
    this.#keepEnd();
  }

  /** Classifies what was added, window by window. */
  async read(): Promise<readonly FoundAcross[]> {
    this.#close();
    const across: FoundAcross[] = [];
    for (const { text, pieces } of this.#windows.splice(0))
      for (const span of await findSpans(text)) {
        const [first, ...others] = this.#touched(span, pieces);
        const last = others.at(-1) ?? first;
        // What stands in one string was judged there, where nothing around it makes it weaker or stronger.
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
