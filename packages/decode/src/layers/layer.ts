import type { Span } from '../span.ts';

/**
 * The encoding or disguise from which a layer was decoded.
 *
 * @example
 * ```ts
 * const isEncoded = (kind: LayerKind) => kind === 'base64' || kind === 'hex';
 * ```
 */
export type LayerKind =
  | 'plain'
  | 'tags'
  | 'selectors'
  | 'base64'
  | 'hex'
  | 'percent'
  | 'rot13'
  | 'leet'
  | 'letters'
  | 'joined';

/**
 * One reading of a text. Every UTF-16 unit of it is mapped to the range of the original that it was decoded from.
 *
 * @example
 * ```ts
 * for (const layer of readView(text).layers) console.log(layer.kind, layer.text);
 * ```
 */
export interface Layer {
  readonly kind: LayerKind;
  readonly text: string;
  /** The original offset at which unit `index` of `text` begins. It never decreases as `index` increases. */
  startOf(index: number): number;
  /** The original offset at which unit `index` of `text` ends (exclusive). It is always greater than its start. */
  endOf(index: number): number;
  /** The number of encodings around it: 0 for the plain layer. */
  readonly depth: number;
}

class MappedLayer implements Layer {
  readonly kind: LayerKind;
  readonly text: string;
  readonly depth: number;
  readonly starts: Int32Array | undefined;
  readonly ends: Int32Array | undefined;

  constructor(kind: LayerKind, text: string, depth: number, starts?: Int32Array, ends?: Int32Array) {
    this.kind = kind;
    this.text = text;
    this.depth = depth;
    this.starts = starts;
    this.ends = ends;
  }

  startOf(index: number): number {
    return this.starts === undefined ? index : (this.starts[index] as number);
  }

  endOf(index: number): number {
    return this.ends === undefined ? index + 1 : (this.ends[index] as number);
  }
}

/** The text itself as a layer. Its offsets are not stored. */
export function identityLayer(text: string): Layer {
  return new MappedLayer('plain', flatten([text.slice(0, 1), text.slice(1)]), 0);
}

/**
 * The range of the original from which the units from `from` to `to` (exclusive) of a layer were decoded.
 *
 * @example
 * ```ts
 * const { start, end } = originalSpan(layer, 0, layer.text.length);
 * console.log(text.slice(start, end));
 * ```
 */
export function originalSpan(layer: Layer, from: number, to: number): Span {
  const last = layer.text.length - 1;
  if (last < 0) return { start: 0, end: 0 };
  const start = layer.startOf(Math.min(Math.max(from, 0), last));
  // Offsets never decrease, so the first and the last unit cover all between them.
  return { start, end: to > from ? layer.endOf(Math.min(to - 1, last)) : start };
}

/** The first unit of a layer for which a condition holds. The condition must hold for all units after it too. */
function firstUnit(layer: Layer, holds: (unit: number) => boolean): number {
  let low = 0;
  let high = layer.text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The text that a layer has for a range of the original.
 *
 * @example
 * ```ts
 * const decoded = readView(text).layers.map((layer) => textWithin(layer, span.start, span.end));
 * ```
 */
export function textWithin(layer: Layer, start: number, end: number): string {
  const from = firstUnit(layer, (unit) => layer.endOf(unit) > start);
  return layer.text.slice(
    from,
    Math.max(
      from,
      firstUnit(layer, (unit) => layer.startOf(unit) >= end),
    ),
  );
}

// With more arguments, `apply` overflows the stack in some engines.
const CHUNK = 8192;

/**
 * Uses `join`, which makes one flat string. Adding strings makes a tree, in which reading a unit takes three times as
 * long.
 */
function flatten(pieces: readonly string[]): string {
  return pieces.join('');
}

// Engines make a flat string of a sum below 13 units.
const MAX_SUM_LENGTH = 12;

function sumText(units: Uint16Array, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(units[at] as number);
  return text;
}

function toText(units: Uint16Array): string {
  const chunks: string[] = [];
  for (let at = 0; at < units.length; at += CHUNK)
    chunks.push(String.fromCharCode.apply(null, units.subarray(at, at + CHUNK) as unknown as number[]));
  return flatten(chunks);
}

/**
 * Replaces offsets in the parent with offsets in the original. For ends, `back` is 1: an end belongs to the unit before
 * it.
 */
function mapThrough(offsets: Int32Array, map: Int32Array, back: number): void {
  for (let index = 0; index < offsets.length; index++)
    offsets[index] = map[(offsets[index] as number) - back] as number;
}

// Most builders stay empty, because a decoder makes one before it finds anything, so nothing is allocated at first.
const NO_UNITS = new Uint16Array(0);
const NO_OFFSETS = new Int32Array(0);
const FIRST_SIZE = 64;

/** The numbers 0, 1, 2, ...: a slice of it is the offsets of a range that is copied unchanged. */
let ramp: Int32Array | undefined;
const RAMP_SIZE = 1 << 17;
const MIN_SET_LENGTH = 64;

/** Collects the units of a new layer. Their offsets refer to the parent, the layer that is decoded. */
export class LayerBuilder {
  length = 0;
  units: Uint16Array = NO_UNITS;
  starts: Int32Array = NO_OFFSETS;
  ends: Int32Array = NO_OFFSETS;

  constructor(capacity = 0) {
    if (capacity > 0) this.resize(capacity);
  }

  push(unit: number, from: number, to: number): void {
    const at = this.length;
    if (at === this.units.length) this.grow();
    this.units[at] = unit;
    this.starts[at] = from;
    this.ends[at] = to;
    this.length = at + 1;
  }

  pushPoint(point: number, from: number, to: number): void {
    if (point < 0x10000) this.push(point, from, to);
    else {
      this.push(0xd800 + ((point - 0x10000) >> 10), from, to);
      this.push(0xdc00 + (point & 0x3ff), from, to);
    }
  }

  /** Copies a range of the parent's text unchanged. */
  copy(text: string, from: number, to: number): void {
    const at = this.length;
    this.copyOffsets(from, to);
    const { units } = this;
    for (let index = from; index < to; index++) units[at + index - from] = text.charCodeAt(index);
  }

  /** Adds units that replace those of the parent from `from` on, one for one. */
  copyUnits(source: Uint16Array, from: number): void {
    const at = this.length;
    this.copyOffsets(from, from + source.length);
    this.units.set(source, at);
  }

  /** Adds the offsets of a range of the parent. The units are set later. */
  copyOffsets(from: number, to: number): void {
    const at = this.length;
    this.reserve(at + to - from);
    const { starts, ends } = this;
    if (to - from < MIN_SET_LENGTH || to >= RAMP_SIZE)
      for (let index = from; index < to; index++) {
        starts[at + index - from] = index;
        ends[at + index - from] = index + 1;
      }
    else {
      ramp ??= Int32Array.from({ length: RAMP_SIZE }, (_, index) => index);
      starts.set(ramp.subarray(from, to), at);
      ends.set(ramp.subarray(from + 1, to + 1), at);
    }
    this.length = at + to - from;
  }

  /** Sets all units. */
  writeUnits(text: string): void {
    const { units } = this;
    for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  }

  /** Separates two pieces with a line break, which is mapped to the unit before the next piece. */
  separate(next: number): void {
    if (this.length > 0) this.push(10, next - 1, next);
  }

  private grow(): void {
    const { length } = this.units;
    this.resize(Math.max(length * (length < 65_536 ? 4 : 2), FIRST_SIZE));
  }

  private reserve(size: number): void {
    if (size > this.units.length) this.resize(Math.max(size, this.units.length * 2, FIRST_SIZE));
  }

  private resize(size: number): void {
    const { units, starts, ends } = this;
    this.units = new Uint16Array(size);
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
    this.units.set(units);
    this.starts.set(starts);
    this.ends.set(ends);
  }

  /** The units from `from` on. */
  textFrom(from: number): string {
    const { units, length } = this;
    return length - from <= MAX_SUM_LENGTH ? sumText(units, from, length) : toText(units.subarray(from, length));
  }

  /** Makes the layer. Its offsets are mapped through `parent` to the original. */
  finish(kind: LayerKind, depth: number, parent: Layer, text: string = this.textFrom(0)): Layer {
    const starts = this.starts.subarray(0, this.length);
    const ends = this.ends.subarray(0, this.length);
    if (parent instanceof MappedLayer && parent.starts !== undefined && parent.ends !== undefined) {
      mapThrough(starts, parent.starts, 0);
      mapThrough(ends, parent.ends, 1);
    }
    return new MappedLayer(kind, text, depth, starts, ends);
  }
}
