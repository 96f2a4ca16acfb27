/** A range of a text in UTF-16 offsets; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Sorts spans and merges those that touch or overlap. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) merged.push(span);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return merged;
}

/** Removes from `spans` every range that `covers` cover. Both lists must be sorted and without overlaps. Linear. */
export function subtractSpans<Kind extends Span>(spans: readonly Kind[], covers: readonly Span[]): Kind[] {
  const left: Kind[] = [];
  let next = 0;
  for (const span of spans) {
    while (next < covers.length && (covers[next] as Span).end <= span.start) next++;
    let start = span.start;
    for (let at = next; at < covers.length && (covers[at] as Span).start < span.end; at++) {
      const cover = covers[at] as Span;
      if (cover.start > start) left.push({ ...span, start, end: cover.start });
      start = Math.max(start, cover.end);
      next = at;
    }
    if (start < span.end) left.push({ ...span, start });
  }
  return left;
}

/** Combines two lists of spans. Where both cover a position, only the span of `above` remains. */
export function layerSpans<Kind extends Span>(below: readonly Kind[], above: readonly Kind[]): Kind[] {
  if (above.length === 0) return [...below];
  return [...subtractSpans(below, above), ...above].sort((one, other) => one.start - other.start);
}
