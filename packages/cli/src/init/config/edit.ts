import type { Span } from './tree.ts';

/** A stretch of a text, and what is to stand in its place. */
export interface Edit extends Span {
  readonly text: string;
}

/** Edits from the first to the last. Two at one place stay in the order in which they were given. */
export function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((one, other) => one.start - other.start);
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = inOrder(edits);
  const kept = ordered.map((edit, index) => text.slice(ordered[index - 1]?.end ?? 0, edit.start) + edit.text);
  return kept.join('') + text.slice(ordered.at(-1)?.end ?? 0);
}

/** The line break before an offset and the blanks that follow it, where nothing else stands between. */
export function lineStartBefore(text: string, offset: number): string | undefined {
  // No deeper indentation is looked for: a search from the start, for every server, would be slow in a long file.
  return /\r?\n[ \t]*$/.exec(text.slice(Math.max(0, offset - 1000), offset))?.[0];
}
