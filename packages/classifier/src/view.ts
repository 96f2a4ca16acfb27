import { Budget } from './budget.ts';
import { RunDecoder } from './encodings.ts';
import { findHidden, type Hidden } from './hide.ts';
import { joinStrings } from './join.ts';
import { identityLayer, type Layer } from './layer.ts';
import { unleet } from './leet.ts';
import { joinLetters } from './letters.ts';
import { decodeLines } from './lines.ts';
import { normalize } from './normalize.ts';
import { decodePercent } from './percent.ts';
import { rotate } from './rotate.ts';
import { type Survey, survey } from './survey.ts';

/** What a text says once its disguises are taken off. */
export interface View {
  /** The first is the plain one: all of the text; the others are what is written in it under a disguise. */
  readonly layers: readonly Layer[];
  /** Stretches of the plain layer's text, sorted and without overlaps. */
  readonly hidden: readonly Hidden[];
  /** More is encoded in the text than was decoded. */
  readonly exhausted: boolean;
}

const DEEPEST = 3;

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

/** Reads a text as an attentive reader would, every word of it traceable to where it stands. Linear in its length. */
export function readView(text: string): View {
  const budget = new Budget(text.length);
  const { layer: plain, smuggled } = normalize(identityLayer(text));
  const layers: Layer[] = [plain];
  const keep = (layer: Layer): void => {
    if (budget.take(layer.text.length)) layers.push(layer);
  };
  smuggled.forEach(keep);
  for (let index = 0; index < layers.length; index++) {
    const layer = layers[index] as Layer;
    if (layer.depth >= DEEPEST) continue;
    for (const decoded of decode(layer, budget)) {
      const normalized = normalize(decoded);
      layers.push(normalized.layer);
      if (decoded.depth < DEEPEST) normalized.smuggled.forEach(keep);
    }
  }
  return { layers, hidden: findHidden(plain.text), exhausted: budget.exhausted };
}
