import { findSpans, type SpanFound } from '@sallyport/classifier';
import { LIKELIHOODS } from '@sallyport/core/stages';

/** Shorter parts find more instructions in a README, and more of what is harmless in a changelog. */
const PART_LENGTH = 1500;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The text in parts of whole paragraphs. A longer paragraph is a part of its own. */
function partsOf(text: string): readonly Range[] {
  const parts: Range[] = [];
  let start = 0;
  let next = 0;
  for (const { index, 0: gap } of text.matchAll(/\n\s*\n|$/g)) {
    if (index - start > PART_LENGTH && next > start) {
      parts.push({ start, end: next });
      start = next;
    }
    next = index + gap.length;
  }
  return start < text.length ? [...parts, { start, end: text.length }] : parts;
}

function isLikelier(one: SpanFound, other: SpanFound): boolean {
  return LIKELIHOODS.indexOf(one.likelihood) > LIKELIHOODS.indexOf(other.likelihood);
}

/** Calls `visit` with each span, and with those of `whole` that overlap it. Both lists are sorted by start. */
function eachWithOverlaps(
  spans: readonly SpanFound[],
  whole: readonly SpanFound[],
  visit: (span: SpanFound, overlapping: readonly SpanFound[]) => void,
): void {
  let first = 0;
  for (const span of spans) {
    while ((whole[first]?.end ?? Number.POSITIVE_INFINITY) <= span.start) first++;
    let last = first;
    while ((whole[last]?.start ?? Number.POSITIVE_INFINITY) < span.end) last++;
    visit(
      span,
      whole.slice(first, last).filter((each) => each.end > span.start),
    );
  }
}

/** Adds what is highly likely in a part, and replaces what is less likely in the whole text. */
function merged(whole: readonly SpanFound[], ofParts: readonly SpanFound[]): readonly SpanFound[] {
  const kept = new Set(whole);
  eachWithOverlaps(ofParts, whole, (span, overlapping) => {
    const isNew = overlapping.length === 0 && span.likelihood === 'high';
    const isMore = overlapping.length > 0 && overlapping.every((each) => isLikelier(span, each));
    if (isNew || isMore) kept.add(span);
    if (isMore) for (const each of overlapping) kept.delete(each);
  });
  return [...kept].sort((one, other) => one.start - other.start);
}

/**
 * Finds passages in a text and in its parts. In a long text a passage counts for less, since of many sentences some read oddly by
 * chance: an instruction at the end of a README is found in its part.
 */
export async function findInParts(text: string): Promise<readonly SpanFound[]> {
  const found = await findSpans(text);
  const parts = partsOf(text);
  if (parts.length < 2) return found;
  const ofParts: SpanFound[] = [];
  for (const { start, end } of parts)
    for (const span of await findSpans(text.slice(start, end)))
      ofParts.push({ ...span, start: start + span.start, end: start + span.end });
  // A finding for the whole text says that not all of it was decoded. It would be compared with each of the others.
  const covering = found.filter((each) => each.end - each.start === text.length);
  return [
    ...covering,
    ...merged(
      found.filter((each) => !covering.includes(each)),
      ofParts,
    ),
  ];
}
