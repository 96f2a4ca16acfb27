import { type Features, FORMS } from './feature.ts';
import {
  AROUND,
  CLASSES_LEAD,
  CLASSES_NEXT,
  CLASSES_PREVIOUS,
  CLASSES_SELF,
  FORM,
  HEAD,
  HIDDEN,
  NEXT,
  PLACE,
  PLACES,
  PREVIOUS,
  SELF,
  VECTORS,
  WHOLE,
  WIDTH,
} from './layout.ts';
import type { Model } from './model.ts';
import { readPlace } from './place.ts';
import type { Segments } from './segment.ts';
import { TAGS } from './tag.ts';
import { lookUp, type Rows } from './vocabulary.ts';

/** How much each segment reads like an instruction to the model, in log odds, and what the tag head needs. */
export interface Scores {
  readonly scores: Float32Array;
  tagOf(segment: number): (typeof TAGS)[number];
}

const place = new Float32Array(PLACES);

function sumVectors({ table, scale }: Model, count: number, { offsets, rows }: Rows): Float32Array {
  const vectors = new Float32Array(count * WIDTH);
  const sums = new Int32Array(WIDTH);
  for (let i = 0; i < count; i++) {
    const from = offsets[i] as number;
    const to = offsets[i + 1] as number;
    sums.fill(0);
    for (let k = from; k < to; k++) {
      const row = (rows[k] as number) * WIDTH;
      for (let d = 0; d < WIDTH; d++) sums[d] = (sums[d] as number) + (table[row + d] as number);
    }
    const factor = scale / Math.sqrt(to - from + 1);
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

function addRow(hidden: Float64Array, at: number, first: Float64Array, row: number, factor: number): void {
  const base = row * HIDDEN;
  for (let j = 0; j < HIDDEN; j++) hidden[at + j] = (hidden[at + j] as number) + factor * (first[base + j] as number);
}

function addBits(hidden: Float64Array, at: number, first: Float64Array, row: number, bits: number): void {
  for (let rest = bits; rest !== 0; rest &= rest - 1) addRow(hidden, at, first, row + 31 - Math.clz32(rest & -rest), 1);
}

/** What a segment and its neighbours are, side by side: as long as `VECTORS`. */
const beside = new Float64Array(VECTORS);

function layNeighbours(vectors: Float32Array, count: number, i: number): void {
  for (let d = 0; d < WIDTH; d++) {
    const at = i * WIDTH + d;
    beside[SELF + d] = vectors[at] as number;
    beside[PREVIOUS + d] = i > 0 ? (vectors[at - WIDTH] as number) : 0;
    beside[NEXT + d] = i < count - 1 ? (vectors[at + WIDTH] as number) : 0;
    const before = i > 1 ? (vectors[at - 2 * WIDTH] as number) : 0;
    const after = i < count - 2 ? (vectors[at + 2 * WIDTH] as number) : 0;
    beside[AROUND + d] = (before + after) / 2;
  }
}

function layHeads({ table, scale }: Model, heads: Int32Array, i: number): void {
  for (let slot = 0; slot < 2; slot++) {
    const row = (heads[i * 2 + slot] as number) * WIDTH;
    const at = HEAD + slot * WIDTH;
    for (let d = 0; d < WIDTH; d++) beside[at + d] = row < 0 ? 0 : (table[row + d] as number) * scale;
  }
}

// Sums in local numbers, weights by unit: adding row by row to memory takes far longer. In 64 bits, because converting each
// number costs as much as adding it.
function addBeside(hidden: Float64Array, at: number, { turned }: Model): void {
  for (let j = 0, w = 0; j < HIDDEN; j++, w += VECTORS) {
    let even = 0;
    let odd = 0;
    for (let k = 0; k < VECTORS; k += 2) {
      even += (turned[w + k] as number) * (beside[k] as number);
      odd += (turned[w + k + 1] as number) * (beside[k + 1] as number);
    }
    hidden[at + j] = (hidden[at + j] as number) + even + odd;
  }
}

function addClasses(hidden: Float64Array, at: number, first: Float64Array, features: Features, i: number): void {
  const { count, classes, leads } = features;
  addBits(hidden, at, first, CLASSES_SELF, classes[i] as number);
  addBits(hidden, at, first, CLASSES_LEAD, leads[i] as number);
  if (i > 0) addBits(hidden, at, first, CLASSES_PREVIOUS, classes[i - 1] as number);
  if (i < count - 1) addBits(hidden, at, first, CLASSES_NEXT, classes[i + 1] as number);
}

function readHidden(model: Model, segments: Segments, features: Features): Float64Array {
  const { first, firstBias } = model;
  const { count, forms } = features;
  const rows = lookUp(model.vocabulary, features);
  const vectors = sumVectors(model, count, rows);
  const shared = Float64Array.from(firstBias);
  const mean = meanOf(vectors, count);
  for (let d = 0; d < WIDTH; d++) addRow(shared, 0, first, WHOLE + d, mean[d] as number);
  const hidden = new Float64Array(count * HIDDEN);
  for (let i = 0; i < count; i++) {
    const at = i * HIDDEN;
    hidden.set(shared, at);
    layNeighbours(vectors, count, i);
    layHeads(model, rows.heads, i);
    addBeside(hidden, at, model);
    addClasses(hidden, at, first, features, i);
    for (let k = 0; k < FORMS; k++) {
      const form = forms[i * FORMS + k] as number;
      if (form !== 0) addRow(hidden, at, first, FORM + k, form);
    }
    readPlace(i, segments, place, 0);
    for (let k = 0; k < PLACES; k++) if (place[k] !== 0) addRow(hidden, at, first, PLACE + k, place[k] as number);
  }
  return hidden;
}

/** Runs the model over the segments of one text. */
export function score(model: Model, segments: Segments, features: Features): Scores {
  const { last, lastBias, tags, tagBias } = model;
  const hidden = readHidden(model, segments, features);
  const scores = new Float32Array(features.count);
  for (let i = 0; i < features.count; i++) {
    let sum = lastBias;
    for (let j = 0; j < HIDDEN; j++) {
      const value = hidden[i * HIDDEN + j] as number;
      if (value > 0) sum += value * (last[j] as number);
    }
    scores[i] = sum;
  }
  return {
    scores,
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
