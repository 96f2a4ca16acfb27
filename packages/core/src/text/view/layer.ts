import type { Span } from '../../base/span.ts';

/** How the text of a layer was written in the original. */
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

/** One reading of a text, whose every UTF-16 unit knows which stretch of the original it was read from. */
export interface Layer {
  readonly kind: LayerKind;
  readonly text: string;
  /** Offset in the original where unit `index` of `text` begins. Never falls as `index` rises. */
  startOf(index: number): number;
  /** Offset in the original where unit `index` of `text` ends (exclusive). Always behind its start. */
  endOf(index: number): number;
  /** How many disguises lie on top: 0 for the plain layer. */
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

/** The text as it stands: no map is stored. */
export function identityLayer(text: string): Layer {
  return new MappedLayer('plain', flatten([text.slice(0, 1), text.slice(1)]), 0);
}

/** The stretch of the original that the units from `from` to `to` (exclusive) were read from. */
export function originalSpan(layer: Layer, from: number, to: number): Span {
  const last = layer.text.length - 1;
  if (last < 0) return { start: 0, end: 0 };
  const start = layer.startOf(Math.min(Math.max(from, 0), last));
  // Maps never fall, so the first and the last unit cover all between them.
  return { start, end: to > from ? layer.endOf(Math.min(to - 1, last)) : start };
}

/** The first unit of a layer for which something holds that holds for all units after it. */
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

/** What a layer reads in a range of the original. */
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

// Above this, `apply` runs out of stack in some engines.
const CHUNK = 8192;

/** `join` writes one flat string; a sum of strings stays a tree whose every unit is three times as slow to read. */
function flatten(pieces: readonly string[]): string {
  return pieces.join('');
}

// Sums of strings below 13 units are flat.
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

/** Replaces places in the parent by what the parent maps them to; an end is that of the unit before it. */
function leadOn(places: Int32Array, map: Int32Array, back: number): void {
  for (let index = 0; index < places.length; index++) places[index] = map[(places[index] as number) - back] as number;
}

// Most builders stay empty: a decoder makes one before it knows whether there is anything to decode.
const NO_UNITS = new Uint16Array(0);
const NO_PLACES = new Int32Array(0);
const FIRST_SIZE = 64;

/** 0, 1, 2, ... : a piece of it is the map of a stretch that was taken as it stands. */
let ramp: Int32Array | undefined;
const RAMP_SIZE = 1 << 17;
const MIN_SET_LENGTH = 64;

/** Collects the units of a new layer; their places are counted in units of the layer it is read from. */
export class LayerBuilder {
  length = 0;
  units: Uint16Array = NO_UNITS;
  starts: Int32Array = NO_PLACES;
  ends: Int32Array = NO_PLACES;

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

  /** Takes a stretch of the parent's text as it stands. */
  copy(text: string, from: number, to: number): void {
    const at = this.length;
    this.copyPlaces(from, to);
    const { units } = this;
    for (let index = from; index < to; index++) units[at + index - from] = text.charCodeAt(index);
  }

  /** Takes units that stand for those of the parent from `from` on, one for one. */
  copyUnits(source: Uint16Array, from: number): void {
    const at = this.length;
    this.copyPlaces(from, from + source.length);
    this.units.set(source, at);
  }

  /** Takes a stretch of the parent one for one, its units left open. */
  copyPlaces(from: number, to: number): void {
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

  /** Fills in units that were left open. */
  writeUnits(text: string): void {
    const { units } = this;
    for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  }

  /** Parts two pieces: a line break that stands for the unit before the next piece. */
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

  /** The layer, its map led on through `parent` to the original. */
  finish(kind: LayerKind, depth: number, parent: Layer, text: string = this.textFrom(0)): Layer {
    const starts = this.starts.subarray(0, this.length);
    const ends = this.ends.subarray(0, this.length);
    if (parent instanceof MappedLayer && parent.starts !== undefined && parent.ends !== undefined) {
      leadOn(starts, parent.starts, 0);
      leadOn(ends, parent.ends, 1);
    }
    return new MappedLayer(kind, text, depth, starts, ends);
  }
}
