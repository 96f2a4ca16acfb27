import { requireOption } from '../base/option.ts';
import { type Aligned, Rewriter } from './aligned-text.ts';

/** The part of the platform that reads bytes; it is in every runtime, but not in the language. */
interface Platform {
  atob(text: string): string;
  TextDecoder: new () => { decode(bytes: Uint8Array): string };
  TextEncoder: new () => { encode(text: string): Uint8Array };
}

const MAX_CLUSTER = 6;
// What a user sees as one character, as far as it can be short enough to count. Intl.Segmenter would know it better,
// but takes quadratic time over a text: 300 ms for 10 KB, 2.5 s for 40.
const EXTEND = '[\\p{Grapheme_Extend}\\p{Mc}\\p{Emoji_Modifier}\\u200d]';
const CLUSTER = new RegExp(`\\r\\n|[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]|[\\s\\S]${EXTEND}*`, 'gu');
const UNPLAIN = new RegExp(
  `\\r\\n|[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]|[\\x20-\\x7e]${EXTEND}+|[^\\x20-\\x7e]${EXTEND}*`,
  'gu',
);
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/**
 * SentencePiece's table of replacements: a double-array trie over UTF-8 (its size in bytes, its units), then the
 * replacements, each ended by a zero byte. See sentencepiece/src/normalizer.cc and darts-clone.
 */
class Charsmap {
  readonly #units: Uint32Array;
  readonly #replacements: Uint8Array;
  readonly #platform = globalThis as unknown as Platform;
  readonly #encoder = new this.#platform.TextEncoder();
  readonly #decoder = new this.#platform.TextDecoder();

  constructor(encoded: string) {
    const bytes = Uint8Array.from(this.#platform.atob(encoded), (character) => character.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    const size = bytes.length < 4 ? 0 : view.getUint32(0, true);
    requireOption(
      size > 0 && size % 4 === 0 && size + 4 <= bytes.length,
      '`precompiled_charsmap` must hold a complete table; received a truncated one.',
    );
    this.#units = Uint32Array.from({ length: size / 4 }, (_, index) => view.getUint32(4 + index * 4, true));
    this.#replacements = bytes.subarray(4 + size);
  }

  /** The replacement of the shortest known prefix of `text`, as in the reference implementation that models were trained with. */
  find(text: string): string | undefined {
    let unit = this.#units[0] as number;
    let node = offsetOf(unit);
    for (const byte of this.#encoder.encode(text)) {
      node ^= byte;
      unit = this.#units[node] ?? 0;
      if (byte === 0 || (unit & 0x800000ff) !== byte) return undefined;
      node ^= offsetOf(unit);
      if ((unit >>> 8) & 1) return this.#replacementAt((this.#units[node] ?? 0) & 0x7fffffff);
    }
    return undefined;
  }

  #replacementAt(from: number): string {
    const end = this.#replacements.indexOf(0, from);
    return this.#decoder.decode(this.#replacements.subarray(from, end < 0 ? undefined : end));
  }
}

function offsetOf(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}

/** A normalizer of type `Precompiled`. */
export function readCharsmap(encoded: unknown): (aligned: Aligned) => Aligned {
  requireOption(typeof encoded === 'string', 'A Precompiled normalizer must have a `precompiled_charsmap` in base64.');
  const map = new Charsmap(encoded);
  const known = new Map<string, string>();
  const lookUp = (text: string): string | undefined => {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    const found = map.find(text);
    if (found !== undefined && known.size < 10_000) known.set(text, found);
    return found;
  };
  const isPlain = PRINTABLE.every((character) => lookUp(character) === undefined);

  const writePoints = (rewriter: Rewriter, segment: string, index: number): void => {
    let at = index;
    for (const point of segment) {
      rewriter.write(lookUp(point) ?? point, at, at + point.length);
      at += point.length;
    }
  };

  return (aligned) => {
    const rewriter = new Rewriter(aligned);
    let done = 0;
    for (const { index, 0: cluster } of aligned.text.matchAll(isPlain ? UNPLAIN : CLUSTER)) {
      const whole = utf8Length(cluster) < MAX_CLUSTER ? lookUp(cluster) : undefined;
      rewriter.copy(done, index);
      done = index + cluster.length;
      if (whole === undefined) writePoints(rewriter, cluster, index);
      else rewriter.write(whole, index, done);
    }
    rewriter.copy(done, aligned.text.length);
    return rewriter.finish();
  };
}

/** The length in UTF-8, exact for texts shorter than MAX_CLUSTER units; of longer ones only a lower bound. */
function utf8Length(text: string): number {
  let length = 0;
  if (text.length >= MAX_CLUSTER) return text.length;
  for (const point of text) {
    const code = point.codePointAt(0) as number;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
