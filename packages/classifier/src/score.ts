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

function addRow(hidden: Float32Array, at: number, first: Float32Array, row: number, factor: number): void {
  const base = row * HIDDEN;
  for (let j = 0; j < HIDDEN; j++) hidden[at + j] = (hidden[at + j] as number) + factor * (first[base + j] as number);
}

function addBits(hidden: Float32Array, at: number, first: Float32Array, row: number, bits: number): void {
  for (let rest = bits; rest !== 0; rest &= rest - 1) addRow(hidden, at, first, row + 31 - Math.clz32(rest & -rest), 1);
}

function addVector(
  hidden: Float32Array,
  at: number,
  first: Float32Array,
  row: number,
  vectors: Float32Array,
  from: number,
  factor: number,
): void {
  for (let d = 0; d < WIDTH; d++) addRow(hidden, at, first, row + d, (vectors[from + d] as number) * factor);
}

function addHeads(hidden: Float32Array, at: number, model: Model, heads: Int32Array, segment: number): void {
  for (let slot = 0; slot < 2; slot++) {
    const row = heads[segment * 2 + slot] as number;
    if (row < 0) continue;
    for (let d = 0; d < WIDTH; d++)
      addRow(hidden, at, model.first, HEAD + slot * WIDTH + d, (model.table[row * WIDTH + d] as number) * model.scale);
  }
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over units, one pass; calls would double its time
function readHidden(model: Model, segments: Segments, features: Features): Float32Array {
  const { first, firstBias } = model;
  const { count, classes, leads, forms } = features;
  const rows = lookUp(model.vocabulary, features);
  const vectors = sumVectors(model, count, rows);
  const shared = new Float32Array(HIDDEN);
  shared.set(firstBias);
  addVector(shared, 0, first, WHOLE, meanOf(vectors, count), 0, 1);
  const hidden = new Float32Array(count * HIDDEN);
  for (let i = 0; i < count; i++) {
    const at = i * HIDDEN;
    hidden.set(shared, at);
    addVector(hidden, at, first, SELF, vectors, i * WIDTH, 1);
    if (i > 0) addVector(hidden, at, first, PREVIOUS, vectors, (i - 1) * WIDTH, 1);
    if (i < count - 1) addVector(hidden, at, first, NEXT, vectors, (i + 1) * WIDTH, 1);
    if (i > 1) addVector(hidden, at, first, AROUND, vectors, (i - 2) * WIDTH, 0.5);
    if (i < count - 2) addVector(hidden, at, first, AROUND, vectors, (i + 2) * WIDTH, 0.5);
    addHeads(hidden, at, model, rows.heads, i);
    addBits(hidden, at, first, CLASSES_SELF, classes[i] as number);
    addBits(hidden, at, first, CLASSES_LEAD, leads[i] as number);
    if (i > 0) addBits(hidden, at, first, CLASSES_PREVIOUS, classes[i - 1] as number);
    if (i < count - 1) addBits(hidden, at, first, CLASSES_NEXT, classes[i + 1] as number);
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
