import { pointAt } from '../code-point.ts';
import { ByteText } from './bytes.ts';
import { pointOf, readEscape, widthOf } from './escapes.ts';
import { type Layer, LayerBuilder } from './layer.ts';
import { foldLookAlikes } from './lookalike.ts';
import * as points from './points.ts';
import { readReference } from './references.ts';

/**
 * A layer without invisible characters, escapes and look-alikes, and the text that was encoded in invisible characters.
 */
export interface Normalized {
  readonly layer: Layer;
  readonly smuggled: readonly Layer[];
}

const NEWLINE = 10;
const HASH = 35;
const AMPERSAND = 38;
const BACKSLASH = 92;
const REPLACEMENT = 0xfffd;
/** The maximum number of marks on a letter: Vietnamese uses two. More are used to break up words. */
const MAX_MARKS = 2;
/** The minimum number of variation selectors that are read as bytes. An emoji has one. */
const MIN_SELECTORS = 4;
const MIN_SLICE_LENGTH = 24;
const BLACK_FLAG = 0x1f3f4;
const CANCEL_TAG = 0xe007f;
const MAX_FLAG_LENGTH = 12;

function isAsciiLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122;
}

// Everything except printable ASCII without ampersand and backslash. A regular expression is faster here than a loop.
const UNUSUAL = /[^\t\n\x20-\x25\x27-\x5b\x5d-\x7e]/;

/** A quick check for a text that needs no normalisation. Russian may need it: some of its letters look Latin. */
function isClean(text: string): boolean {
  const first = text.search(UNUSUAL);
  if (first < 0) return true;
  for (let index = first; index < text.length; index++)
    if (points.classOfUnit(text.charCodeAt(index)) >= points.FOLDABLE) return false;
  return true;
}

class Normalizer {
  private readonly text: string;
  private readonly out: LayerBuilder;
  private readonly tags = new LayerBuilder();
  private readonly selectors = new LayerBuilder();
  private changed = false;
  private foldable = false;
  private pathEnd = 0;
  private readonly pieces: string[] = [];
  private sliced = 0;

  constructor(text: string) {
    this.text = text;
    // Some extra capacity, for compatibility forms that are longer than their character.
    this.out = new LayerBuilder(text.length + (text.length >> 3));
  }

  run(source: Layer): Normalized {
    const { text, out } = this;
    for (let index = 0; index < text.length; ) {
      const end = this.plainEnd(index);
      if (end > index) this.take(index, end);
      index = end < text.length ? this.special(end) : end;
    }
    const folds = this.foldable ? this.fold() : 0;
    const smuggled: Layer[] = [];
    if (this.tags.length > 0) smuggled.push(this.tags.finish('tags', source.depth + 1, source));
    if (this.selectors.length > 0) smuggled.push(this.selectors.finish('selectors', source.depth + 1, source));
    if (!this.changed && folds === 0) return { layer: source, smuggled };
    const read = folds > 0 ? out.textFrom(0) : this.joined();
    return { layer: out.finish(source.kind, source.depth, source, read), smuggled };
  }

  private joined(): string {
    return [...this.pieces, this.out.textFrom(this.sliced)].join('');
  }

  private fold(): number {
    this.out.writeUnits(this.joined());
    return foldLookAlikes(this.out);
  }

  /** Copies a range unchanged. A long range is sliced, which is cheaper than making a string of units. */
  private take(from: number, to: number): void {
    const { out } = this;
    if (to - from < MIN_SLICE_LENGTH) {
      out.copy(this.text, from, to);
      return;
    }
    if (out.length > this.sliced) this.pieces.push(out.textFrom(this.sliced));
    this.pieces.push(this.text.slice(from, to));
    out.copyOffsets(from, to);
    this.sliced = out.length;
  }

  /** The offset of the next unit that may change. */
  private plainEnd(from: number): number {
    const { text } = this;
    const { classes } = points;
    let seen = 0;
    let end = from;
    for (; end < text.length; end++) {
      const kind = classes[text.charCodeAt(end)] as number;
      if (kind === 0 || kind > points.FOLDABLE) break;
      seen |= kind;
    }
    if ((seen & points.FOLDABLE) !== 0) this.foldable = true;
    return end;
  }

  private special(index: number): number {
    const unit = this.text.charCodeAt(index);
    const kind = points.classOfUnit(unit);
    if (kind === points.AMPERSAND) return this.reference(index, index + 1);
    if (kind === points.BACKSLASH) return this.escape(index);
    if (kind === points.MARK || kind === points.OVERLAY) return this.marks(index);
    if (kind === points.SELECTOR || kind === points.SURROGATE) return this.astral(index);
    const end = unit === 13 && this.text.charCodeAt(index + 1) === NEWLINE ? index + 2 : index + 1;
    this.emit(unit, kind, index, end);
    return end;
  }

  /** Adds one code point that was read from the range `from` to `to`. */
  private emit(point: number, kind: number, from: number, to: number): void {
    if (kind === points.FOLDABLE) this.foldable = true;
    else if (kind === points.REPLACE) {
      this.emitText(points.replacementOf(point), from, to);
      return;
    }
    if (kind === points.REMOVE || kind >= points.SELECTOR) {
      if (kind === points.TAG) this.tag(point, from, to);
      this.changed = true;
      return;
    }
    const kept = kind === points.SURROGATE ? REPLACEMENT : point;
    if (kind === points.SURROGATE || kind === points.BREAK) this.changed = true;
    this.out.pushPoint(kind === points.BREAK ? NEWLINE : kept, from, to);
  }

  private emitText(text: string, from: number, to: number): void {
    this.changed = true;
    for (let index = 0; index < text.length; index++) {
      const point = pointAt(text, index);
      if (point > 0xffff) index++;
      const kind = points.classOfPoint(point);
      // A compatibility form has no compatibility form itself, and a folded letter is ASCII.
      if (kind === points.REPLACE) this.out.pushPoint(point, from, to);
      else this.emit(point, kind, from, to);
    }
  }

  private decoded(point: number, from: number, to: number): void {
    this.changed = true;
    this.emit(point, points.classOfPoint(point), from, to);
  }

  private reference(from: number, at: number): number {
    const next = this.text.charCodeAt(at);
    const read = next === HASH || isAsciiLetter(next) ? readReference(this.text, at) : undefined;
    if (read === undefined) {
      this.out.push(AMPERSAND, from, at);
      return at;
    }
    for (let index = 0; index < read.value.length; index++) {
      const point = pointAt(read.value, index);
      if (point > 0xffff) index++;
      this.decoded(point, from, read.end);
    }
    return read.end;
  }

  /** Reads a run of backslashes as one escape, because JSON inside JSON doubles them. */
  private escape(from: number): number {
    const { text } = this;
    let at = from;
    while (text.charCodeAt(at) === BACKSLASH) at++;
    this.findPathEnd(from, at);
    const packed = readEscape(text, at);
    const isPath = at <= this.pathEnd && widthOf(packed) === 1 && isAsciiLetter(text.charCodeAt(at));
    if (packed < 0 || isPath) {
      for (let index = from; index < at; index++) this.out.push(BACKSLASH, index, index + 1);
      return at;
    }
    const end = at + widthOf(packed);
    if (pointOf(packed) === AMPERSAND) {
      this.changed = true;
      return this.reference(from, end);
    }
    // An escaped carriage return before another escape is left out: \r\n is one line break.
    if (text.charCodeAt(at) === 114 && text.charCodeAt(end) === BACKSLASH) this.changed = true;
    else this.decoded(pointOf(packed), from, end);
    return end;
  }

  /** Finds the end of a Windows path: `C:\new\table` contains no line break and no tab. */
  private findPathEnd(from: number, at: number): void {
    const { text } = this;
    const isDrive = text.charCodeAt(from - 1) === 58 && isAsciiLetter(text.charCodeAt(from - 2));
    if (from < this.pathEnd || !isDrive || isAsciiLetter(text.charCodeAt(from - 3))) return;
    let end = at;
    while (end < text.length && !/[\s"'<>|]/.test(text.charAt(end))) end++;
    this.pathEnd = end;
  }

  private marks(from: number): number {
    const { text, out } = this;
    let end = from;
    let count = 0;
    for (; end < text.length; end++) {
      const kind = points.classOfUnit(text.charCodeAt(end));
      if (kind === points.MARK) count++;
      else if (kind === points.OVERLAY) count += MAX_MARKS + 1;
      else if (kind !== points.REMOVE) break;
    }
    const isStacked = count > MAX_MARKS;
    if (isStacked) this.changed = true;
    else
      for (let at = from; at < end; at++)
        this.emit(text.charCodeAt(at), points.classOfUnit(text.charCodeAt(at)), at, at + 1);
    // The removed marks belong to the range of their letter.
    if (isStacked && out.length > 0 && out.ends[out.length - 1] === from) out.ends[out.length - 1] = end;
    return end;
  }

  private astral(from: number): number {
    const { text } = this;
    const point = pointAt(text, from);
    const kind = points.classOfPoint(point);
    if (kind === points.SELECTOR) return this.selectorRun(from);
    const end = from + (point > 0xffff ? 2 : 1);
    this.emit(point, kind, from, end);
    return point === BLACK_FLAG ? this.flag(end) : end;
  }

  /** Skips the tag characters of the flags of England, Scotland and Wales, which are not hidden text. */
  private flag(from: number): number {
    for (let end = from; end <= from + MAX_FLAG_LENGTH; end += 2) {
      const point = pointAt(this.text, end);
      if (end >= this.text.length || points.classOfPoint(point) !== points.TAG) return from;
      if (point === CANCEL_TAG) {
        this.changed = true;
        return end + 2;
      }
    }
    return from;
  }

  private tag(point: number, from: number, to: number): void {
    if (point >= 0xe0020 && point <= 0xe007e) this.tags.push(point - 0xe0000, from, to);
  }

  /** Reads variation selectors 1 to 256 as bytes: text can be hidden in them, after an emoji. */
  private selectorRun(from: number): number {
    const { text, selectors } = this;
    const bytes = new ByteText(selectors, from);
    let end = from;
    while (end < text.length) {
      const point = pointAt(text, end);
      if (points.classOfPoint(point) !== points.SELECTOR) break;
      const next = end + (point > 0xffff ? 2 : 1);
      bytes.feed(point > 0xffff ? point - 0xe0100 + 16 : point - 0xfe00, end, next);
      end = next;
    }
    this.changed = true;
    if (end - from < MIN_SELECTORS || !bytes.isReadable()) bytes.rewind();
    return end;
  }
}

/** Removes disguises of letters: invisible and compatibility characters, escapes, references and look-alikes. */
export function normalize(source: Layer): Normalized {
  return isClean(source.text) ? { layer: source, smuggled: [] } : new Normalizer(source.text).run(source);
}
