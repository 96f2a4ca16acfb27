import { type ClassifierResult, LIKELIHOODS, type Span } from '@sallyport/core/stages';

const TAG = /^[a-z0-9-]{1,40}$/;

export function isTag(value: unknown): value is string {
  return typeof value === 'string' && TAG.test(value);
}

function readSpan(input: unknown, length: number): Span {
  const { start, end, likelihood, tag, asks } = (input ?? {}) as Span;
  const isPlaced = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start < end && end <= length;
  if (!isPlaced || !LIKELIHOODS.includes(likelihood) || !isTag(tag))
    throw new Error(
      'A classifier gave an invalid span: it needs integer offsets within the text, a likelihood and a tag.',
    );
  return { start, end, likelihood, tag, ...(asks === true && { asks }) };
}

/** Copies the spans of a classifier. One invalid span makes the result invalid: dropped, it may be the one that counts. */
export function readSpans(result: unknown, length: number): Span[] {
  const spans = (result as ClassifierResult | undefined | null)?.spans;
  if (!Array.isArray(spans))
    throw new Error('A classifier gave no spans: its result must be an object with an array `spans`.');
  return Array.from(spans, (span) => readSpan(span, length));
}

/**
 * The rank of a span among those that overlap it. The gate asks about values in a span of likelihood `none` that asks, and about
 * nothing else of that likelihood: a tier that calls a longer passage harmless must not hide the request.
 */
function rankOf({ likelihood, asks }: Span): number {
  return 2 * LIKELIHOODS.indexOf(likelihood) + (asks === true && likelihood === 'none' ? 1 : 0);
}

/**
 * The same findings without overlap: where several overlap, the one of the highest rank is kept. Of the spans of one rank that
 * have begun, the one that ends last covers the others, so one per rank is enough.
 */
export function highest(spans: readonly Span[]): Span[] {
  const waiting = [...spans].sort((one, other) => other.start - one.start);
  const edges = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((one, other) => one - other);
  const reaching: (Span | undefined)[] = LIKELIHOODS.flatMap(() => [undefined, undefined]);
  const output: Span[] = [];
  for (const [index, start] of edges.entries()) {
    for (let span = waiting.at(-1); span !== undefined && span.start <= start; span = waiting.at(-1)) {
      const rank = rankOf(span);
      if (span.end > (reaching[rank]?.end ?? 0)) reaching[rank] = span;
      waiting.pop();
    }
    const top = reaching.findLast((span) => span !== undefined && span.end > start);
    if (top === undefined) continue;
    const end = edges[index + 1] as number;
    const { likelihood, tag, asks } = top;
    const last = output.at(-1);
    const goesOn = last?.end === start && last.likelihood === likelihood && last.tag === tag && last.asks === asks;
    if (goesOn) output[output.length - 1] = { ...last, end };
    else output.push({ start, end, likelihood, tag, ...(asks === true && { asks }) });
  }
  return output;
}
