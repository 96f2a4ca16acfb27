import { findSpans, type SpanFound } from '@sallyport/classifier';
import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';
import { type Plain, withoutNuls } from './decode.ts';
import { type FoundAcross, isReadAlone, Joined } from './joined.ts';
import { eachText, type FoundText, pointerTo } from './texts.ts';

/** A stretch of a file that reads like an instruction to a model. Lines and columns count from 1, in UTF-16 units. */
export interface Finding {
  readonly likelihood: Likelihood;
  readonly tag: string;
  readonly score: number;
  readonly path: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

/** So many characters around a finding are kept for whoever reads about it. */
export const AROUND = 60;

/** Finds lines by offset. */
class Lines {
  readonly #starts: readonly number[];

  constructor(content: string) {
    const starts = [0];
    for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  at(offset: number): { readonly line: number; readonly column: number } {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] as number) + 1 };
  }
}

/** A finding by its offsets. */
interface TrustRange {
  readonly start: number;
  readonly end: number;
  /** Behind the last string that it touches; where it stands in one string, its end. */
  readonly reach: number;
  readonly details: Pick<Finding, 'likelihood' | 'tag' | 'score' | 'path' | 'text' | 'before' | 'after'>;
}

function detailsOf(
  { start, end, likelihood, tag, score }: SpanFound,
  text: string,
  at: FoundText,
): TrustRange['details'] {
  return {
    ...{ likelihood, tag, score },
    path: at.place === undefined ? undefined : pointerTo(at.place),
    text: text.slice(start, end),
    before: text.slice(Math.max(0, start - AROUND), start),
    after: text.slice(end, end + AROUND),
  };
}

/** In a string with escapes, only the string itself can be named. */
function stretchIn(found: FoundText, span: SpanFound): TrustRange {
  const { text, place, start, end } = found;
  const details = detailsOf(span, text, found);
  const isEscaped = place !== undefined && end - start !== text.length + 2;
  if (isEscaped) return { start, end, reach: end, details };
  const base = place === undefined ? start : start + 1;
  return { start: base + span.start, end: base + span.end, reach: base + span.end, details };
}

/** Of what stands in several strings, the first one is named. */
function stretchAcross({ span, text, first, last }: FoundAcross): TrustRange {
  return { start: first.start, end: first.end, reach: last.end, details: detailsOf(span, text, first) };
}

function isAtLeast(likelihood: Likelihood, level: Likelihood): boolean {
  return LIKELIHOODS.indexOf(likelihood) >= LIKELIHOODS.indexOf(level);
}

/** Both, in their order, without those of the second that lie over something that was shown before. */
function added(shown: readonly TrustRange[], others: readonly TrustRange[]): TrustRange[] {
  // Where two begin at one place, the one that was shown comes first.
  const sorted = [
    ...shown.map((each) => ({ each, isShown: true })),
    ...others.map((each) => ({ each, isShown: false })),
  ].sort((one, other) => one.each.start - other.each.start || Number(other.isShown) - Number(one.isShown));
  const kept: TrustRange[] = [];
  let reach = 0;
  let nextShown = 0;
  for (const { each, isShown } of sorted) {
    if (isShown) nextShown++;
    const next = shown[nextShown];
    const isFree = each.start >= reach && (next === undefined || next.start >= each.reach);
    if (!isShown && !isFree) continue;
    kept.push(each);
    reach = Math.max(reach, each.reach);
  }
  return kept;
}

/** Everything that reads like an instruction in the strings one by one, and then in what they say together. */
async function stretchesIn(text: string, level: Likelihood): Promise<readonly TrustRange[]> {
  const readAlone: FoundText[] = [];
  // Names between the values make another text of them, and so do values between the names.
  const [all, names, values] = [new Joined(), new Joined(), new Joined()] as const;
  eachText(text, (found) => {
    if (isReadAlone(found)) readAlone.push(found);
    if (found.place === undefined) return;
    all.add(found);
    (found.isName ? names : values).add(found);
  });
  const shown: TrustRange[] = [];
  for (const found of readAlone)
    for (const span of await findSpans(found.text))
      if (isAtLeast(span.likelihood, level)) shown.push(stretchIn(found, span));
  let stretches: readonly TrustRange[] = shown;
  for (const joined of [all, names, values]) {
    const across = (await joined.read()).filter(({ span }) => isAtLeast(span.likelihood, level));
    if (across.length > 0) stretches = added(stretches, across.map(stretchAcross));
  }
  return stretches;
}

function placed({ start, end, details }: TrustRange, { originalOf }: Plain, lines: Lines): Finding {
  // A NUL behind the last character does not belong to it.
  const [first, last] = [lines.at(originalOf(start)), lines.at(originalOf(end - 1) + 1)];
  const { likelihood, tag, score, path, text, before, after } = details;
  return {
    ...{ likelihood, tag, score, path },
    ...{ line: first.line, column: first.column, endLine: last.line, endColumn: last.column },
    ...{ text, before, after },
  };
}

/** Everything in a file that reads like an instruction to a model, from a level on. */
export async function findingsIn(content: string, level: Likelihood): Promise<readonly Finding[]> {
  const plain = withoutNuls(content);
  const lines = new Lines(content);
  return (await stretchesIn(plain.text, level)).map((stretch) => placed(stretch, plain, lines));
}
