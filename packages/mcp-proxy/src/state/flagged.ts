import type { Excerpt } from '@sallyport/core';
import type { Framed, Likelihood } from '@sallyport/core/stages';

/** Passages of a server's text that look like instructions to the model. */
export interface Flagged {
  readonly server: string;
  readonly tool: string | undefined;
  /** The strongest first. */
  readonly passages: readonly Excerpt[];
}

/** A span that a classifier found in a server's text, even if the frame does not mark it. */
export interface FoundSpan {
  readonly server: string;
  readonly tool: string | undefined;
  readonly tag: string;
  readonly likelihood: Exclude<Likelihood, 'none'>;
  readonly text: string;
}

const MAX_PASSAGES = 3;
/** Maximum number of reported spans of one result. The first ones are reported. */
const MAX_SPANS = 20;
const AROUND = 60;

/** The spans of a frame that may be instructions, without the plain requests of likelihood `none`. */
export function spansIn({ quoted: { parts } }: Framed, server: string, tool: string | undefined): readonly FoundSpan[] {
  const found = parts.flatMap(({ classified: { limited, verdict } }) =>
    (verdict.type === 'checked' ? verdict.spans : []).flatMap(({ start, end, tag, likelihood }) =>
      likelihood === 'none' ? [] : [{ server, tool, tag, likelihood, text: limited.text.slice(start, end) }],
    ),
  );
  return found.slice(0, MAX_SPANS);
}

/**
 * The passages of a frame that are quoted or marked, with a little of the text around them; at most three, the
 * strongest first.
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
