import type { Verdict } from './classify.ts';
import { joinSpans, type Span } from './collect.ts';
import type { Stretch } from './column.ts';
import { FLAGGED, POINTED, REQUESTED, SUSPECT } from './standing.ts';

/** The tag of a span in which somebody asks for something, which by itself is nothing to suspect. */
const REQUEST = 'request';

/** Stretches with others laid over them: what is worse hides what is less. */
export function layOver(below: readonly Stretch[], above: readonly Stretch[]): Stretch[] {
  const stretches: Stretch[] = [];
  let next = 0;
  const before = (limit: number): void => {
    for (; next < above.length && (above[next] as Stretch).start < limit; next++)
      stretches.push(above[next] as Stretch);
  };
  for (const stretch of below) {
    before(stretch.start);
    let at = Math.max(stretch.start, stretches.at(-1)?.end ?? 0);
    while (next < above.length && (above[next] as Stretch).start < stretch.end) {
      const over = above[next++] as Stretch;
      if (over.start > at) stretches.push({ ...stretch, start: at, end: over.start });
      stretches.push(over);
      at = Math.max(at, over.end);
    }
    if (at < stretch.end) stretches.push({ ...stretch, start: at });
  }
  before(Number.POSITIVE_INFINITY);
  return stretches;
}

function stretchesWith(spans: readonly Span[], standing: number): Stretch[] {
  return joinSpans(spans).map(({ start, end }) => ({ start, end, standing }));
}

/** The stretches of a text by what was found in it: instructions over plain requests, and what the user pointed at between. */
export function stretchesOf(verdict: Verdict, pointed: readonly Span[]): Stretch[] {
  if (verdict.type !== 'checked') return [];
  const { spans } = verdict;
  const requests = spans.filter(({ likelihood, tag }) => likelihood === 'none' && tag === REQUEST);
  const suspect = spans.filter(({ likelihood }) => likelihood !== 'none');
  const flagged = suspect.filter(({ likelihood }) => likelihood !== 'low');
  const worse = layOver(stretchesWith(suspect, SUSPECT), stretchesWith(flagged, FLAGGED));
  return layOver(layOver(stretchesWith(requests, REQUESTED), stretchesWith(pointed, POINTED)), worse);
}
