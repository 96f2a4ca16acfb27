import type { Budget } from '../../budget.ts';
import { ByteText } from '../bytes.ts';
import { type Layer, LayerBuilder } from '../layer.ts';
import { hexValue } from '../references.ts';
import { MIN_PAIRS, MIN_RUN_LENGTH } from '../survey.ts';

const NEWLINE = 10;
const BLANK = 32;
const PERCENT = 37;
const SLASH = 47;
const EQUALS = 61;
const LETTER_X = 120;
/** The minimum length of a line of wrapped base64. Shorter lines are words in a column. */
const MIN_LINE_LENGTH = 32;
const MAX_INDENT_LENGTH = 16;
const MAX_GAP_LENGTH = 2;

const SEXTETS: Int8Array = new Int8Array(128).fill(-1);
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  SEXTETS[character.charCodeAt(0)] = value;
// The URL-safe alphabet.
SEXTETS[45] = 62;
SEXTETS[95] = 63;

function sextet(unit: number): number {
  return unit < 128 ? (SEXTETS[unit] as number) : -1;
}

function isAlphanumeric(unit: number): boolean {
  const value = sextet(unit);
  return value >= 0 && value < 62;
}

export function isBase64Unit(unit: number): boolean {
  return sextet(unit) >= 0;
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && sextet(text.charCodeAt(end)) >= 0) end++;
  return end;
}

function paddingEnd(text: string, from: number): number {
  let end = from;
  while (end < from + 2 && text.charCodeAt(end) === EQUALS) end++;
  return end;
}

function pairAt(text: string, at: number): number {
  const high = hexValue(text.charCodeAt(at));
  const low = hexValue(text.charCodeAt(at + 1));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** The offset of the first digit, after an optional `0x`. */
function digitsStart(text: string, from: number): number {
  return (text.charCodeAt(from + 1) | 32) === LETTER_X ? from + 2 : from;
}

/** Reads pairs of hex digits, with or without `0x`. Returns false if it is not hex or clearly not text. */
export function readHex(text: string, from: number, end: number, bytes: ByteText): boolean {
  const first = digitsStart(text, from);
  if ((end - first) % 2 !== 0) return false;
  for (let at = first; at < end; at += 2) {
    const value = pairAt(text, at);
    if (value < 0 || !bytes.feed(value, at === first ? from : at, at + 2)) return false;
  }
  return true;
}

/** Reads base64 of either alphabet, across line breaks and indents. Returns false if it is clearly not text. */
export function readBase64(text: string, from: number, end: number, bytes: ByteText): boolean {
  let bits = 0;
  let count = 0;
  let start = from;
  for (let at = from; at < end; at++) {
    const value = sextet(text.charCodeAt(at));
    if (value < 0) continue;
    if (count === 0) start = at;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    if (!bytes.feed((bits >> count) & 0xff, start, at + 1)) return false;
    start = at;
  }
  bytes.extend(paddingEnd(text, end));
  return true;
}

/** Decodes every run that looks like base64 or hex, into one layer for each of the two. */
export class RunDecoder {
  private readonly parent: Layer;
  private readonly text: string;
  private readonly budget: Budget;
  private readonly base64 = new LayerBuilder();
  private readonly hex = new LayerBuilder();
  private unwrapped = 0;

  constructor(parent: Layer, budget: Budget) {
    this.parent = parent;
    this.text = parent.text;
    this.budget = budget;
  }

  /** Decodes long runs without spaces. */
  decodeRuns(): Layer[] {
    const { text } = this;
    // A run of this length that begins at or after `at` covers the offset that is tested, or begins after it.
    for (let at = 0; at + MIN_RUN_LENGTH <= text.length && !this.budget.isExhausted; ) {
      let from = at + MIN_RUN_LENGTH - 1;
      let end = from;
      if (sextet(text.charCodeAt(from)) >= 0) {
        while (from > at && sextet(text.charCodeAt(from - 1)) >= 0) from--;
        end = runEnd(text, end);
        if (end - from >= MIN_RUN_LENGTH) end = this.decodeRun(from, end);
      }
      at = end + 1;
    }
    return this.finish();
  }

  /** Decodes pairs of hex digits with separators between them. */
  decodePairs(): Layer[] {
    const { text } = this;
    for (let at = 0; at < text.length && !this.budget.isExhausted; at++) {
      if (!isAlphanumeric(text.charCodeAt(at))) continue;
      const positions = this.readPairs(at);
      if (positions.length >= MIN_PAIRS) this.writePairs(at, positions);
      at = positions.at(-1) ?? at;
      while (isAlphanumeric(text.charCodeAt(at))) at++;
    }
    return this.finish();
  }

  private finish(): Layer[] {
    const depth = this.parent.depth + 1;
    const layers: Layer[] = [];
    if (this.base64.length > 0) layers.push(this.base64.finish('base64', depth, this.parent));
    if (this.hex.length > 0) layers.push(this.hex.finish('hex', depth, this.parent));
    return layers;
  }

  private keep(bytes: ByteText): boolean {
    if (bytes.isProse() && this.budget.take(bytes.length)) return true;
    bytes.rewind();
    return false;
  }

  /** Decodes one run, and returns the end of the part that was read. */
  private decodeRun(from: number, end: number): number {
    if (this.decodeHex(from, end)) return end;
    const wrappedEnd = from < this.unwrapped ? end : this.wrappedEnd(from, end);
    if (this.decodeBase64(from, wrappedEnd)) return wrappedEnd;
    // The next line may not belong to the run. Lines that were tried once are not tried again: otherwise every line
    // would read all lines after it.
    this.unwrapped = Math.max(this.unwrapped, wrappedEnd);
    if (wrappedEnd === end || !this.decodeBase64(from, end)) this.decodeParts(from, end);
    return end;
  }

  /** Decodes the parts of a path or URL separately. */
  private decodeParts(from: number, end: number): void {
    let part = from;
    for (let at = from; at <= end; at++) {
      if (at < end && this.text.charCodeAt(at) !== SLASH) continue;
      if (at - part >= MIN_RUN_LENGTH && at - part < end - from) this.decodeBase64(part, at);
      part = at + 1;
    }
  }

  private decodeHex(from: number, end: number): boolean {
    if (end - digitsStart(this.text, from) < MIN_RUN_LENGTH) return false;
    const bytes = new ByteText(this.hex, from);
    if (readHex(this.text, from, end, bytes)) return this.keep(bytes);
    bytes.rewind();
    return false;
  }

  /** The end of a run that continues over line breaks, as long as the lines are as long as the first. */
  private wrappedEnd(from: number, firstEnd: number): number {
    const { text } = this;
    const width = firstEnd - from;
    let end = firstEnd;
    while (width >= MIN_LINE_LENGTH && text.charCodeAt(end) === NEWLINE) {
      let next = end + 1;
      while (next < end + MAX_INDENT_LENGTH && text.charCodeAt(next) === BLANK) next++;
      const nextEnd = runEnd(text, next);
      const closed = paddingEnd(text, nextEnd);
      const isLineEnd = closed > nextEnd || closed === text.length || '\n"\'`<,'.includes(text.charAt(closed));
      if (nextEnd === next || nextEnd - next > width || !isLineEnd) break;
      end = nextEnd;
      if (nextEnd - next < width) break;
    }
    return end;
  }

  private decodeBase64(from: number, end: number): boolean {
    const bytes = new ByteText(this.base64, from);
    if (readBase64(this.text, from, end, bytes)) return this.keep(bytes);
    bytes.rewind();
    return false;
  }

  /** The offsets of consecutive pairs, each after a short gap. */
  private readPairs(from: number): number[] {
    const positions: number[] = [];
    for (let at = from; at >= 0; ) {
      const digits = digitsStart(this.text, at);
      if (pairAt(this.text, digits) < 0 || isAlphanumeric(this.text.charCodeAt(digits + 2))) break;
      positions.push(digits);
      at = this.nextPair(digits + 2);
    }
    return positions;
  }

  private nextPair(end: number): number {
    // Percent escapes are decoded in percent.ts.
    if (this.text.charCodeAt(end) === PERCENT) return -1;
    for (let next = end + 1; next <= end + MAX_GAP_LENGTH; next++)
      if (isAlphanumeric(this.text.charCodeAt(next))) return next;
    return -1;
  }

  private writePairs(from: number, positions: readonly number[]): void {
    const bytes = new ByteText(this.hex, from);
    for (const [index, position] of positions.entries()) {
      const isText = bytes.feed(pairAt(this.text, position), index === 0 ? from : position, position + 2);
      if (!isText) break;
    }
    this.keep(bytes);
  }
}
