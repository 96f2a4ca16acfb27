import type { Verdict } from './classify.ts';
import type { Stretch } from './ledger.ts';
import { FLAGGED, POINTED, REQUESTED, SUSPECT } from './standing.ts';

/** The tag of a span in which somebody asks for something, which by itself is nothing to suspect. */
const REQUEST = 'request';

/** From where to where in a text. */
export interface Zone {
  readonly start: number;
  readonly end: number;
}

/** Sorted, and those that touch made one. */
function mergeZones(zones: readonly Zone[]): Zone[] {
  const merged: Zone[] = [];
  for (const zone of [...zones].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && zone.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, zone.end) };
    else merged.push(zone);
  }
  return merged;
}

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

function stretchesWith(zones: readonly Zone[], standing: number): Stretch[] {
  return mergeZones(zones).map((zone) => ({ ...zone, standing }));
}

/** The stretches of a text by what was found in it: instructions over plain requests, and what the user pointed at between. */
export function stretchesOf(verdict: Verdict, pointed: readonly Zone[]): Stretch[] {
  if (verdict.type !== 'checked') return [];
  const { spans } = verdict;
  const requests = spans.filter(({ likelihood, tag }) => likelihood === 'none' && tag === REQUEST);
  const suspect = spans.filter(({ likelihood }) => likelihood !== 'none');
  const flagged = suspect.filter(({ likelihood }) => likelihood !== 'low');
  const worse = layOver(stretchesWith(suspect, SUSPECT), stretchesWith(flagged, FLAGGED));
  return layOver(layOver(stretchesWith(requests, REQUESTED), stretchesWith(pointed, POINTED)), worse);
}
