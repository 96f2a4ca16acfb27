import { parseJson } from '@sallyport/core/json';
import { LIKELIHOODS, type Likelihood, recover, type Span } from '@sallyport/core/stages';
import { asObject, shown } from '../base/option.ts';
import { isTag } from '../base/span.ts';
import { likelihoodOf, type Thresholds } from '../base/threshold.ts';

/** One finding that a model claims. */
export interface Finding {
  readonly quote: string;
  readonly likelihood: Likelihood;
  readonly tag: string;
}

const FENCE = /^```(?:json)?\s*\n([\s\S]*)\n\s*```$/;
const OTHER_TAG = 'judged';
// A quote with more occurrences says nothing about any of them.
const MAX_OCCURRENCES = 1000;

function readLikelihood(value: unknown, thresholds: Thresholds): Likelihood {
  if (typeof value === 'number' && value >= 0 && value <= 1) return likelihoodOf(value, thresholds);
  const known = LIKELIHOODS.find((likelihood) => likelihood === value);
  if (known === undefined)
    throw new Error(`A finding in the answer needs a likelihood or a number from 0 to 1; received ${shown(value)}.`);
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

/** Reads the findings of an answer. An answer in another form than the one requested is refused as a whole. */
export function readAnswer(answer: unknown, thresholds: Thresholds): Finding[] {
  if (typeof answer !== 'string') throw new Error(`The answer must be a string; received ${shown(answer)}.`);
  const trimmed = answer.trim();
  const findings = asObject(parseJson(FENCE.exec(trimmed)?.[1] ?? trimmed))?.findings;
  if (!Array.isArray(findings)) throw new Error('The answer must be a JSON object with an array `findings`.');
  return findings.map((entry: unknown) => {
    const { quote, likelihood, tag } = asObject(entry) ?? {};
    if (typeof quote !== 'string') throw new Error('A finding in the answer needs a string `quote`.');
    return { quote, likelihood: readLikelihood(likelihood, thresholds), tag: readTag(tag) };
  });
}

/** The offsets of a quote, or none when it does not occur or occurs nearly everywhere. */
function offsetsOf(text: string, quote: string): number[] {
  const offsets: number[] = [];
  if (quote.trim() === '') return offsets;
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + quote.length)) {
    if (offsets.length === MAX_OCCURRENCES) return [];
    offsets.push(at);
  }
  return offsets;
}

function spansOf(text: string, { quote, likelihood, tag }: Finding): Span[] {
  // The model saw reserved tokens escaped, and may quote the escaped form.
  const original = recover(quote);
  const forms = original === quote ? [quote] : [quote, original];
  return forms.flatMap((form) =>
    offsetsOf(text, form).map((start) => ({ start, end: start + form.length, likelihood, tag })),
  );
}

/**
 * The spans of the findings in the text. A quote that does not occur is dropped. When none is left, the location of the findings
 * is unknown, so the whole text is marked.
 */
export function locate(text: string, findings: readonly Finding[]): Span[] {
  const claims = findings.filter(({ likelihood }) => likelihood !== 'none');
  const spans = claims.flatMap((finding) => spansOf(text, finding));
  if (spans.length > 0 || claims.length === 0) return spans;
  const rankOf = ({ likelihood }: Finding): number => LIKELIHOODS.indexOf(likelihood);
  const { likelihood, tag } = claims.reduce((top, claim) => (rankOf(claim) > rankOf(top) ? claim : top));
  return [{ start: 0, end: text.length, likelihood, tag }];
}
