import type { Span } from './classifier.ts';

/** The maximum length of a part that counts as a piece of a sentence. */
const MAX_PIECE = 200;

/** Neighbouring short parts, read as one text: hosts show the parts of a result one after the other. */
export interface Joined {
  readonly text: string;
  /** The index of each part, and where it begins in the text. */
  readonly pieces: readonly { readonly index: number; readonly start: number; readonly length: number }[];
}

/** Joins each run of two or more short texts. An undefined text is a part that is not classified, and ends a run. */
export function joinShort(texts: readonly (string | undefined)[]): readonly Joined[] {
  const found: Joined[] = [];
  let run: number[] = [];
  for (let index = 0; index <= texts.length; index++) {
    if ((texts[index]?.length ?? Number.POSITIVE_INFINITY) <= MAX_PIECE) {
      run.push(index);
      continue;
    }
    if (run.length > 1) found.push(joined(texts as readonly string[], run));
    run = [];
  }
  return found;
}

function joined(texts: readonly string[], run: readonly number[]): Joined {
  let start = 0;
  const pieces = run.map((index) => {
    const { length } = texts[index] as string;
    const piece = { index, start, length };
    start += length + 1;
    return piece;
  });
  return { text: run.map((index) => texts[index]).join(' '), pieces };
}

/**
 * The spans of a joined text that cover more than one part, divided among them by index. Others are found in the part
 * itself.
 */
export function divideSpans({ pieces }: Joined, spans: readonly Span[]): ReadonlyMap<number, readonly Span[]> {
  const divided = new Map<number, Span[]>();
  for (const span of spans) {
    const covered = pieces.filter(({ start, length }) => start < span.end && start + length > span.start);
    if (covered.length < 2) continue;
    for (const { index, start, length } of covered) {
      const within = { start: Math.max(0, span.start - start), end: Math.min(length, span.end - start) };
      divided.set(index, [...(divided.get(index) ?? []), Object.freeze({ ...span, ...within })]);
    }
  }
  return divided;
}
