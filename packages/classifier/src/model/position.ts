import type { Segments } from '../language/segments.ts';

/**
 * The position of a segment: at the start or end of its text, in one block with its neighbours, in a text of one
 * sentence or of thousands.
 */
export function readPosition(at: number, segments: Segments, out: Float32Array, to: number): void {
  const { count, blocks } = segments;
  out[to] = at === 0 ? 1 : 0;
  out[to + 1] = at === count - 1 ? 1 : 0;
  out[to + 2] = at > 0 && blocks[at - 1] === blocks[at] ? 1 : 0;
  out[to + 3] = at < count - 1 && blocks[at + 1] === blocks[at] ? 1 : 0;
  out[to + 4] = Math.min(1, Math.log2(count + 1) / 8);
  out[to + 5] = count > 1 ? at / (count - 1) : 0;
  out[to + 6] = at > 1 && blocks[at - 2] === blocks[at] ? 1 : 0;
}
