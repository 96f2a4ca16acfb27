import type { Segments } from '../language/segments.ts';

/** Neighbouring segments that make one instruction: opening, request and closing. */
export interface Run {
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
  /** The segment with the highest score. */
  readonly peak: number;
  readonly score: number;
}

/** The reach of a finding over its neighbours, as the log odds below which a neighbour is left out. */
export interface Reach {
  /** A neighbour in another block. */
  readonly outside: number;
  /** A neighbour in the same paragraph or value, before the finding. */
  readonly before: number;
  /** A neighbour after it: the requested action follows the words that make it an instruction. */
  readonly after: number;
}

// A finding over a whole page would not locate anything; real ones are some sentences long.
const MAX_RUN = 24;

function belongs(scores: Float32Array, blocks: Int32Array, at: number, from: number, reach: Reach): boolean {
  if (at < 0 || at >= blocks.length) return false;
  const inside = at < from ? reach.before : reach.after;
  const limit = blocks[at] === blocks[from] ? inside : reach.outside;
  return (scores[at] as number) >= limit;
}

function extend(scores: Float32Array, blocks: Int32Array, from: number, step: 1 | -1, reach: Reach): number {
  let edge = from;
  for (let taken = 0; taken < MAX_RUN; taken++) {
    if (belongs(scores, blocks, edge + step, edge, reach)) edge += step;
    // One weak sentence between two strong ones is part of them.
    else if (
      edge + 2 * step >= 0 &&
      edge + 2 * step < blocks.length &&
      blocks[edge + 2 * step] === blocks[edge] &&
      belongs(scores, blocks, edge + 2 * step, edge, reach)
    )
      edge += 2 * step;
    else break;
  }
  return edge;
}

/**
 * Groups the segments whose pooled score is at or above `threshold`, each with its weaker neighbours. Runs never
 * overlap.
 */
export function findRuns(
  scores: Float32Array,
  pooled: Float32Array,
  segments: Segments,
  threshold: number,
  reach: Reach,
): Run[] {
  const { count } = segments;
  const blocks = segments.blocks.subarray(0, count);
  const runs: Run[] = [];
  for (let i = 0; i < count; i++) {
    if ((pooled[i] as number) < threshold) continue;
    const before = runs.at(-1);
    const first = Math.max(extend(scores, blocks, i, -1, reach), before === undefined ? 0 : before.last + 1);
    const last = extend(scores, blocks, i, 1, reach);
    let peak = i;
    for (let k = first; k <= last; k++) if ((pooled[k] as number) > (pooled[peak] as number)) peak = k;
    runs.push({ first, last, peak, score: pooled[peak] as number });
    i = last;
  }
  return runs;
}
