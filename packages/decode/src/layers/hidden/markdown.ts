import type { Span } from '../../span.ts';

const BLANK = 32;
const NEWLINE = 10;
const BANG = 33;
const OPEN_PAREN = 40;
const CLOSE_PAREN = 41;
const COLON = 58;
const OPEN_BRACKET = 91;
const MAX_LABEL_LENGTH = 400;

// The closing mark of a title, by its opening mark.
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['(', ')'],
]);

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === BLANK) at++;
  return at;
}

/** Reads brackets from left to right. */
class Reader {
  readonly found: Span[] = [];
  private readonly text: string;
  private floor = 0;

  constructor(text: string) {
    this.text = text;
  }

  run(): void {
    const { text } = this;
    for (let close = text.indexOf(']'); close >= 0; close = text.indexOf(']', Math.max(close + 1, this.floor))) {
      const next = text.charCodeAt(close + 1);
      if (next === OPEN_PAREN) this.link(close);
      else if (next === COLON) this.definition(close);
      this.floor = Math.max(this.floor, close + 1);
    }
  }

  /** The opening bracket of the label, or -1. Searches back no further than the last label. */
  private opener(close: number): number {
    const lowest = Math.max(this.floor, close - MAX_LABEL_LENGTH);
    for (let at = close - 1; at >= lowest; at--) if (this.text.charCodeAt(at) === OPEN_BRACKET) return at;
    return -1;
  }

  private add(start: number, end: number): void {
    if (end > start) this.found.push({ start, end });
  }

  private link(close: number): void {
    const { text } = this;
    const open = this.opener(close);
    if (open < 0) return;
    if (text.charCodeAt(open - 1) === BANG) this.add(open + 1, close);
    let at = close + 2;
    // A new label ends the address, so that no range is read twice.
    while (at < text.length && !this.endsAddress(text.charCodeAt(at))) at++;
    this.title(skipBlanks(text, at));
  }

  private endsAddress(unit: number): boolean {
    return unit <= BLANK || unit === CLOSE_PAREN || unit === OPEN_BRACKET;
  }

  private title(from: number): void {
    const { text } = this;
    const closer = CLOSERS.get(text.charAt(from));
    if (closer === undefined) return;
    let end = from + 1;
    while (end < text.length && text.charAt(end) !== closer && !this.endsTitle(end)) end++;
    if (text.charAt(end) !== closer) return;
    this.add(from + 1, end);
    this.floor = end + 1;
  }

  private endsTitle(at: number): boolean {
    const unit = this.text.charCodeAt(at);
    return unit === OPEN_BRACKET || (unit === NEWLINE && this.text.charCodeAt(at + 1) === NEWLINE);
  }

  /** `[//]: # (text)`: a page does not show a definition, and one without references works as a comment. */
  private definition(close: number): void {
    const { text } = this;
    const open = this.opener(close);
    if (open < 0 || !this.isLineStart(open)) return;
    let end = text.indexOf('\n', close);
    if (end < 0) end = text.length;
    this.floor = end;
    let at = skipBlanks(text, close + 2);
    while (at < end && text.charCodeAt(at) > BLANK) at++;
    at = skipBlanks(text, at);
    const closer = CLOSERS.get(text.charAt(at));
    if (closer === undefined || at >= end) return;
    // Not `lastIndexOf`: without a closing mark in the line it would search all of the text before it.
    let last = end - 1;
    while (last > at && text.charAt(last) !== closer) last--;
    this.add(at + 1, last > at ? last : end);
  }

  private isLineStart(open: number): boolean {
    let at = open - 1;
    while (at >= this.floor && at >= open - 4 && this.text.charCodeAt(at) === BLANK) at--;
    return at < 0 || this.text.charCodeAt(at) === NEWLINE;
  }
}

/** Markdown texts that a page does not show: definitions as comments, titles of links, alternative texts of images. */
export function findMarkdown(text: string): readonly Span[] {
  const reader = new Reader(text);
  reader.run();
  return reader.found;
}
