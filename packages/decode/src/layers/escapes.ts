import { hexValue } from './references.ts';

const BACKSLASH = 92;
const LETTER_U = 117;
const LETTER_X = 120;
/** The factor of the width in a packed escape; larger than every code point. */
const POINT_ROOM = 0x200000;

/** The character of each simple escape, by the letter after the backslash; 0 if the letter makes no escape. */
const SIMPLE: Uint8Array = new Uint8Array(0x10000);
SIMPLE[110] = 10;
SIMPLE[114] = 10;
SIMPLE[116] = 9;
for (const unit of [34, 39, 47]) SIMPLE[unit] = unit;

/** The code point of a packed escape. Escapes are packed into one number, so that reading them allocates nothing. */
export function pointOf(packed: number): number {
  return packed % POINT_ROOM;
}

/** The width of a packed escape, without its backslashes. */
export function widthOf(packed: number): number {
  return Math.floor(packed / POINT_ROOM);
}

function pack(point: number, width: number): number {
  return width * POINT_ROOM + point;
}

function readHex(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) {
    const digit = hexValue(text.charCodeAt(index));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function readBraced(text: string, at: number): number {
  let end = at;
  let value = 0;
  for (; end - at < 8; end++) {
    const digit = hexValue(text.charCodeAt(end));
    if (digit < 0) break;
    value = Math.min(value * 16 + digit, 0x110000);
  }
  const isRead = end > at && value <= 0x10ffff && text.charCodeAt(end) === 125;
  return isRead ? pack(value, end + 3 - at) : -1;
}

// `at` is the offset after the `u`; widths include the `u`.
function readUnicode(text: string, at: number): number {
  if (text.charCodeAt(at) === 123) return readBraced(text, at + 1);
  const high = readHex(text, at, 4);
  if (high < 0) return -1;
  if ((high & 0xfc00) !== 0xd800) return pack(high, 5);
  let next = at + 4;
  while (text.charCodeAt(next) === BACKSLASH && next < at + 12) next++;
  if (next === at + 4 || text.charCodeAt(next) !== LETTER_U) return pack(high, 5);
  const low = readHex(text, next + 1, 4);
  if (low < 0 || (low & 0xfc00) !== 0xdc00) return pack(high, 5);
  return pack((high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000, next + 6 - at);
}

function continuationCount(byte: number): number {
  if (byte >= 0xf0 && byte <= 0xf4) return 3;
  if (byte >= 0xe0) return byte < 0xf0 ? 2 : 0;
  return byte >= 0xc2 ? 1 : 0;
}

// Above ASCII, `\x` is one byte of UTF-8 in C and Python and a character in JavaScript. UTF-8 is used if it is valid.
function readBytes(text: string, at: number): number {
  const first = readHex(text, at, 2);
  if (first < 0x80) return first < 0 ? -1 : pack(first, 3);
  const count = continuationCount(first);
  let point = first & (0x3f >> count);
  for (let index = 0; index < count; index++) {
    const next = at + 2 + index * 4;
    const byte = text.charCodeAt(next + 1) === LETTER_X ? readHex(text, next + 2, 2) : -1;
    if (text.charCodeAt(next) !== BACKSLASH || (byte & 0xc0) !== 0x80) return pack(first, 3);
    point = point * 64 + (byte & 0x3f);
  }
  return count === 0 || point > 0x10ffff ? pack(first, 3) : pack(point, 3 + count * 4);
}

/**
 * The packed escape whose letter, after the backslashes, is at `at`; -1 if it is not an escape. Bounded work per call.
 */
export function readEscape(text: string, at: number): number {
  const letter = text.charCodeAt(at);
  if (letter === LETTER_U) return readUnicode(text, at + 1);
  if (letter === LETTER_X) return readBytes(text, at + 1);
  // Past the end of the text, `letter` is NaN.
  const simple = SIMPLE[letter] ?? 0;
  return simple === 0 ? -1 : pack(simple, 1);
}
