import type { Segments } from '../language/segments.ts';

/** The way in which the scores of segments become the score of a run, fitted on documents not used in training. */
export interface Pooling {
  /** The gain of a segment from a suspicious neighbour, as a share of the neighbour's log odds. */
  readonly neighbours: number;
  /** The loss for the logarithm of the number of segments: of many sentences some read oddly by chance. */
  readonly chance: number;
}

const REACH = 3;
// Limited, so that an attacker who pads a page gains no more than a page of ordinary length gives.
const MAX_SEGMENTS = 64;

/** Adds to the log odds of each segment a share of its neighbours': a letter of six odd sentences is more than one. */
export function pool(scores: Float32Array, { count, blocks }: Segments, { neighbours, chance }: Pooling): Float32Array {
  const loss = chance * Math.log(Math.min(count, MAX_SEGMENTS) + 1);
  const pooled = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let k = Math.max(0, i - REACH); k <= i + REACH && k < count; k++) {
      const score = scores[k] as number;
      if (k !== i && score > 0) sum += blocks[k] === blocks[i] ? score : score / 2;
    }
    pooled[i] = (scores[i] as number) + neighbours * sum - loss;
  }
  return pooled;
}
