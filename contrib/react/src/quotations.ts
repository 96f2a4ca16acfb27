import type { Evidence } from '@sallyport/core';

/** A piece of a quoted text; a match is a value of the call. */
interface QuotedPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Words of others that values of a call come from. */
export interface Quotation {
  /** JSON pointers of the values that occur in it. */
  readonly paths: readonly string[];
  readonly source: string | undefined;
  readonly trust: Evidence['trust'];
  readonly pieces: readonly QuotedPiece[];
}

interface Found {
  readonly evidence: Evidence;
  readonly start: number;
  readonly end: number;
}

/** The text, divided at the values. A value that overlaps an earlier one is part of it. */
function piecesOf(text: string, found: readonly Found[]): readonly QuotedPiece[] {
  const pieces: QuotedPiece[] = [];
  let at = 0;
  for (const { start, end } of [...found].sort((one, other) => one.start - other.start)) {
    if (start < at) continue;
    pieces.push({ text: text.slice(at, start), isMatch: false }, { text: text.slice(start, end), isMatch: true });
    at = end;
  }
  pieces.push({ text: text.slice(at), isMatch: false });
  return pieces.filter((piece) => piece.text !== '');
}

/** One quotation for each text: several values often come from the same words. */
export function quotationsOf(evidence: readonly Evidence[]): readonly Quotation[] {
  const byText = new Map<string, { readonly text: string; readonly found: Found[] }>();
  for (const each of evidence) {
    if (each.excerpt === undefined) continue;
    const { before, match, after } = each.excerpt;
    const text = before + match + after;
    const key = JSON.stringify([each.source, text]);
    const group = byText.get(key) ?? { text, found: [] };
    group.found.push({ evidence: each, start: before.length, end: before.length + match.length });
    byText.set(key, group);
  }
  return Array.from(byText.values(), ({ text, found }) => ({
    paths: [...new Set(found.map(({ evidence: { path } }) => path))],
    source: found[0]?.evidence.source,
    trust: found[0]?.evidence.trust ?? 'suspect',
    pieces: piecesOf(text, found),
  }));
}
