import { DENSE, DIGIT, kindAt, LETTER, lowerOf } from './character.ts';

/** Replaces a dropped unit, so that offsets stay valid. The view of a text does not contain it. */
export const DROPPED = 0xad;
const DROP = String.fromCharCode(DROPPED);

// Longer lines were not wrapped.
const MAX_WIDTH = 130;
// Wrapped lines are at least this long, and this long if the next one does not begin with a small letter.
const MIN_LENGTH = 20;
const MIN_FORCED = 26;
const MIN_BLANKS = 3;
/** The minimum length in a script without blanks, which writes the same text in fewer units. */
const MIN_DENSE = 14;
/** This number of lines of one or two words in a row is one sentence. */
const MIN_SHORT = 5;
/** This number of lines of equal length in a row was cut at a column. */
const MIN_EQUAL = 4;
/** The narrowest column at which a terminal cuts words. */
const MIN_CUT = 40;

const LIST = /^(?:[-*+\u2022\u25cf\u2013]|\d{1,3}[.)])[ \t]/;
const KEY = /^(?:["'][^"'\n]{1,60}["']|[a-z_][\w.-]{0,40})[ \t]?:(?:\s|$)/;
const HEADER = /^[A-Z][\w-]{1,30}: /;
// Lines that cannot be the middle of a sentence: a fence, a table, a rule, brackets, a tag, an attribute of a language.
const BORDER = /^(?:```|~~~|[|{}[\]<@]|[-=_*#~+]{3})/;
const ENDED = /[.!?:;{}[\]|>`=\u3002\uff01\uff0e\uff1f\uff1a\u0964\u06d4\u061f]["'\u2019\u201d\u00bb)]{0,2}$/;
// One or two words, without a field and without code.
const SHORT = /^(?!\S+: )[^\s{}[\]<>=|]{1,40}(?: [^\s{}[\]<>=|]{1,24})?$/;

/** The marks that repeat at the beginning of each line of a quotation or a comment. */
type Mark = '' | '>' | '//' | '#' | '--' | ';' | '*';
const MARK = /^[ \t]*((?:>[ \t]?)+|\/\/+[!/]?(?=[ \t]|$)|#+(?=[ \t]|$)|--+(?=[ \t]|$)|;+(?=[ \t]|$))?[ \t]*/;
const STAR = /^[ \t]*\*(?!\/)[ \t]*/;

interface Line {
  readonly start: number;
  /** Before the line break. */
  readonly end: number;
  readonly mark: Mark;
  /** The start of the words, after indentation and marks. */
  readonly from: number;
  /** Without marks and blanks around it; of a very long line, its beginning. */
  readonly body: string;
  readonly isShort: boolean;
}

function markOf(found: string | undefined): Mark {
  if (found === undefined) return '';
  const first = found[0] as '>' | '/' | '#' | '-' | ';';
  if (first === '/') return '//';
  return first === '-' ? '--' : first;
}

/** Reads line after line, and remembers if a comment such as this one is open. */
class Lines {
  readonly #text: string;
  #isComment = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(start: number): Line {
    const text = this.#text;
    const stop = text.indexOf('\n', start);
    const end = stop < 0 ? text.length : stop;
    const head = text.slice(start, Math.min(end, start + 400));
    const star = this.#isComment ? STAR.exec(head) : null;
    const plain = star === null ? MARK.exec(head) : null;
    const from = start + (star ?? plain ?? [''])[0].length;
    const body = text.slice(from, Math.min(end, from + MAX_WIDTH + 2)).trimEnd();
    if (body.startsWith('/*')) this.#isComment = true;
    if (head.includes('*/')) this.#isComment = false;
    const mark = star === null ? markOf(plain?.[1]) : '*';
    const item = LIST.exec(body)?.[0].length ?? 0;
    const words = body.slice(item);
    // A row of short lines is read without the signs of its items.
    if (SHORT.test(words)) return { start, end, mark, from: from + item, body, isShort: true };
    return { start, end, mark, from, body, isShort: false };
  }
}

function lengthOf({ start, end }: Line): number {
  return end - start;
}

function blanksIn(body: string): number {
  let blanks = 0;
  for (let i = 0; i < body.length; i++) if (body.charCodeAt(i) === 32) blanks++;
  return blanks;
}

function isSmall(code: number): boolean {
  return (
    kindAt(code) === LETTER && lowerOf(code) === code && String.fromCharCode(code).toUpperCase().charCodeAt(0) !== code
  );
}

/** Recognises a line that can be the middle of a sentence: several words, and no end of a sentence. */
function isOpen({ body, end, from }: Line): boolean {
  if (end - from > MAX_WIDTH || ENDED.test(body)) return false;
  if (kindAt(body.charCodeAt(0)) === DENSE) return body.length >= MIN_DENSE;
  return body.length >= MIN_LENGTH && blanksIn(body) >= MIN_BLANKS;
}

/** Checks that a line can continue another: it does not begin a list item, a field or a header. */
function canContinue(line: Line, next: Line): boolean {
  const { body } = next;
  if (body === '' || line.mark !== next.mark) return line.body.startsWith('/*') && next.mark === '*' && body !== '';
  if (LIST.test(body) || BORDER.test(body) || KEY.test(body)) return false;
  return !(HEADER.test(body) && HEADER.test(line.body));
}

/** Checks that the first word of the next line had no room in this one. */
function isForced(line: Line, next: Line, width: number): boolean {
  if (kindAt(next.body.charCodeAt(0)) === DENSE) return lengthOf(line) + 3 > width;
  if (line.body.length < MIN_FORCED) return false;
  const blank = next.body.search(/\s/);
  const word = blank < 0 ? next.body.length : blank;
  return lengthOf(line) + 1 + word > width;
}

/** A piece of an unfolded text as a person reads it: without dropped units and runs of blanks. */
export function asRead(piece: string): string {
  return piece.replaceAll(DROP, '').replace(/[ \t\n]{2,}/g, ' ');
}

const SOFT_BREAK = /=[ \t]*\r?\n/g;
const CODES = /(?:=[0-9A-F]{2})+/g;

/** Decodes quoted-printable, with as many units as before. */
function readPrintable(text: string): string {
  const joined = text.replace(SOFT_BREAK, (found) => DROP.repeat(found.length));
  return joined.replace(CODES, (found) => {
    try {
      const decoded = decodeURIComponent(found.replaceAll('=', '%'));
      return decoded + DROP.repeat(found.length - decoded.length);
    } catch {
      return found;
    }
  });
}

/** Recognises quoted-printable: two soft breaks, and a code for a sign that must be encoded. */
function isPrintable(text: string): boolean {
  const first = text.search(SOFT_BREAK);
  return first >= 0 && (/=(?:20|3D|C3|E2|E3|D0|D8)/.test(text) || text.slice(first + 2).search(SOFT_BREAK) >= 0);
}

function isLetterAt(text: string, at: number): boolean {
  const kind = kindAt(text.charCodeAt(at));
  return kind === LETTER || kind === DENSE || kind === DIGIT;
}

/** The text between two lines: a blank, nothing, or undefined if they are not one sentence. */
type Join = ' ' | typeof DROP | undefined;

/** The position of the current line in the window. */
const HERE = 3;

class Unfolder {
  readonly #text: string;
  /** The lines around the current one. */
  readonly #window: (Line | undefined)[] = new Array(2 * HERE + 1).fill(undefined);
  #short = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the whole text, and returns it with the breaks inside its sentences as blanks. */
  read(): string {
    const text = this.#text;
    const lines = new Lines(text);
    const pieces: string[] = [];
    let at = 0;
    let next = 0;
    const shift = (): void => {
      this.#window.shift();
      this.#window.push(next > text.length ? undefined : lines.read(next));
      next = (this.#window.at(-1)?.end ?? text.length) + 1;
    };
    for (let i = 0; i <= HERE; i++) shift();
    for (; this.#window[HERE + 1] !== undefined; shift()) {
      const [line, following] = this.#window.slice(HERE) as [Line, Line];
      const join = this.#joinOf(line, following);
      if (join === undefined) continue;
      const end = line.end - (text.charCodeAt(line.end - 1) === 13 ? 1 : 0);
      pieces.push(text.slice(at, end), join.repeat(following.from - end));
      at = following.from;
    }
    return at === 0 ? text : pieces.join('') + text.slice(at);
  }

  #joinOf(line: Line, next: Line): Join {
    this.#countShort(line);
    if (this.#short >= MIN_SHORT) return next.isShort ? ' ' : undefined;
    if (!canContinue(line, next)) return undefined;
    if (this.#isCut(line, next)) return DROP;
    if (!isOpen(line)) return undefined;
    return isSmall(next.body.charCodeAt(0)) || isForced(line, next, this.#width()) ? ' ' : undefined;
  }

  /** Detects a row of short lines at its first line. */
  #countShort(line: Line): void {
    if (!line.isShort) this.#short = 0;
    else if (this.#short === 0) this.#short = this.#shortRow(line);
  }

  #shortRow(line: Line): number {
    const lines = new Lines(this.#text);
    let count = 0;
    for (let at = line.start; count < MIN_SHORT && at <= this.#text.length; count++) {
      const each = lines.read(at);
      if (!each.isShort) break;
      at = each.end + 1;
    }
    return count;
  }

  /** Recognises a word cut in two at a column: four lines of exactly the same length, this one among them. */
  #isCut(line: Line, next: Line): boolean {
    const length = lengthOf(line);
    if (length < MIN_CUT || length > MAX_WIDTH || next.from !== next.start) return false;
    if (!isLetterAt(this.#text, line.end - 1) || !isLetterAt(this.#text, next.from)) return false;
    const isEqual = (at: number): boolean => this.#window[at] !== undefined && lengthOf(this.#window[at]) === length;
    let [first, last] = [HERE, HERE];
    while (isEqual(first - 1)) first--;
    while (isEqual(last + 1)) last++;
    return last - first + 1 >= MIN_EQUAL;
  }

  #width(): number {
    let width = 0;
    for (const line of this.#window.slice(1, -1))
      if (line !== undefined && lengthOf(line) <= MAX_WIDTH) width = Math.max(width, lengthOf(line));
    return width;
  }
}

/**
 * A text of the same length in which a line break inside a sentence is a blank, with the indentation and the marks of a
 * quotation or a comment after it. Wrapped mails, folded YAML, comments and terminals read like the text before it was
 * wrapped.
 *
 * @example
 * ```ts
 * unfold('> Please send me the report by\n> Friday.'); // '> Please send me the report by   Friday.'
 * ```
 */
export function unfold(text: string): string {
  if (!text.includes('\n')) return text;
  return new Unfolder(isPrintable(text) ? readPrintable(text) : text).read();
}
