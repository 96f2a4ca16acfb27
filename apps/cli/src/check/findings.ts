import type { SpanFound } from '@sallyport/classifier';
import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';
import { type NulFreeText, withoutNuls } from './decode.ts';
import { type FoundAcross, isReadAlone, Joined } from './joined.ts';
import { findInParts } from './parts.ts';
import { hasDeclarationsOnly, hasProse } from './prose.ts';
import { eachText, type FoundText, pointerTo } from './texts.ts';

/** A passage of a file that reads like an instruction to a model. Lines and columns count from 1, in UTF-16 units. */
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

/** Characters of context kept on each side of a finding. */
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

/** A finding with its offsets in the file. */
interface FoundRange {
  readonly start: number;
  readonly end: number;
  /** The end of the last string it touches; equal to `end` if it is within one string. */
  readonly reach: number;
  readonly details: Pick<Finding, 'likelihood' | 'tag' | 'score' | 'path' | 'text' | 'before' | 'after'>;
}

function detailsOf(
  { start, end, likelihood, tag, score }: SpanFound,
  text: string,
  at: FoundText,
): FoundRange['details'] {
  return {
    ...{ likelihood, tag, score },
    path: at.place === undefined ? undefined : pointerTo(at.place),
    text: text.slice(start, end),
    before: text.slice(Math.max(0, start - AROUND), start),
    after: text.slice(end, end + AROUND),
  };
}

/** In a string with escapes, offsets do not map to the file: the range is the whole string. */
function rangeInString(found: FoundText, span: SpanFound): FoundRange {
  const { text, place, start, end } = found;
  const details = detailsOf(span, text, found);
  const isEscaped = place !== undefined && end - start !== text.length + 2;
  if (isEscaped) return { start, end, reach: end, details };
  const base = place === undefined ? start : start + 1;
  return { start: base + span.start, end: base + span.end, reach: base + span.end, details };
}

/** A finding across several strings is located at the first of them. */
function rangeAcrossStrings({ span, text, first, last }: FoundAcross): FoundRange {
  return { start: first.start, end: first.end, reach: last.end, details: detailsOf(span, text, first) };
}

function isAtLeast(likelihood: Likelihood, level: Likelihood): boolean {
  return LIKELIHOODS.indexOf(likelihood) >= LIKELIHOODS.indexOf(level);
}

/** Merges both lists in file order, without those of `others` that overlap a finding already in the list. */
function withoutOverlaps(known: readonly FoundRange[], others: readonly FoundRange[]): FoundRange[] {
  // If two start at the same position, the known one comes first.
  const sorted = [
    ...known.map((each) => ({ each, isKnown: true })),
    ...others.map((each) => ({ each, isKnown: false })),
  ].sort((one, other) => one.each.start - other.each.start || Number(other.isKnown) - Number(one.isKnown));
  const kept: FoundRange[] = [];
  let reach = 0;
  let nextKnown = 0;
  for (const { each, isKnown } of sorted) {
    if (isKnown) nextKnown++;
    const next = known[nextKnown];
    const isFree = each.start >= reach && (next === undefined || next.start >= each.reach);
    if (!isKnown && !isFree) continue;
    kept.push(each);
    reach = Math.max(reach, each.reach);
  }
  return kept;
}

/** Everything that reads like an instruction, in the strings one by one and then in the joined strings. */
async function rangesIn(text: string, level: Likelihood): Promise<readonly FoundRange[]> {
  const readAlone: FoundText[] = [];
  // An instruction may be spread over names and values, over names only, or over values only.
  const [all, names, values] = [new Joined(), new Joined(), new Joined()] as const;
  eachText(text, (found) => {
    if (isReadAlone(found)) readAlone.push(found);
    if (found.place === undefined) return;
    all.add(found);
    (found.isName ? names : values).add(found);
  });
  const inStrings: FoundRange[] = [];
  for (const found of readAlone)
    for (const span of await findInParts(found.text))
      if (isAtLeast(span.likelihood, level)) inStrings.push(rangeInString(found, span));
  let ranges: readonly FoundRange[] = inStrings;
  for (const joined of [all, names, values]) {
    const across = (await joined.read()).filter(({ span }) => isAtLeast(span.likelihood, level));
    if (across.length > 0) ranges = withoutOverlaps(ranges, across.map(rangeAcrossStrings));
  }
  return ranges;
}

function findingOf({ start, end, details }: FoundRange, { originalOf }: NulFreeText, lines: Lines): Finding {
  // A NUL after the last character is not part of the finding.
  const [first, last] = [lines.at(originalOf(start)), lines.at(originalOf(end - 1) + 1)];
  const { likelihood, tag, score, path, text, before, after } = details;
  return {
    ...{ likelihood, tag, score, path },
    ...{ line: first.line, column: first.column, endLine: last.line, endColumn: last.column },
    ...{ text, before, after },
  };
}

/** Everything in a file that reads like an instruction to a model, at `level` or above. */
export async function findingsIn(content: string, level: Likelihood, file = ''): Promise<readonly Finding[]> {
  const nulFree = withoutNuls(content);
  const lines = new Lines(content);
  const ranges = await rangesIn(nulFree.text, level);
  const isFiltered = hasDeclarationsOnly(file);
  return ranges
    .filter(({ details: { tag, text } }) => !isFiltered || tag === 'obfuscated' || hasProse(text))
    .map((range) => findingOf(range, nulFree, lines));
}
