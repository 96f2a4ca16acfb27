import type { Span } from './entry.ts';

/** A place that a value of some call comes from. */
export interface KeyedPlace {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** A part of a text that is shown in one way, or characters that are left out. */
export type Segment =
  | {
      readonly type: 'text';
      readonly start: number;
      readonly text: string;
      readonly span?: Span;
      readonly places: readonly string[];
    }
  | { readonly type: 'gap'; readonly start: number; readonly length: number };

interface Range {
  readonly start: number;
  readonly end: number;
}

const AROUND = 160;
/** Marks far down in a text that are shown although the text is cut. */
const MAX_MARKS = 20;

function merged(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last !== undefined && range.start <= last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else result.push(range);
  }
  return result;
}

/** The beginning of a text, and what is marked in the rest. */
function shownRanges(text: string, length: number, marks: readonly Range[]): readonly Range[] {
  const ranges = marks.slice(0, MAX_MARKS).map(({ start, end }) => ({
    start: Math.max(0, start - AROUND),
    end: Math.min(text.length, Math.min(end, start + 2000) + AROUND),
  }));
  return merged([{ start: 0, end: Math.min(length, text.length) }, ...ranges]);
}

function isIn(text: string, { start, end }: Range): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length;
}

function cutAt(text: string, { start, end }: Range, spans: readonly Span[], places: readonly KeyedPlace[]): Segment[] {
  const bounds = [...spans, ...places].flatMap((mark) => [mark.start, mark.end]).filter((at) => at > start && at < end);
  const cuts = [...new Set([start, ...bounds, end])].sort((one, other) => one - other);
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1] as number;
    const covers = (mark: Range): boolean => mark.start <= from && mark.end >= to;
    const span = spans.find(covers);
    return {
      type: 'text',
      start: from,
      text: text.slice(from, to),
      places: places.filter(covers).map(({ key }) => key),
      ...(span === undefined ? {} : { span }),
    };
  });
}

/** Divides a text at its marks. Only its first characters are in it, and what is around the marks. */
export function segmentsOf(
  text: string,
  length: number,
  spans: readonly Span[],
  places: readonly KeyedPlace[],
): readonly Segment[] {
  const [marked, pointed] = [spans.filter((span) => isIn(text, span)), places.filter((place) => isIn(text, place))];
  const segments: Segment[] = [];
  let at = 0;
  for (const range of shownRanges(text, length, [...pointed, ...marked])) {
    if (range.start > at) segments.push({ type: 'gap', start: at, length: range.start - at });
    segments.push(...cutAt(text, range, marked, pointed));
    at = range.end;
  }
  if (at < text.length) segments.push({ type: 'gap', start: at, length: text.length - at });
  return segments;
}
