import type { Segments } from '../language/segments.ts';
import { TAGS } from '../tag.ts';
import { lookUp, type Rows } from './feature-table.ts';
import { type Features, FORMS } from './features.ts';
import {
  AROUND,
  CLASSES_LEAD,
  CLASSES_NEXT,
  CLASSES_PREVIOUS,
  CLASSES_SELF,
  FORM,
  HEAD,
  HIDDEN,
  INPUTS,
  NEXT,
  POSITION,
  POSITIONS,
  PREVIOUS,
  SELF,
  WHOLE,
  WIDTH,
} from './layout.ts';
import type { Model } from './model.ts';
import { readPosition } from './position.ts';

/** The log odds that each segment is an instruction to the model, and the tag of a segment. */
export interface Scores {
  readonly scores: Float32Array;
  /** The log odds that each segment requests an action. */
  readonly asks: Float32Array;
  tagOf(segment: number): (typeof TAGS)[number];
}

const position = new Float32Array(POSITIONS);

// In all loops below sums stay in local variables, eight at a time: in an array each would be stored and loaded again
// for every row that is added.

function sumRows(table: Int8Array, column: number, { offsets, rows }: Rows, segment: number, sums: Int32Array): void {
  const to = offsets[segment + 1] as number;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let e = 0;
  let f = 0;
  let g = 0;
  let h = 0;
  for (let k = offsets[segment] as number; k < to; k++) {
    const at = (rows[k] as number) * WIDTH + column;
    a += table[at] as number;
    b += table[at + 1] as number;
    c += table[at + 2] as number;
    d += table[at + 3] as number;
    e += table[at + 4] as number;
    f += table[at + 5] as number;
    g += table[at + 6] as number;
    h += table[at + 7] as number;
  }
  sums[column] = a;
  sums[column + 1] = b;
  sums[column + 2] = c;
  sums[column + 3] = d;
  sums[column + 4] = e;
  sums[column + 5] = f;
  sums[column + 6] = g;
  sums[column + 7] = h;
}

function sumVectors({ table, scale }: Model, count: number, rows: Rows): Float32Array {
  const vectors = new Float32Array(count * WIDTH);
  const sums = new Int32Array(WIDTH);
  for (let i = 0; i < count; i++) {
    for (let column = 0; column < WIDTH; column += 8) sumRows(table, column, rows, i, sums);
    const factor = scale / Math.sqrt((rows.offsets[i + 1] as number) - (rows.offsets[i] as number) + 1);
    for (let d = 0; d < WIDTH; d++) vectors[i * WIDTH + d] = (sums[d] as number) * factor;
  }
  return vectors;
}

function meanOf(vectors: Float32Array, count: number): Float32Array {
  const mean = new Float32Array(WIDTH);
  for (let i = 0; i < count * WIDTH; i++)
    mean[i & (WIDTH - 1)] = (mean[i & (WIDTH - 1)] as number) + (vectors[i] as number);
  for (let d = 0; d < WIDTH; d++) mean[d] = (mean[d] as number) / Math.max(1, count);
  return mean;
}

/** The input of one segment to the hidden layer: rows of the first matrix, each with its factor. */
class Inputs {
  readonly #rows: Int32Array = new Int32Array(INPUTS);
  readonly #factors: Float64Array = new Float64Array(INPUTS);
  #count = 0;

  add(row: number, factor: number): void {
    this.#rows[this.#count] = row * HIDDEN;
    this.#factors[this.#count++] = factor;
  }

  addBits(row: number, bits: number): void {
    for (let rest = bits; rest !== 0; rest &= rest - 1) this.add(row + 31 - Math.clz32(rest & -rest), 1);
  }

  addNumbers(row: number, numbers: Float32Array, from: number, count: number): void {
    for (let k = 0; k < count; k++) if (numbers[from + k] !== 0) this.add(row + k, numbers[from + k] as number);
  }

  /** Adds all rows to the hidden layer, and resets. */
  pour(first: Float64Array, hidden: Float64Array, at: number): void {
    for (let column = 0; column < HIDDEN; column += 8) this.#pourEight(first, column, hidden, at + column);
    this.#count = 0;
  }

  #pourEight(first: Float64Array, column: number, hidden: Float64Array, to: number): void {
    const rows = this.#rows;
    const factors = this.#factors;
    const count = this.#count;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let e = 0;
    let f = 0;
    let g = 0;
    let h = 0;
    for (let k = 0; k < count; k++) {
      const base = (rows[k] as number) + column;
      const factor = factors[k] as number;
      a += factor * (first[base] as number);
      b += factor * (first[base + 1] as number);
      c += factor * (first[base + 2] as number);
      d += factor * (first[base + 3] as number);
      e += factor * (first[base + 4] as number);
      f += factor * (first[base + 5] as number);
      g += factor * (first[base + 6] as number);
      h += factor * (first[base + 7] as number);
    }
    hidden[to] = (hidden[to] as number) + a;
    hidden[to + 1] = (hidden[to + 1] as number) + b;
    hidden[to + 2] = (hidden[to + 2] as number) + c;
    hidden[to + 3] = (hidden[to + 3] as number) + d;
    hidden[to + 4] = (hidden[to + 4] as number) + e;
    hidden[to + 5] = (hidden[to + 5] as number) + f;
    hidden[to + 6] = (hidden[to + 6] as number) + g;
    hidden[to + 7] = (hidden[to + 7] as number) + h;
  }
}

const inputs = new Inputs();
/** Adds the inputs of a segment: its own vector, and those of its neighbours and of the segments around. */
function addNeighbours(vectors: Float32Array, at: number): void {
  const last = vectors.length / WIDTH - 1;
  for (let d = 0; d < WIDTH; d++) {
    const here = at * WIDTH + d;
    const before = at > 1 ? (vectors[here - 2 * WIDTH] as number) : 0;
    const after = at < last - 1 ? (vectors[here + 2 * WIDTH] as number) : 0;
    inputs.add(SELF + d, vectors[here] as number);
    if (at > 0) inputs.add(PREVIOUS + d, vectors[here - WIDTH] as number);
    if (at < last) inputs.add(NEXT + d, vectors[here + WIDTH] as number);
    inputs.add(AROUND + d, 0.5 * (before + after));
  }
}

function addHeads({ table, scale }: Model, heads: Int32Array, at: number): void {
  for (let slot = 0; slot < 2; slot++) {
    const row = heads[at * 2 + slot] as number;
    if (row < 0) continue;
    for (let d = 0; d < WIDTH; d++) inputs.add(HEAD + slot * WIDTH + d, (table[row * WIDTH + d] as number) * scale);
  }
}

function readHidden(model: Model, segments: Segments, features: Features): Float64Array {
  const { first } = model;
  const { count, classes, leads, forms } = features;
  const rows = lookUp(model.vocabulary, features);
  const vectors = sumVectors(model, count, rows);
  const shared = Float64Array.from(model.firstBias);
  inputs.addNumbers(WHOLE, meanOf(vectors, count), 0, WIDTH);
  inputs.pour(first, shared, 0);
  const hidden = new Float64Array(count * HIDDEN);
  for (let i = 0; i < count; i++) {
    const at = i * HIDDEN;
    hidden.set(shared, at);
    addNeighbours(vectors, i);
    addHeads(model, rows.heads, i);
    inputs.addBits(CLASSES_SELF, classes[i] as number);
    inputs.addBits(CLASSES_LEAD, leads[i] as number);
    if (i > 0) inputs.addBits(CLASSES_PREVIOUS, classes[i - 1] as number);
    if (i < count - 1) inputs.addBits(CLASSES_NEXT, classes[i + 1] as number);
    inputs.addNumbers(FORM, forms, i * FORMS, FORMS);
    readPosition(i, segments, position, 0);
    inputs.addNumbers(POSITION, position, 0, POSITIONS);
    inputs.pour(first, hidden, at);
  }
  return hidden;
}

/** Runs the model over the segments of one text. */
export function score(model: Model, segments: Segments, features: Features): Scores {
  const { last, lastBias, asks, asksBias, tags, tagBias } = model;
  const hidden = readHidden(model, segments, features);
  const scores = new Float32Array(features.count);
  const asking = new Float32Array(features.count);
  for (let i = 0; i < features.count; i++) {
    let sum = lastBias;
    let other = asksBias;
    for (let j = 0; j < HIDDEN; j++) {
      const value = hidden[i * HIDDEN + j] as number;
      if (value <= 0) continue;
      sum += value * (last[j] as number);
      other += value * (asks[j] as number);
    }
    scores[i] = sum;
    asking[i] = other;
  }
  return {
    scores,
    asks: asking,
    tagOf: (segment) => {
      let best = 0;
      let highest = Number.NEGATIVE_INFINITY;
      for (let t = 0; t < TAGS.length; t++) {
        let sum = tagBias[t] as number;
        for (let j = 0; j < HIDDEN; j++)
          sum += Math.max(0, hidden[segment * HIDDEN + j] as number) * (tags[j * TAGS.length + t] as number);
        if (sum > highest) [best, highest] = [t, sum];
      }
      return TAGS[best] as (typeof TAGS)[number];
    },
  };
}
