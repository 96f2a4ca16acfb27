import { pointAt } from '../base/code-point.ts';
import { findMarkers } from './find-markers.ts';
import type { Vocabulary } from './reserved-names.ts';

/** The escape of one code point: ASCII, unchanged by NFKC, case folding and every decoder we know of. */
export function escapePoint(point: number): string {
  return `~x${point.toString(16).padStart(2, '0')}~`;
}

/** Escapes the code points at the given indices, which ascend. */
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
 * Makes reserved vocabulary inert by escaping the one character each marker begins with. Nothing is removed, so nothing
 * can re-form; text without markers comes back as it was.
 */
export function neutralize(text: string, vocabulary: Vocabulary): string {
  return escapeAt(text, findMarkers(text, vocabulary));
}

/** `neutralize` for a text of which nobody knows what will be written behind it: what only begins a marker is escaped too. */
export function neutralizeOpen(text: string, vocabulary: Vocabulary): string {
  return escapeAt(text, findMarkers(text, vocabulary, { isOpen: true }));
}

const CONTEXT = 2048;
// Bounded, or a prompt of very many blank values would be more than linear.
const MAX_FILLER_LENGTH = 4096;
const FILLER = /[\s/|\\\p{Cf}\p{M}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

/** What stands around a value in a prompt. */
export interface Between {
  /** The end of what was rendered before it. */
  readonly before: string;
  /** The literal behind it. */
  readonly after: string;
  /** Another value comes behind that. */
  readonly isFollowed: boolean;
}

/** The end of a text as far back as a marker that goes on behind it could begin: a name, and any filler before it. */
export function tailOf(text: string): string {
  let start = Math.max(0, text.length - CONTEXT);
  const furthest = Math.max(0, start - MAX_FILLER_LENGTH);
  while (start > furthest && FILLER.test(text[start - 1] as string)) start--;
  return text.slice(Math.max(0, start - CONTEXT));
}

/** The beginning of a literal as far as a marker that began before it could reach. */
function headOf(text: string): string {
  let end = 0;
  while (end < text.length && FILLER.test(text[end] as string)) end++;
  return text.slice(0, end + CONTEXT);
}

/**
 * Neutralizes a value that is put between literals: `[` before it and `INST]` in it make a token as well. A marker that
 * begins before is broken at the value's first character; one that goes on in the next value, at its own.
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

/** Undoes `neutralize`, byte for byte. */
export function recover(neutralized: string): string {
  return neutralized.replace(/~x([0-9a-f]{2,5}|10[0-9a-f]{4})~/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 16)),
  );
}
