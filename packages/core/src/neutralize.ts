import { findMarkers } from './scan.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The escape of one code point: ASCII, unchanged by NFKC, case folding and every decoder we know of. */
export function escapePoint(point: number): string {
  return `~x${point.toString(16).padStart(2, '0')}~`;
}

function escapeAt(text: string, markers: readonly number[]): string {
  let output = '';
  let from = 0;
  for (const at of markers) {
    const point = text.codePointAt(at) as number;
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

const CONTEXT = 64;

/**
 * Neutralizes a value that is put between two literals: `[` before it and `INST]` in it make a token as well. A marker
 * that begins in the literal before is broken at the value's first character.
 */
export function neutralizeBetween(before: string, text: string, after: string, vocabulary: Vocabulary): string {
  if (text === '') return text;
  const head = before.slice(-CONTEXT);
  const markers = findMarkers(head + text + after.slice(0, CONTEXT), vocabulary);
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
