import type { Segments } from './segment.ts';

// The one phrase that every attack kit carries, and that harmless text hardly ever says outside of quotation marks. Its gaps
// are bounded, so that a text of such words is read in linear time.
const OVERRIDE =
  /\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|override|bypass|discard|(?:do not|don't|stop) (?:follow|obey)(?:ing)?)\s+(?:[a-z']{1,12}\s+){0,4}(?:previous|prior|above|earlier|preceding|former|original|initial|all|any|your|other)\s+(?:[a-z']{1,14}\s+){0,2}(?:instructions?|prompts?|directives?|guidelines?|commands|directions|programming)\b/gi;

/** Log odds the phrase is worth, beside what the model makes of it. */
const WORTH = 6;

function segmentAt({ count, starts, ends }: Segments, at: number): number {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) <= at) low = middle + 1;
    else if ((starts[middle] as number) > at) high = middle - 1;
    else return middle;
  }
  return -1;
}

/** Raises the segments that set earlier instructions aside in so many words. */
export function applyRules(text: string, segments: Segments, scores: Float32Array): void {
  OVERRIDE.lastIndex = 0;
  for (let match = OVERRIDE.exec(text); match !== null; match = OVERRIDE.exec(text)) {
    const segment = segmentAt(segments, match.index);
    if (segment >= 0) scores[segment] = (scores[segment] as number) + WORTH;
  }
}
