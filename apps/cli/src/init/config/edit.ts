import type { Span } from './tree.ts';

/** A range of a text and its replacement. */
export interface Edit extends Span {
  readonly text: string;
}

/** Edits sorted by their start. Two edits at the same position keep their order. */
function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((one, other) => one.start - other.start);
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = inOrder(edits);
  const kept = ordered.map((edit, index) => text.slice(ordered[index - 1]?.end ?? 0, edit.start) + edit.text);
  return kept.join('') + text.slice(ordered.at(-1)?.end ?? 0);
}

/** The line break before an offset with the indentation after it; undefined if anything else precedes the offset. */
export function lineStartBefore(text: string, offset: number): string | undefined {
  // Limited to 1000 characters: a search from the start of a long file, for every server, would be slow.
  return /\r?\n[ \t]*$/.exec(text.slice(Math.max(0, offset - 1000), offset))?.[0];
}
