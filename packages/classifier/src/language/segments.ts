import { DENSE, kindAt, LETTER, SPACE } from './character.ts';

/** A range of the text that a person looking at the page would not see. */
export interface Unseen {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** Sentences, lines and string values of a text, as columns: a document of 1 MB has tens of thousands. */
export interface Segments {
  readonly count: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Changes where a paragraph, a string value, an HTML block or a hidden range begins or ends. */
  readonly blocks: Int32Array;
  readonly flags: Uint8Array;
}

export const FLAG_VALUE = 1;
export const FLAG_HIDDEN = 2;
export const FLAG_ATTRIBUTE = 4;
export const FLAG_QUOTE = 8;
export const FLAG_LIST = 16;
export const FLAG_FENCE = 32;
export const FLAG_MENTION = 64;
export const FLAG_HEADING = 128;

const MAX_LENGTH = 300;
const MIN_LETTERS = 4;
const LONG_VALUE = 28;
const PENDING = 120;
const TAG_REACH = 600;

const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const MAX_TAG_NAME = 12;

const NEWLINE = 10;
const QUOTE = 34;
const APOSTROPHE = 39;
const FULL_STOPS: ReadonlySet<number> = new Set([0x3002, 0xff01, 0xff1f, 0xff0e, 0x0964, 0x06d4, 0x061f]);

class Cutter {
  readonly text: string;
  readonly unseen: readonly Unseen[];
  readonly json: boolean;
  starts: Int32Array = new Int32Array(256);
  ends: Int32Array = new Int32Array(256);
  blocks: Int32Array = new Int32Array(256);
  flags: Uint8Array = new Uint8Array(256);
  count = 0;
  block = 0;
  from = 0;
  /** Blanks after blanks, which do not count towards the length of a sentence. */
  padding = 0;
  letters = 0;
  lineFlags = 0;
  fence = 0;
  value = 0;
  nextUnseen = 0;
  nextClose = -1;

  constructor(text: string, unseen: readonly Unseen[]) {
    this.text = text;
    this.unseen = unseen;
    this.json = looksStructured(text);
  }

  grow(): void {
    const size = this.starts.length * 2;
    const columns = [new Int32Array(size), new Int32Array(size), new Int32Array(size)] as const;
    columns[0].set(this.starts);
    columns[1].set(this.ends);
    columns[2].set(this.blocks);
    const flags = new Uint8Array(size);
    flags.set(this.flags);
    [this.starts, this.ends, this.blocks] = columns;
    this.flags = flags;
  }

  /** Ends the segment before `to`, and begins the next at `next`. */
  cut(to: number, next: number): void {
    const { text } = this;
    let start = this.from;
    let end = to;
    while (start < end && kindAt(text.charCodeAt(start)) === SPACE) start++;
    while (end > start && kindAt(text.charCodeAt(end - 1)) === SPACE) end--;
    if (this.letters >= MIN_LETTERS) {
      if (this.count === this.starts.length) this.grow();
      this.starts[this.count] = start;
      this.ends[this.count] = end;
      this.blocks[this.count] = this.block;
      this.flags[this.count] =
        this.lineFlags | this.fence | this.value | this.unseenAt(start) | mentionOf(text, start, end);
      this.count++;
    }
    this.from = next;
    this.padding = 0;
    this.letters = 0;
  }

  unseenAt(at: number): number {
    const { unseen } = this;
    while (this.nextUnseen < unseen.length && (unseen[this.nextUnseen] as Unseen).end <= at) this.nextUnseen++;
    const range = unseen[this.nextUnseen];
    if (range === undefined || range.start > at) return 0;
    return range.kind === 'attribute' || range.kind === 'markdown' ? FLAG_ATTRIBUTE : FLAG_HIDDEN;
  }
}

/** Recognises JSON, or printed structures like it, in which quotation marks are borders. */
function looksStructured(text: string): boolean {
  const head = text.slice(0, 2000);
  return /^\s*[[{]/.test(head) || /["'][\w .-]{1,40}["']\s?:/.test(head);
}

function mentionOf(text: string, start: number, end: number): number {
  const open = text.charCodeAt(start);
  const before = start > 0 ? text.charCodeAt(start - 1) : 0;
  const quoted = (code: number): boolean => code === 96 || code === 0x201c || code === 0x300c || code === 0xab;
  const close = text.charCodeAt(end - 1);
  return quoted(open) || quoted(before) || (open === QUOTE && close === QUOTE) ? FLAG_MENTION : 0;
}

function lineFlagsAt(text: string, at: number): number {
  let i = at;
  while (text.charCodeAt(i) === 32 && i < at + 12) i++;
  const code = text.charCodeAt(i);
  if (code === 62) return FLAG_QUOTE;
  if (code === 35) return FLAG_HEADING;
  const next = text.charCodeAt(i + 1);
  if ((code === 45 || code === 42 || code === 43 || code === 0x2022) && next === 32) return FLAG_LIST;
  return code >= 48 && code <= 57 && (next === 46 || next === 41 || (next >= 48 && next <= 57)) ? FLAG_LIST : 0;
}

function isOpening(text: string, at: number): boolean {
  let before = at - 1;
  while (before > at - 4 && text.charCodeAt(before) === 32) before--;
  const code = text.charCodeAt(before);
  return code === 58 || code === 44 || code === 91 || code === 123 || code === 10;
}

function isClosing(text: string, at: number): boolean {
  let after = at + 1;
  while (after < at + 4 && text.charCodeAt(after) === 32) after++;
  const code = text.charCodeAt(after);
  return code === 58 || code === 44 || code === 93 || code === 125 || code === 10 || after >= text.length;
}

function cutQuote(cutter: Cutter, at: number): void {
  const { text } = cutter;
  if (cutter.value !== 0) {
    if (!isClosing(text, at)) return;
    cutter.cut(at, at + 1);
    cutter.value = 0;
    cutter.block++;
    return;
  }
  if (!isOpening(text, at)) return;
  const mark = text[at] as string;
  const close = text.indexOf(mark, at + 1);
  const length = (close < 0 ? text.length : close) - at;
  if (length < LONG_VALUE || text.slice(at, at + LONG_VALUE).indexOf(' ') < 0) {
    if (at - cutter.from > PENDING) cutter.cut(at, at);
    // A short value is part of its neighbours; the next search starts after it.
    return;
  }
  cutter.cut(at, at + 1);
  cutter.block++;
  cutter.value = FLAG_VALUE;
}

/** Checks for a tag at `at`. The next `>` is remembered, so that a text of openers alone is not searched for each. */
function isTag(cutter: Cutter, at: number): boolean {
  const { text } = cutter;
  const next = text.charCodeAt(at + 1);
  const named = (next >= 97 && next <= 122) || (next >= 65 && next <= 90) || next === 47 || next === 33;
  if (!named) return false;
  if (cutter.nextClose < at) {
    const close = text.indexOf('>', at);
    cutter.nextClose = close < 0 ? text.length + TAG_REACH : close;
  }
  return cutter.nextClose - at <= TAG_REACH;
}

function isTagUnit(code: number): boolean {
  const small = code | 32;
  return (small >= 97 && small <= 122) || (code >= 48 && code <= 57);
}

function isBlockTag(text: string, at: number): boolean {
  const from = text.charCodeAt(at + 1) === 47 ? at + 2 : at + 1;
  let end = from;
  while (end - from < MAX_TAG_NAME && isTagUnit(text.charCodeAt(end))) end++;
  const next = text.charCodeAt(end);
  if (end === from || !(next === 62 || next === 47 || kindAt(next) === SPACE)) return false;
  return !INLINE.has(text.slice(from, end).toLowerCase());
}

function cutLine(cutter: Cutter, at: number): void {
  const { text } = cutter;
  cutter.cut(at, at + 1);
  const next = text.charCodeAt(at + 1);
  if (next === NEWLINE || (next === 13 && text.charCodeAt(at + 2) === NEWLINE)) cutter.block++;
  if (text.startsWith('```', at + 1)) {
    cutter.fence ^= FLAG_FENCE;
    cutter.block++;
  }
  cutter.lineFlags = lineFlagsAt(text, at + 1);
}

function isSentenceEnd(text: string, at: number, from: number): boolean {
  if (at - from < 8) return false;
  let next = at + 1;
  const closer = text.charCodeAt(next);
  if (closer === QUOTE || closer === APOSTROPHE || closer === 41) next++;
  if (text.charCodeAt(next) !== 32) return false;
  const follow = text.charCodeAt(next + 1);
  return !(follow >= 97 && follow <= 122);
}

function step(cutter: Cutter, at: number, code: number): void {
  const { text } = cutter;
  if (code === NEWLINE) {
    cutLine(cutter, at);
  } else if (code === 46 || code === 33 || code === 63) {
    if (isSentenceEnd(text, at, cutter.from)) cutter.cut(at + 1, at + 1);
  } else if (code === QUOTE || code === APOSTROPHE) {
    if (cutter.json) cutQuote(cutter, at);
  } else if (code === 60) {
    if (isTag(cutter, at) && isBlockTag(text, at)) {
      cutter.cut(at, at);
      cutter.block++;
    }
  } else if (code > 127 && FULL_STOPS.has(code)) {
    cutter.cut(at + 1, at + 1);
  }
}

/** Cuts an unfolded text into segments, in one pass: every line break ends one. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over units, one pass; calls would double its time
export function segment(text: string, unseen: readonly Unseen[]): Segments {
  const cutter = new Cutter(text, unseen);
  cutter.lineFlags = lineFlagsAt(text, 0);
  if (text.startsWith('```')) cutter.fence = FLAG_FENCE;
  let border = 0;
  let edge = unseen[0]?.start ?? -1;
  let space = -2;
  let lettersAtSpace = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (at === edge) {
      cutter.cut(at, at);
      cutter.block++;
      if (at === (unseen[border] as Unseen).end) border++;
      const range = unseen[border];
      edge = range === undefined ? -1 : range.start > at ? range.start : range.end;
    }
    const kind = kindAt(code);
    if (kind === LETTER || kind === DENSE) {
      cutter.letters++;
    } else if (kind === SPACE && code !== NEWLINE) {
      if (space === at - 1 && at > cutter.from) cutter.padding++;
      space = at;
      lettersAtSpace = cutter.letters;
    } else {
      step(cutter, at, code);
    }
    if (at - cutter.from - cutter.padding >= MAX_LENGTH) {
      const next = space > cutter.from + 80 ? space : at;
      // Letters after the cut belong to the next segment: 200 of a script without blanks would be dropped.
      const left = next === at ? Number(kind === LETTER || kind === DENSE) : cutter.letters - lettersAtSpace;
      cutter.cut(next, next);
      cutter.letters = left;
    }
  }
  cutter.cut(text.length, text.length);
  const { count, starts, ends, blocks, flags } = cutter;
  return { count, starts, ends, blocks, flags };
}
