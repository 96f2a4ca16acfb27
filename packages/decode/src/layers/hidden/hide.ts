import { findMarkdown } from './markdown.ts';
import { isWhite, readStyle } from './style.ts';

/** A range of the plain layer that a rendered page does not show, or shows only on request. */
export interface Hidden {
  readonly start: number;
  readonly end: number;
  readonly kind: 'comment' | 'style' | 'attribute' | 'markdown';
}

const BANG = 33;
const GREATER = 62;
const LESS = 60;
const SLASH = 47;
const EQUALS = 61;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const MAX_NAME_LENGTH = 40;

const TEXT_ATTRIBUTES = new Set([
  'alt',
  'title',
  'aria-label',
  'aria-description',
  'placeholder',
  'content',
  'summary',
]);
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const RAW = new Set(['script', 'style']);
const DATA = 'data-';

const NAME_UNITS: Uint8Array = new Uint8Array(0x10000).fill(1, 48, 59).fill(1, 65, 91).fill(1, 97, 123);
NAME_UNITS[45] = 1;
NAME_UNITS[95] = 1;

function isNameUnit(unit: number): boolean {
  return NAME_UNITS[unit] === 1;
}

function nameEnd(text: string, from: number): number {
  let end = from;
  while (end - from < MAX_NAME_LENGTH && NAME_UNITS[text.charCodeAt(end)] === 1) end++;
  return end;
}

/** The length and first letter of a name as one number. It excludes nearly all irrelevant names cheaply. */
function shapeOf(first: number, length: number): number {
  return length * 32 + (first & 31);
}

function shapesOf(names: Iterable<string>): Uint8Array {
  const shapes = new Uint8Array(32 * (MAX_NAME_LENGTH + 1));
  for (const name of names) shapes[shapeOf(name.charCodeAt(0), name.length)] = 1;
  return shapes;
}

const RELEVANT_SHAPES: Uint8Array = shapesOf([
  ...TEXT_ATTRIBUTES,
  'style',
  'hidden',
  'aria-hidden',
  'color',
  'bgcolor',
]);
// Names that begin with `data-` can have any length.
for (let length = DATA.length; length <= MAX_NAME_LENGTH; length++) RELEVANT_SHAPES[shapeOf(100, length)] = 1;
const RAW_SHAPES: Uint8Array = shapesOf(RAW);

/** The name in lower case, or '' if its shape is not one of `shapes`. */
function nameOf(text: string, from: number, end: number, shapes: Uint8Array): string {
  return shapes[shapeOf(text.charCodeAt(from), end - from)] === 1 ? text.slice(from, end).toLowerCase() : '';
}

function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}

/** Reads the tags of a text in order. Every unit is read a bounded number of times. */
class Scanner {
  readonly found: Hidden[] = [];
  private readonly text: string;
  private at = 0;
  /**
   * The name of the outermost hidden element, the number of open elements of that name, and the start of its content.
   */
  private outer = '';
  private open = 0;
  private start = 0;
  private raw = '';
  private isOnDark = false;
  private isHidden = false;

  constructor(text: string) {
    this.text = text;
  }

  run(): void {
    const { text } = this;
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', this.at)) {
      this.at = at + 1;
      const next = text.charCodeAt(at + 1);
      if (next === SLASH) this.closeTag(at);
      else if (this.raw !== '') continue;
      else if (isNameUnit(next)) this.openTag(at + 1);
      else if (next === BANG && text.startsWith('--', at + 2)) this.comment(at + 4);
    }
    if (this.outer !== '') this.addOuter(text.length);
  }

  private add(kind: Hidden['kind'], start: number, end: number): void {
    // Everything inside a hidden element is already hidden.
    if (this.outer === '' && end > start) this.found.push({ start, end, kind });
  }

  private comment(start: number): void {
    const end = this.text.indexOf('-->', start);
    // In browsers an unclosed comment extends to the end.
    this.add('comment', start, end < 0 ? this.text.length : end);
    this.at = end < 0 ? this.text.length : end + 3;
  }

  private addOuter(end: number): void {
    const { start } = this;
    this.outer = '';
    this.add('style', start, end);
  }

  private closeTag(at: number): void {
    if (this.raw === '' && this.outer === '') return;
    const end = nameEnd(this.text, at + 2);
    const name = this.text.slice(at + 2, end).toLowerCase();
    if (this.raw !== '') {
      if (name === this.raw) this.raw = '';
      return;
    }
    this.at = end;
    if (name === '' || name !== this.outer) return;
    this.open--;
    if (this.open === 0) this.addOuter(at);
  }

  private openTag(from: number): void {
    const { text } = this;
    const end = nameEnd(text, from);
    this.at = end;
    this.isHidden = false;
    if (!this.attributes()) return;
    const isSelfClosed = text.charCodeAt(this.at - 2) === SLASH;
    const raw = nameOf(text, from, end, RAW_SHAPES);
    if (RAW.has(raw)) this.raw = isSelfClosed ? '' : raw;
    else if (!isSelfClosed && (this.isHidden || this.outer !== '')) this.enter(text.slice(from, end).toLowerCase());
  }

  private enter(name: string): void {
    if (VOID.has(name)) return;
    if (name === this.outer) this.open++;
    else if (this.outer === '' && this.isHidden) {
      this.outer = name;
      this.open = 1;
      this.start = this.at;
    }
  }

  /** Reads attributes to the end of the tag. Returns false if another tag begins before it. */
  private attributes(): boolean {
    const { text } = this;
    while (this.at < text.length) {
      const unit = text.charCodeAt(this.at);
      if (unit === LESS) return false;
      if (unit === GREATER) {
        this.at++;
        return true;
      }
      if (isNameUnit(unit)) this.attribute();
      else this.at++;
    }
    return false;
  }

  private attribute(): void {
    const { text } = this;
    const end = nameEnd(text, this.at);
    const name = nameOf(text, this.at, end, RELEVANT_SHAPES);
    this.at = end;
    while (isBlank(text.charCodeAt(this.at))) this.at++;
    if (text.charCodeAt(this.at) !== EQUALS) {
      if (name === 'hidden') this.isHidden = true;
      return;
    }
    this.at++;
    while (isBlank(text.charCodeAt(this.at))) this.at++;
    const close = this.closeOf(text.charCodeAt(this.at));
    const from = close < 0 ? this.at : this.at + 1;
    if (close < 0) while (this.at < text.length && !this.endsValue(text.charCodeAt(this.at))) this.at++;
    else this.at = close + 1;
    if (name !== '') this.readAttribute(name, from, close < 0 ? this.at : close);
  }

  /** The end of a value that begins with this quotation mark, or -1. */
  private closeOf(mark: number): number {
    if (mark !== DOUBLE_QUOTE && mark !== SINGLE_QUOTE) return -1;
    // The search fails at most once for each kind: it would have found any later mark.
    return this.text.indexOf(mark === DOUBLE_QUOTE ? '"' : "'", this.at + 1);
  }

  private endsValue(unit: number): boolean {
    return isBlank(unit) || unit === GREATER || unit === LESS;
  }

  private readAttribute(name: string, from: number, to: number): void {
    if (TEXT_ATTRIBUTES.has(name) || name.startsWith(DATA)) {
      this.add('attribute', from, to);
      return;
    }
    if (name === 'style') {
      const { isHidden, isDark } = readStyle(this.text.slice(from, to), this.isOnDark);
      if (isHidden) this.isHidden = true;
      if (isDark) this.isOnDark = true;
    } else if (name === 'hidden') this.isHidden = true;
    else if (name === 'aria-hidden' || name === 'color' || name === 'bgcolor') {
      this.readShortAttribute(
        name,
        this.text
          .slice(from, Math.min(to, from + MAX_NAME_LENGTH))
          .trim()
          .toLowerCase(),
      );
    }
  }

  private readShortAttribute(name: string, value: string): void {
    if (name === 'bgcolor') this.isOnDark ||= !isWhite(value);
    else if (name === 'color' ? isWhite(value) && !this.isOnDark : value === 'true') this.isHidden = true;
  }
}

function byStart(a: Hidden, b: Hidden): number {
  return a.start - b.start;
}

/** Merges two sorted lists without overlaps. A range is dropped or shortened where an earlier one covers it. */
function merge(a: readonly Hidden[], b: readonly Hidden[]): readonly Hidden[] {
  if (b.length === 0) return a;
  const merged: Hidden[] = [];
  let end = 0;
  for (const hidden of [...a, ...b].sort(byStart)) {
    if (hidden.end <= end) continue;
    merged.push(hidden.start >= end ? hidden : { ...hidden, start: end });
    end = hidden.end;
  }
  return merged;
}

/**
 * Finds the parts of a text that readers of the page do not see: comments, hidden elements, attribute and Markdown
 * texts.
 */
export function findHidden(text: string): readonly Hidden[] {
  const scanner = new Scanner(text);
  scanner.run();
  const notes = findMarkdown(text).map(({ start, end }): Hidden => ({ start, end, kind: 'markdown' }));
  return merge(scanner.found, notes);
}
