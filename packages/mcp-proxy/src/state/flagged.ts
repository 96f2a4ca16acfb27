import type { Excerpt } from '@sallyport/core';
import type { Framed } from '@sallyport/core/stages';

/** Passages of a server's text that look like instructions to the model. */
export interface Flagged {
  readonly server: string;
  readonly tool: string | undefined;
  /** The strongest first. */
  readonly passages: readonly Excerpt[];
}

const MAX_PASSAGES = 3;
const AROUND = 60;

/**
 * The passages of a frame that are quoted or marked, with a little of the text around them; at most three, the strongest first.
 *
 * @example
 * ```ts
 * const passages = passagesIn(await conversation.frame(recorded));
 * ```
 */
export function passagesIn({ quoted: { parts } }: Framed): readonly Excerpt[] {
  const found = parts.flatMap(({ classified, marks }) =>
    marks.map((mark) => ({ text: classified.limited.text, mark })),
  );
  const strongest = found.toSorted(
    (one, other) => Number(other.mark.kind === 'quoted') - Number(one.mark.kind === 'quoted'),
  );
  return strongest.slice(0, MAX_PASSAGES).map(({ text, mark: { start, end } }) => ({
    before: text.slice(Math.max(0, start - AROUND), start).toWellFormed(),
    match: text.slice(start, end).toWellFormed(),
    after: text.slice(end, end + AROUND).toWellFormed(),
  }));
}
