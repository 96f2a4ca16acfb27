import type { LayerBuilder } from './layer.ts';

/** The number of units after which a decoder gives up bytes that are not text. */
const PROBE = 32;
const MIN_ENCODED_LENGTH = 16;
const MAX_WORD_LENGTH = 30;

// Kinds of bytes, as bits.
const LETTER = 1;
const BLANK = 2;
const CONTROL = 4;
const ENCODED = 8;
const DIGIT = 16;

function kindOf(character: string): number {
  const isLetter = /[a-z]/i.test(character) ? LETTER : 0;
  const isBlank = /\s/.test(character) ? BLANK : 0;
  const isControl = /\p{Cc}/u.test(character) && isBlank === 0 ? CONTROL : 0;
  const isDigit = /\d/.test(character) ? DIGIT : 0;
  // The characters of base64, of hex in pairs, and of percent and backslash escapes.
  return isLetter | isBlank | isControl | isDigit | (/[\w/:%+=\\ ]/.test(character) ? ENCODED : 0);
}

const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) => kindOf(String.fromCharCode(unit)));

/** Reads UTF-8 bytes into a layer and measures whether they are text. `rewind` removes them again. */
export class ByteText {
  private readonly builder: LayerBuilder;
  private readonly mark: number;
  private readonly first: number;
  private units = 0;
  private bad = 0;
  private zeros = 0;
  private letters = 0;
  private digits = 0;
  private blanks = 0;
  private encoded = 0;
  private wide = 0;
  private pending = 0;
  private point = 0;
  private from = 0;

  constructor(builder: LayerBuilder, start: number) {
    this.mark = builder.length;
    builder.separate(start);
    this.builder = builder;
    this.first = builder.length;
  }

  get length(): number {
    return this.builder.length - this.mark;
  }

  /** Adds one byte. Returns false once the bytes are clearly not text. */
  feed(byte: number, from: number, to: number): boolean {
    if (this.pending > 0) this.feedRest(byte, from, to);
    else if (byte < 0x80) this.addAscii(byte, from, to);
    else this.feedFirst(byte, from, to);
    return this.units !== PROBE || this.bad * 4 < PROBE;
  }

  private feedFirst(byte: number, from: number, to: number): void {
    this.from = from;
    if (byte >= 0xc2 && byte <= 0xf4) {
      this.pending = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
      this.point = byte & (0x3f >> this.pending);
    } else this.addBad(from, to);
  }

  private feedRest(byte: number, from: number, to: number): void {
    if ((byte & 0xc0) !== 0x80) {
      this.pending = 0;
      this.addBad(this.from, from);
      this.feed(byte, from, to);
      return;
    }
    this.point = this.point * 64 + (byte & 0x3f);
    this.pending--;
    if (this.pending > 0) return;
    if (this.point > 0x10ffff || (this.point & 0xfffff800) === 0xd800 || this.point < 0x80) this.addBad(this.from, to);
    else this.addWide(this.point, this.from, to);
  }

  private addAscii(byte: number, from: number, to: number): void {
    // In UTF-16, which PowerShell uses for encoded commands, every letter has a zero byte.
    if (byte === 0) {
      this.zeros++;
      return;
    }
    const kind = KINDS[byte] as number;
    this.letters += kind & LETTER;
    this.digits += (kind & DIGIT) >> 4;
    this.blanks += (kind & BLANK) >> 1;
    this.bad += (kind & CONTROL) >> 2;
    this.encoded += (kind & ENCODED) >> 3;
    this.units++;
    this.builder.push(byte, from, to);
  }

  private addWide(point: number, from: number, to: number): void {
    this.units++;
    this.letters++;
    if (point >= 0x2e80) this.wide++;
    this.builder.pushPoint(point, from, to);
  }

  private addBad(from: number, to: number): void {
    this.units++;
    this.bad++;
    this.builder.push(0xfffd, from, to);
  }

  /** True if nearly all of it is valid, and it consists of letters or of another encoding. */
  isReadable(): boolean {
    const { units, zeros } = this;
    const isUtf16 = zeros * 3 >= units * 2;
    const bad = this.bad + this.pending + (isUtf16 ? 0 : zeros);
    return units > 0 && bad * 20 <= units && (this.letters * 2 >= units || this.encoded * 10 >= units * 9);
  }

  /** True if it is readable and has spaces as sentences do, or is another encoding. */
  isProse(): boolean {
    if (!this.isReadable()) return false;
    const { units, blanks } = this;
    if (blanks * MAX_WORD_LENGTH >= units || this.wide * 2 > units) return true;
    return units >= MIN_ENCODED_LENGTH && this.encoded * 10 >= units * 9;
  }

  /** True if all of it is valid and it has two letters or digits, such as an address, an id or a word. */
  isValue(): boolean {
    const { units, zeros } = this;
    const isUtf16 = zeros * 3 >= units * 2;
    return this.bad + this.pending === 0 && (zeros === 0 || isUtf16) && this.letters + this.digits >= 2;
  }

  /** Extends the last unit to the end of the encoding. */
  extend(to: number): void {
    const last = this.builder.length - 1;
    if (last >= this.first) this.builder.ends[last] = to;
  }

  rewind(): void {
    this.builder.length = this.mark;
  }
}
