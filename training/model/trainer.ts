// Trains a network in 32-bit floats, document by document, and scores documents with its current state.
import { FORMS } from '../../packages/classifier/src/model/features.ts';
import * as layout from '../../packages/classifier/src/model/layout.ts';
import { TAGS } from '../../packages/classifier/src/tag.ts';
import type { Random } from '../random.ts';
import type { Network } from './network.ts';
import type { Prepared } from './prepare.ts';
import { spread, stepHeads, type TableState } from './table-steps.ts';

const { WIDTH, HIDDEN, INPUTS } = layout;
const TAG_COUNT = TAGS.length;
// Most of the corpus is plain requests, which would outweigh the other tags.
const TAG_WEIGHTS = [0.15, 0.5, 0.6, 0.8, 1, 1, 0.8];

/** Smaller errors are skipped: they teach nothing and cost as much as others. */
const MIN_SIZE = 0.004;

/**
 * Initial values of the squared gradients. Small for the table, where a rare word must learn from few examples; large for the
 * layers, whose first steps would otherwise have the full length of the rate, whatever the error. Then the seed would decide which
 * hidden units survive, and with them the model's recall.
 */
const SMALL_STEPS = { table: 1e-6, others: 1 } as const;

export interface Options {
  readonly rate: number;
  /** Share of features left out in each training step. */
  readonly dropout: number;
  /** Extra weight of the highest segment of a benign document. */
  readonly hardest: number;
  /** Extra weight of the highest segment of an attack: one sentence that is found is enough. */
  readonly clearest: number;
  /** Weight of what asks, against what addresses the model. */
  readonly asks: number;
}

function sigmoid(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

/** Scores documents and learns from them; keeps its scratch arrays. */
export class Trainer {
  readonly network: Network;
  readonly #squares: { [K in keyof Network]: Float32Array };
  readonly #table: TableState;
  #vectors = new Float32Array(0);
  #gradients = new Float32Array(0);
  #inputs = new Float32Array(0);
  #hidden = new Float32Array(0);
  #scores = new Float32Array(0);
  #asks = new Float32Array(0);
  /** The gradients of the first layer over one document, and which inputs have some. */
  readonly #steps = new Float32Array(INPUTS * HIDDEN);
  readonly #touched = new Uint8Array(INPUTS);
  readonly #tagScores = new Float32Array(TAG_COUNT);

  constructor(network: Network) {
    this.network = network;
    this.#squares = Object.fromEntries(
      Object.entries(network).map(([name, values]) => [
        name,
        name === 'table'
          ? new Float32Array(values.length / WIDTH).fill(SMALL_STEPS.table)
          : new Float32Array(values.length).fill(SMALL_STEPS.others),
      ]),
    ) as { [K in keyof Network]: Float32Array };
    this.#table = { rows: network.table, squares: this.#squares.table };
  }

  #reserve(count: number): void {
    if (this.#scores.length >= count) return;
    const size = count * 2;
    this.#vectors = new Float32Array((size + 2) * WIDTH);
    this.#gradients = new Float32Array((size + 2) * WIDTH);
    this.#inputs = new Float32Array(size * INPUTS);
    this.#hidden = new Float32Array(size * HIDDEN);
    this.#scores = new Float32Array(size);
    this.#asks = new Float32Array(size);
  }

  #sum(prepared: Prepared, kept: Uint8Array | undefined): void {
    const { offsets, rows } = prepared.rows;
    const { table } = this.network;
    const vectors = this.#vectors;
    for (let i = 0; i < prepared.segments.count; i++) {
      const from = offsets[i] as number;
      const to = offsets[i + 1] as number;
      const base = i * WIDTH;
      vectors.fill(0, base, base + WIDTH);
      for (let k = from; k < to; k++) {
        if (kept !== undefined && kept[k] === 0) continue;
        const row = (rows[k] as number) * WIDTH;
        for (let d = 0; d < WIDTH; d++) vectors[base + d] = (vectors[base + d] as number) + (table[row + d] as number);
      }
      const scale = 1 / Math.sqrt(to - from + 1);
      for (let d = 0; d < WIDTH; d++) vectors[base + d] = (vectors[base + d] as number) * scale;
    }
  }

  #fill(prepared: Prepared): void {
    const { count } = prepared.segments;
    const { classes, leads, forms } = prepared.features;
    const vectors = this.#vectors;
    const inputs = this.#inputs;
    const whole = new Float32Array(WIDTH);
    for (let i = 0; i < count; i++)
      for (let d = 0; d < WIDTH; d++) whole[d] = (whole[d] as number) + (vectors[i * WIDTH + d] as number);
    for (let d = 0; d < WIDTH; d++) whole[d] = (whole[d] as number) / Math.max(1, count);
    inputs.fill(0, 0, count * INPUTS);
    for (let i = 0; i < count; i++) {
      const base = i * INPUTS;
      for (let d = 0; d < WIDTH; d++) {
        const at = i * WIDTH + d;
        inputs[base + layout.SELF + d] = vectors[at] as number;
        if (prepared.alone) continue;
        if (i > 0) inputs[base + layout.PREVIOUS + d] = vectors[at - WIDTH] as number;
        if (i < count - 1) inputs[base + layout.NEXT + d] = vectors[at + WIDTH] as number;
        let around = 0;
        if (i > 1) around += vectors[at - 2 * WIDTH] as number;
        if (i < count - 2) around += vectors[at + 2 * WIDTH] as number;
        inputs[base + layout.AROUND + d] = around / 2;
        inputs[base + layout.WHOLE + d] = whole[d] as number;
      }
      for (let slot = 0; slot < 2; slot++) {
        const row = prepared.rows.heads[i * 2 + slot] as number;
        if (row < 0) continue;
        for (let d = 0; d < WIDTH; d++)
          inputs[base + layout.HEAD + slot * WIDTH + d] = this.network.table[row * WIDTH + d] as number;
      }
      this.#bits(base + layout.CLASSES_SELF, classes[i] as number);
      this.#bits(base + layout.CLASSES_LEAD, leads[i] as number);
      if (i > 0 && !prepared.alone) this.#bits(base + layout.CLASSES_PREVIOUS, classes[i - 1] as number);
      if (i < count - 1 && !prepared.alone) this.#bits(base + layout.CLASSES_NEXT, classes[i + 1] as number);
      for (let k = 0; k < FORMS; k++) inputs[base + layout.FORM + k] = forms[i * FORMS + k] as number;
      for (let k = 0; k < layout.POSITIONS; k++)
        inputs[base + layout.POSITION + k] = prepared.places[i * layout.POSITIONS + k] as number;
    }
  }

  #bits(at: number, bits: number): void {
    for (let rest = bits; rest !== 0; rest &= rest - 1) this.#inputs[at + 31 - Math.clz32(rest & -rest)] = 1;
  }

  #forward(count: number): void {
    const { first, firstBias, last, lastBias, asks, asksBias } = this.network;
    const inputs = this.#inputs;
    const hidden = this.#hidden;
    for (let i = 0; i < count; i++) {
      const h = i * HIDDEN;
      hidden.set(firstBias, h);
      for (let k = 0; k < INPUTS; k++) {
        const x = inputs[i * INPUTS + k] as number;
        if (x === 0) continue;
        const w = k * HIDDEN;
        for (let j = 0; j < HIDDEN; j++) hidden[h + j] = (hidden[h + j] as number) + x * (first[w + j] as number);
      }
      let score = lastBias[0] as number;
      let asking = asksBias[0] as number;
      for (let j = 0; j < HIDDEN; j++) {
        if ((hidden[h + j] as number) < 0) hidden[h + j] = 0;
        score += (hidden[h + j] as number) * (last[j] as number);
        asking += (hidden[h + j] as number) * (asks[j] as number);
      }
      this.#scores[i] = score;
      this.#asks[i] = asking;
    }
  }

  /** The score of every segment; a view that the next call overwrites. */
  score(prepared: Prepared): Float32Array {
    this.#reserve(prepared.segments.count);
    this.#sum(prepared, undefined);
    this.#fill(prepared);
    this.#forward(prepared.segments.count);
    return this.#scores.subarray(0, prepared.segments.count);
  }

  /** The tag that the head gives to a segment of the last scored document. */
  tagOf(segment: number): number {
    this.#scoreTags(segment * HIDDEN);
    let best = 0;
    for (let t = 1; t < TAG_COUNT; t++)
      if ((this.#tagScores[t] as number) > (this.#tagScores[best] as number)) best = t;
    return best;
  }

  #scoreTags(h: number): void {
    const { tags, tagBias } = this.network;
    for (let t = 0; t < TAG_COUNT; t++) {
      let score = tagBias[t] as number;
      for (let j = 0; j < HIDDEN; j++) score += (this.#hidden[h + j] as number) * (tags[j * TAG_COUNT + t] as number);
      this.#tagScores[t] = score;
    }
  }

  #step(name: keyof Network, at: number, gradient: number, rate: number): void {
    const squares = this.#squares[name];
    squares[at] = (squares[at] as number) + gradient * gradient;
    this.network[name][at] = (this.network[name][at] as number) - (rate * gradient) / Math.sqrt(squares[at] as number);
  }

  /** One training step on one document. Returns its loss. */
  learn(prepared: Prepared, weight: number, random: Random, options: Options): number {
    const { count } = prepared.segments;
    if (count === 0) return 0;
    this.#reserve(count);
    const kept = new Uint8Array(prepared.rows.rows.length);
    const dropped = Math.round(options.dropout * 256);
    for (let k = 0; k < kept.length; ) {
      // One number decides about four features.
      const bits = random.below(2 ** 32);
      for (let byte = 0; byte < 4 && k < kept.length; byte++)
        kept[k++] = ((bits >>> (8 * byte)) & 255) < dropped ? 0 : 1;
    }
    this.#sum(prepared, kept);
    this.#fill(prepared);
    this.#forward(count);
    const gradients = this.#gradients;
    gradients.fill(0, 0, count * WIDTH);
    const whole = new Float32Array(WIDTH);
    const deltas = this.#deltas(prepared, weight, options);
    let loss = 0;
    for (let i = 0; i < count; i++) {
      const delta = deltas[i] as number;
      const label = prepared.asks[i] as number;
      const asking = label < 0 ? 0 : (sigmoid(this.#asks[i] as number) - label) * options.asks;
      loss += Math.abs(delta);
      if (Math.abs(delta) + Math.abs(asking) < MIN_SIZE) continue;
      this.#backward(prepared, i, [delta, asking], whole, options);
    }
    for (let d = 0; d < WIDTH; d++) whole[d] = (whole[d] as number) / count;
    this.#stepFirst(options.rate);
    spread(this.#table, prepared, this.#gradients, whole, kept, options.rate);
    return loss;
  }

  #deltas(prepared: Prepared, weight: number, options: Options): Float32Array {
    const { count } = prepared.segments;
    const deltas = new Float32Array(count);
    const wanted = prepared.document.injected ? 1 : 0;
    let top = -1;
    for (let i = 0; i < count; i++) {
      const label = prepared.labels[i] as number;
      if (label < 0) continue;
      const score = this.#scores[i] as number;
      deltas[i] = (sigmoid(score) - label) * weight;
      if (label === wanted && (top < 0 || score > (this.#scores[top] as number))) top = i;
    }
    if (top >= 0) deltas[top] = (deltas[top] as number) * (wanted === 0 ? options.hardest : options.clearest);
    return deltas;
  }

  #backward(
    prepared: Prepared,
    i: number,
    [delta, asking]: readonly [number, number],
    whole: Float32Array,
    options: Options,
  ): void {
    const { first, last, asks, tags } = this.network;
    const { rate } = options;
    const hidden = this.#hidden;
    const inputs = this.#inputs;
    const h = i * HIDDEN;
    const back = new Float32Array(HIDDEN);
    for (let j = 0; j < HIDDEN; j++)
      if ((hidden[h + j] as number) > 0) back[j] = delta * (last[j] as number) + asking * (asks[j] as number);
    const tag = prepared.tags[i] as number;
    if (tag >= 0) {
      this.#scoreTags(h);
      let sum = 0;
      for (let t = 0; t < TAG_COUNT; t++) sum += Math.exp(this.#tagScores[t] as number);
      for (let t = 0; t < TAG_COUNT; t++) {
        const error =
          (Math.exp(this.#tagScores[t] as number) / sum - (t === tag ? 1 : 0)) * (TAG_WEIGHTS[tag] as number);
        for (let j = 0; j < HIDDEN; j++) {
          if ((hidden[h + j] as number) === 0) continue;
          back[j] = (back[j] as number) + error * (tags[j * TAG_COUNT + t] as number);
          this.#step('tags', j * TAG_COUNT + t, error * (hidden[h + j] as number), rate);
        }
        this.#step('tagBias', t, error, rate);
      }
    }
    for (let j = 0; j < HIDDEN; j++)
      if ((hidden[h + j] as number) > 0) {
        this.#step('last', j, delta * (hidden[h + j] as number), rate);
        this.#step('asks', j, asking * (hidden[h + j] as number), rate);
      }
    this.#step('lastBias', 0, delta, rate);
    this.#step('asksBias', 0, asking, rate);
    const gradients = this.#gradients;
    const steps = this.#steps;
    const { count } = prepared.segments;
    const heads = new Float32Array(2 * WIDTH);
    for (let k = 0; k < INPUTS; k++) {
      const x = inputs[i * INPUTS + k] as number;
      if (x === 0) continue;
      const w = k * HIDDEN;
      let down = 0;
      for (let j = 0; j < HIDDEN; j++) {
        const b = back[j] as number;
        if (b === 0) continue;
        down += b * (first[w + j] as number);
        steps[w + j] = (steps[w + j] as number) + b * x;
      }
      this.#touched[k] = 1;
      const at = i * WIDTH;
      if (k < layout.PREVIOUS) gradients[at + k] = (gradients[at + k] as number) + down;
      else if (k < layout.NEXT)
        gradients[at - WIDTH + k - layout.PREVIOUS] = (gradients[at - WIDTH + k - layout.PREVIOUS] as number) + down;
      else if (k < layout.AROUND)
        gradients[at + WIDTH + k - layout.NEXT] = (gradients[at + WIDTH + k - layout.NEXT] as number) + down;
      else if (k < layout.HEAD) {
        const d = k - layout.AROUND;
        if (i > 1) gradients[at - 2 * WIDTH + d] = (gradients[at - 2 * WIDTH + d] as number) + down / 2;
        if (i < count - 2) gradients[at + 2 * WIDTH + d] = (gradients[at + 2 * WIDTH + d] as number) + down / 2;
      } else if (k < layout.WHOLE) heads[k - layout.HEAD] = down;
      else if (k < layout.CLASSES_SELF) whole[k - layout.WHOLE] = (whole[k - layout.WHOLE] as number) + down;
    }
    stepHeads(this.#table, prepared, i, heads, options.rate);
    for (let j = 0; j < HIDDEN; j++) if (back[j] !== 0) this.#step('firstBias', j, back[j] as number, rate);
  }

  /** One step of the first layer for all segments of a document. */
  #stepFirst(rate: number): void {
    const { first } = this.network;
    const squares = this.#squares.first;
    const steps = this.#steps;
    for (let k = 0; k < INPUTS; k++) {
      if (this.#touched[k] === 0) continue;
      this.#touched[k] = 0;
      for (let at = k * HIDDEN; at < (k + 1) * HIDDEN; at++) {
        const gradient = steps[at] as number;
        if (gradient === 0) continue;
        steps[at] = 0;
        squares[at] = (squares[at] as number) + gradient * gradient;
        first[at] = (first[at] as number) - (rate * gradient) / Math.sqrt(squares[at] as number);
      }
    }
  }
}
