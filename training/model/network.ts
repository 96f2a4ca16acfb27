// The network during training, in 32-bit floats. Hashed features are summed to a vector per segment; a hidden layer reads the
// vectors of the segment, of its neighbours and of its document, the word classes and the forms.
import { HIDDEN, INPUTS, WIDTH } from '../../packages/classifier/src/model/layout.ts';
import { TAGS } from '../../packages/classifier/src/tag.ts';
import type { Random } from '../random.ts';

const TAG_COUNT = TAGS.length;

export interface Network {
  readonly table: Float32Array;
  readonly first: Float32Array;
  readonly firstBias: Float32Array;
  readonly last: Float32Array;
  readonly lastBias: Float32Array;
  readonly asks: Float32Array;
  readonly asksBias: Float32Array;
  readonly tags: Float32Array;
  readonly tagBias: Float32Array;
}

export function createNetwork(random: Random, rows: number): Network {
  const uniform = (length: number, scale: number): Float32Array =>
    Float32Array.from({ length }, () => (random.next() * 2 - 1) * scale);
  return {
    table: uniform(rows * WIDTH, 0.05),
    first: uniform(INPUTS * HIDDEN, 0.12),
    firstBias: new Float32Array(HIDDEN),
    last: uniform(HIDDEN, 0.3),
    lastBias: Float32Array.of(-1),
    asks: uniform(HIDDEN, 0.3),
    asksBias: Float32Array.of(-1),
    tags: uniform(HIDDEN * TAG_COUNT, 0.1),
    tagBias: new Float32Array(TAG_COUNT),
  };
}
