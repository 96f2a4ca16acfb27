import { LIKELIHOODS, type Likelihood, recover, type Span } from '@sallyport/core/stages';
import { asObject } from '../base/option.ts';
import { isTag } from '../base/span.ts';
import { likelihoodOf, type Thresholds } from '../base/threshold.ts';

/** One claim of a model about a text. */
export interface Finding {
  readonly quote: string;
  readonly likelihood: Likelihood;
  readonly tag: string;
}

const FENCE = /^```(?:json)?\s*\n([\s\S]*)\n\s*```$/;
const OTHER_TAG = 'judged';
// A quote that stands in more places says nothing about any of them.
const MOST_PLACES = 1000;

function readLikelihood(value: unknown, thresholds: Thresholds): Likelihood {
  if (typeof value === 'number' && value >= 0 && value <= 1) return likelihoodOf(value, thresholds);
  const known = LIKELIHOODS.find((likelihood) => likelihood === value);
  if (known === undefined) throw new Error('The answer has a finding without a likelihood.');
  return known;
}

function readTag(value: unknown): string {
  const tag =
    typeof value === 'string'
      ? value
          .trim()
          .toLowerCase()
          .replace(/[\s_]+/g, '-')
      : '';
  return isTag(tag) ? tag : OTHER_TAG;
}

/** The findings of an answer. What is not the JSON that was asked for is refused whole: half an answer is none. */
export function readAnswer(answer: unknown, thresholds: Thresholds): Finding[] {
  if (typeof answer !== 'string') throw new Error('The answer is not a text.');
  const trimmed = answer.trim();
  const findings = asObject(JSON.parse(FENCE.exec(trimmed)?.[1] ?? trimmed))?.findings;
  if (!Array.isArray(findings)) throw new Error('The answer has no findings, not even none.');
  return findings.map((entry: unknown) => {
    const { quote, likelihood, tag } = asObject(entry) ?? {};
    if (typeof quote !== 'string') throw new Error('The answer has a finding without a quote.');
    return { quote, likelihood: readLikelihood(likelihood, thresholds), tag: readTag(tag) };
  });
}

/** Every place of a quote, or none when it stands nowhere or nearly everywhere. */
function placesOf(text: string, quote: string): number[] {
  const places: number[] = [];
  if (quote.trim() === '') return places;
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + quote.length)) {
    if (places.length === MOST_PLACES) return [];
    places.push(at);
  }
  return places;
}

function spansOf(text: string, { quote, likelihood, tag }: Finding): Span[] {
  // The model saw reserved tokens escaped, and may quote them so.
  const original = recover(quote);
  const forms = original === quote ? [quote] : [quote, original];
  return forms.flatMap((form) =>
    placesOf(text, form).map((start) => ({ start, end: start + form.length, likelihood, tag })),
  );
}

/**
 * The places of the findings in the text. A quote that is nowhere in it is dropped; when none is left, something was
 * found and nobody knows where, so all of the text is marked.
 */
export function locate(text: string, findings: readonly Finding[]): Span[] {
  const claims = findings.filter(({ likelihood }) => likelihood !== 'none');
  const spans = claims.flatMap((finding) => spansOf(text, finding));
  if (spans.length > 0 || claims.length === 0) return spans;
  const rankOf = ({ likelihood }: Finding): number => LIKELIHOODS.indexOf(likelihood);
  const { likelihood, tag } = claims.reduce((top, claim) => (rankOf(claim) > rankOf(top) ? claim : top));
  return [{ start: 0, end: text.length, likelihood, tag }];
}
