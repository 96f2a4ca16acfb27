import type { Budget } from '../../budget.ts';
import { type Layer, LayerBuilder, type LayerKind } from '../layer.ts';

/** Rewrites the units of a line in place. Returns false if there is nothing to rewrite. */
type LineRewriter = (units: Uint16Array) => boolean;

interface LineDecoding {
  readonly kind: LayerKind;
  /** Pairs of a start and an end, one for each line. */
  readonly lines: readonly number[];
  readonly rewrite: LineRewriter;
}

function unitsOf(text: string, from: number, to: number): Uint16Array {
  const units = new Uint16Array(to - from);
  for (let index = from; index < to; index++) units[index - from] = text.charCodeAt(index);
  return units;
}

/** Makes a layer of the given lines, rewritten unit by unit. Undefined if `rewrite` changes none. */
export function decodeLines(parent: Layer, decoding: LineDecoding, budget: Budget): Layer | undefined {
  const { kind, lines, rewrite } = decoding;
  const builder = new LayerBuilder();
  for (let index = 0; index < lines.length; index += 2) {
    const from = lines[index] as number;
    const to = lines[index + 1] as number;
    const units = unitsOf(parent.text, from, to);
    if (!rewrite(units)) continue;
    if (!budget.take(to - from + 1)) break;
    builder.separate(from);
    builder.copyUnits(units, from);
  }
  return builder.length > 0 ? builder.finish(kind, parent.depth + 1, parent) : undefined;
}
