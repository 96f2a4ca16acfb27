import { digestText } from '@sallyport/core/adapter';
import { buildLexicon, type Lexicon } from '../language/lexicon.ts';
import { TAGS } from '../tag.ts';
import { buildVocabulary, type Vocabulary } from './feature-table.ts';
import { HIDDEN, INPUTS, WIDTH } from './layout.ts';

/** The trained numbers, as they are used. */
export interface Model {
  readonly lexicon: Lexicon;
  readonly vocabulary: Vocabulary;
  /** One row of WIDTH steps per known feature; a step is worth `scale`. */
  readonly table: Int8Array;
  readonly scale: number;
  readonly first: Float64Array;
  readonly firstBias: Float32Array;
  readonly last: Float32Array;
  readonly lastBias: number;
  /** The second head: the log odds that a segment requests an action. */
  readonly asks: Float32Array;
  readonly asksBias: number;
  readonly tags: Float32Array;
  readonly tagBias: Float32Array;
}

const TAG_COUNT: number = TAGS.length;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function fromBase64(text: string): Uint8Array {
  const values = new Uint8Array(128);
  for (let i = 0; i < ALPHABET.length; i++) values[ALPHABET.charCodeAt(i)] = i;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  for (let i = 0, at = 0; i < text.length; i += 4) {
    const group =
      ((values[text.charCodeAt(i)] as number) << 18) |
      ((values[text.charCodeAt(i + 1)] as number) << 12) |
      ((values[text.charCodeAt(i + 2)] as number) << 6) |
      (values[text.charCodeAt(i + 3)] as number);
    bytes[at++] = group >> 16;
    bytes[at++] = (group >> 8) & 255;
    bytes[at++] = group & 255;
  }
  return bytes;
}

/** Reads little-endian numbers one after the other. */
class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  integer(): number {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4, true);
  }

  number(): number {
    this.#at += 4;
    return this.#view.getFloat32(this.#at - 4, true);
  }

  integers(length: number): Int32Array {
    return Int32Array.from({ length }, () => this.integer());
  }

  numbers(length: number): Float32Array {
    return Float32Array.from({ length }, () => this.number());
  }

  bytes(length: number): Int8Array {
    this.#at += length;
    return Int8Array.from({ length }, (_, i) => this.#view.getInt8(this.#at - length + i));
  }
}

/**
 * Reads a model from its text. A text that does not match the digest is refused: a changed model would change every
 * verdict without notice.
 */
export function loadModel(weights: string, digest: string): Model {
  if (digestText(weights) !== digest)
    throw new Error('The weights of @sallyport/classifier are not the ones it was built with.');
  const reader = new Reader(fromBase64(weights));
  const words = reader.integer();
  const entries = Array.from({ length: words }, () => [reader.integer(), reader.integer()] as const);
  const features = reader.integer();
  const vocabulary = buildVocabulary(reader.integers(features));
  const scale = reader.number();
  const first = Float64Array.from(reader.numbers(INPUTS * HIDDEN));
  return {
    lexicon: buildLexicon(entries),
    vocabulary,
    scale,
    first,
    firstBias: reader.numbers(HIDDEN),
    last: reader.numbers(HIDDEN),
    lastBias: reader.number(),
    asks: reader.numbers(HIDDEN),
    asksBias: reader.number(),
    tags: reader.numbers(HIDDEN * TAG_COUNT),
    tagBias: reader.numbers(TAG_COUNT),
    table: reader.bytes(features * WIDTH),
  };
}
