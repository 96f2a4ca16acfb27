import type { Segments } from '../language/segments.ts';

/** How the scores of segments become the score of a run, fitted on documents that were kept back from training. */
export interface Pooling {
  /** What a suspicious neighbour adds to a segment, as a share of its own log odds. */
  readonly neighbours: number;
  /** What a text loses for the logarithm of its number of segments: of many sentences some read oddly by chance. */
  readonly chance: number;
}

const REACH = 3;
// Only up to a point, so that an attacker who pads a page gains no more than a page of ordinary length gives.
const MAX_SEGMENTS = 64;

/** The log odds of each segment with its neighbours: a letter of six odd sentences is more than one odd sentence. */
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
