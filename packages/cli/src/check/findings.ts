import { findSpans } from '@sallyport/classifier';
import { LIKELIHOODS, type Likelihood } from '@sallyport/core';
import { type FoundText, textsOf } from './texts.ts';

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

/** Where a stretch of a text stands in the file. In a string with escapes, only the string itself can be named. */
function placeOf({ text, path, start, end }: FoundText, from: number, to: number): readonly [number, number] {
  if (path === undefined) return [start + from, start + to];
  return end - start === text.length + 2 ? [start + 1 + from, start + 1 + to] : [start, end];
}

function isAtLeast(likelihood: Likelihood, level: Likelihood): boolean {
  return LIKELIHOODS.indexOf(likelihood) >= LIKELIHOODS.indexOf(level);
}

/** Everything in a file that reads like an instruction to a model, from a level on. */
export function findingsIn(content: string, level: Likelihood): readonly Finding[] {
  const lines = new Lines(content);
  return textsOf(content).flatMap((found) =>
    findSpans(found.text)
      .filter(({ likelihood }) => isAtLeast(likelihood, level))
      .map(({ start, end, likelihood, tag, score }): Finding => {
        const [from, to] = placeOf(found, start, end);
        const [first, last] = [lines.at(from), lines.at(to)];
        return {
          ...{ likelihood, tag, score, path: found.path },
          ...{ line: first.line, column: first.column, endLine: last.line, endColumn: last.column },
          text: found.text.slice(start, end),
          before: found.text.slice(Math.max(0, start - AROUND), start),
          after: found.text.slice(end, end + AROUND),
        };
      }),
  );
}
