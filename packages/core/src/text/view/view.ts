import { Budget } from '../../base/budget.ts';
import { joinStrings } from './encoding/join.ts';
import { unleet } from './encoding/leet.ts';
import { joinLetters } from './encoding/letters.ts';
import { decodeLines } from './encoding/lines.ts';
import { decodePercent, decodePercentValues } from './encoding/percent.ts';
import { rotate } from './encoding/rotate.ts';
import { RunDecoder } from './encoding/runs.ts';
import { decodeValues } from './encoding/values.ts';
import { findHidden, type Hidden } from './hidden/hide.ts';
import { identityLayer, type Layer } from './layer.ts';
import { normalize } from './normalize.ts';
import { type Survey, survey } from './survey.ts';

const MAX_DEPTH = 3;
/** Room beyond the length of the text: what is written in a short text may be longer than it, a long one needs no more. */
const SPARE = 4096;

/** How much may be decoded. Nested encodings would otherwise let a short text ask for long work. */
function budgetFor(length: number): Budget {
  return new Budget(length + SPARE);
}

function decodeRuns(layer: Layer, found: Survey, budget: Budget): Layer[] {
  const layers: Layer[] = [];
  if (found.hasLongRun) layers.push(...new RunDecoder(layer, budget).decodeRuns());
  if (found.hasPairs) layers.push(...new RunDecoder(layer, budget).decodePairs());
  return layers;
}

// Turning a line twice gives the line: a layer is not read again in the way it was made.
function decodeText(layer: Layer, found: Survey, budget: Budget): (Layer | undefined)[] {
  const { kind } = layer;
  return [
    found.hasSingles && kind !== 'letters' ? joinLetters(layer, budget) : undefined,
    kind === 'leet' ? undefined : decodeLines(layer, { kind: 'leet', lines: found.leetLines, rewrite: unleet }, budget),
    kind === 'rot13'
      ? undefined
      : decodeLines(layer, { kind: 'rot13', lines: found.rotatedLines, rewrite: rotate }, budget),
  ];
}

function decode(layer: Layer, budget: Budget): Layer[] {
  const found = survey(layer.text);
  const layers = [
    ...decodeRuns(layer, found, budget),
    ...decodePercent(layer, budget),
    ...decodeText(layer, found, budget),
    ...(layer.kind === 'joined' ? [] : joinStrings(layer, budget)),
  ];
  return layers.filter((each) => each !== undefined);
}

function decodeAll(text: string, budget: Budget): Layer[] {
  const { layer: plain, smuggled } = normalize(identityLayer(text));
  const layers: Layer[] = [plain];
  const keep = (layer: Layer): void => {
    if (budget.take(layer.text.length)) layers.push(layer);
  };
  smuggled.forEach(keep);
  for (let index = 0; index < layers.length; index++) {
    const layer = layers[index] as Layer;
    if (layer.depth >= MAX_DEPTH) continue;
    for (const decoded of decode(layer, budget)) {
      const normalized = normalize(decoded);
      layers.push(normalized.layer);
      if (decoded.depth < MAX_DEPTH) normalized.smuggled.forEach(keep);
    }
  }
  return layers;
}

interface Values {
  readonly layers: readonly Layer[];
  readonly isExhausted: boolean;
}

/** The encoded values of some layers, and those that are encoded in them again. */
function decodeAllValues(layers: readonly Layer[], budget: Budget): Values {
  const values: Layer[] = [];
  const read = (layer: Layer): void => {
    if (layer.depth >= MAX_DEPTH) return;
    const percent = decodePercentValues(layer, budget);
    values.push(...decodeValues(layer, budget), ...(percent === undefined ? [] : [percent]));
  };
  layers.forEach(read);
  for (let index = 0; index < values.length; index++) read(values[index] as Layer);
  return { layers: values, isExhausted: budget.isExhausted };
}

/** What a text says once its disguises are removed. The classifier, the ledger and the gate all read this and nothing else. */
export class TextView {
  /** The first is the plain one: all of the text. The others are what is written in it under a disguise. */
  readonly layers: readonly Layer[];
  readonly #length: number;
  readonly #isExhausted: boolean;
  #hidden: readonly Hidden[] | undefined;
  #values: Values | undefined;

  constructor(text: string) {
    const budget = budgetFor(text.length);
    this.#length = text.length;
    this.layers = decodeAll(text, budget);
    this.#isExhausted = budget.isExhausted;
  }

  /** More sentences are encoded in the text than were decoded. */
  get exhausted(): boolean {
    return this.#isExhausted;
  }

  /** Ranges of the plain layer that a page does not show, sorted and without overlaps. */
  get hidden(): readonly Hidden[] {
    this.#hidden ??= findHidden((this.layers[0] as Layer).text);
    return this.#hidden;
  }

  /** Encoded addresses, ids and words. They hold no sentence, so that only who compares values reads them. */
  get values(): readonly Layer[] {
    return this.#readValues().layers;
  }

  /** All that is encoded in the text was decoded, values included. */
  get isComplete(): boolean {
    return !this.#isExhausted && !this.#readValues().isExhausted;
  }

  #readValues(): Values {
    this.#values ??= decodeAllValues(this.layers, budgetFor(this.#length));
    return this.#values;
  }
}

/** Reads a text as an attentive reader would, every word traceable to its place. Linear in the length of the text. */
export function readView(text: string): TextView {
  return new TextView(text);
}
