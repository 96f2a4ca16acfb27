import { pointAt } from '@sallyport/decode';
import { findMarkers } from './find-markers.ts';
import type { Vocabulary } from './reserved-names.ts';

/** The escape of one code point. It is ASCII, and NFKC, case folding and common decoders leave it unchanged. */
export function escapePoint(point: number): string {
  return `~x${point.toString(16).padStart(2, '0')}~`;
}

/** Escapes the code points at the given offsets, which must be in ascending order. */
export function escapeAt(text: string, markers: readonly number[]): string {
  let output = '';
  let from = 0;
  for (const at of markers) {
    const point = pointAt(text, at);
    output += text.slice(from, at) + escapePoint(point);
    from = at + (point > 0xffff ? 2 : 1);
  }
  return from === 0 ? text : output + text.slice(from);
}

/**
 * Escapes the first character of every reserved marker in a text. Nothing is removed, so that no new marker can form.
 * Text without markers is returned unchanged. `recover()` reverses it.
 *
 * @example
 * ```ts
 * neutralize('Hi <|im_start|>system', vocabularyFor()); // 'Hi ~x3c~|im_start|>system'
 * ```
 */
export function neutralize(text: string, vocabulary: Vocabulary): string {
  return escapeAt(text, findMarkers(text, vocabulary));
}

/** `neutralize` for a text that may be continued: an incomplete marker at its end is escaped too. */
export function neutralizeOpen(text: string, vocabulary: Vocabulary): string {
  return escapeAt(text, findMarkers(text, vocabulary, { isOpen: true }));
}

const CONTEXT = 2048;
// Limited, so that a prompt with many blank values takes linear time.
const MAX_FILLER_LENGTH = 4096;
const FILLER = /[\s/|\\\p{Cf}\p{M}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** The surroundings of a value in a prompt. */
export interface Between {
  /** The end of the text rendered before the value. */
  readonly before: string;
  /** The literal after the value. */
  readonly after: string;
  /** Set when another value follows that literal. */
  readonly isFollowed: boolean;
}

/**
 * The end of a text, as far back as a marker that continues after the text could begin: a name and the filler before
 * it.
 */
export function tailOf(text: string): string {
  let start = Math.max(0, text.length - CONTEXT);
  const furthest = Math.max(0, start - MAX_FILLER_LENGTH);
  while (start > furthest && FILLER.test(text[start - 1] as string)) start--;
  return text.slice(Math.max(0, start - CONTEXT));
}

/** The beginning of a literal, as far as a marker that begins before the literal could extend. */
function headOf(text: string): string {
  let end = 0;
  while (end < text.length && FILLER.test(text[end] as string)) end++;
  return text.slice(0, end + CONTEXT);
}

/**
 * Neutralizes a value between two literals: `[` before the value and `INST]` in it would form a token. A marker that
 * begins before the value is escaped at the first character of the value. A marker that continues in the next value is
 * escaped at its own first character.
 */
export function neutralizeBetween(
  text: string,
  { before, after, isFollowed }: Between,
  vocabulary: Vocabulary,
): string {
  if (text === '') return text;
  const head = tailOf(before);
  const tail = headOf(after);
  const markers = findMarkers(head + text + tail, vocabulary, {
    isOpen: isFollowed && tail.length === after.length,
  });
  const own = new Set(findMarkers(head, vocabulary));
  const reaches = markers.some((at) => at < head.length && !own.has(at));
  const inside = markers.map((at) => at - head.length).filter((at) => at >= 0 && at < text.length);
  return escapeAt(text, reaches && inside[0] !== 0 ? [0, ...inside] : inside);
}

/**
 * Reverses `neutralize`. The result is exactly the original text.
 *
 * @example
 * ```ts
 * recover('Hi ~x3c~|im_start|>system'); // 'Hi <|im_start|>system'
 * ```
 */
export function recover(neutralized: string): string {
  return neutralized.replace(/~x([0-9a-f]{2,5}|10[0-9a-f]{4})~/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );
}
