import type { Span } from '@sallyport/core/stages';
import { highest } from '../base/span.ts';
import { likelihoodOf, type Thresholds } from '../base/threshold.ts';
import type { Encoding } from '../tokenizer/tokenizer.ts';
import type { Scored } from './label.ts';
import type { Range } from './window.ts';

/** A text with its tokens. */
export interface Reading extends Encoding {
  readonly text: string;
}

export interface Marking {
  readonly thresholds: Thresholds;
  /** Maximum number of unmarked tokens between two marked ones that are marked with them. */
  readonly bridge: number;
}

/** A span over tokens, or none below the lowest threshold. Blanks at its edges are left out. */
export function spanOf(reading: Reading, { from, to }: Range, { score, tag }: Scored, thresholds: Thresholds): Span[] {
  const likelihood = likelihoodOf(score, thresholds);
  if (likelihood === 'none') return [];
  const { text, offsets } = reading;
  let start = (offsets[from] as readonly [number, number])[0];
  let end = offsets.slice(from, to).reduce((most, [, last]) => Math.max(most, last), start);
  if (text.slice(start, end).trim() !== '') {
    end = start + text.slice(start, end).trimEnd().length;
    start = end - text.slice(start, end).trimStart().length;
  } else if (end === start) {
    // A token of no characters, as another tokenizer may give: its score applies to its neighbours.
    start = Math.max(0, start - 1);
    end = Math.min(text.length, end + 1);
  }
  return [{ start, end, likelihood, tag }];
}

/** Marked tokens, joined over short gaps. A run has the likelihood of its likeliest token. */
export function spansOfTokens(reading: Reading, scores: readonly Scored[], { thresholds, bridge }: Marking): Span[] {
  const spans: Span[] = [];
  let run: (Range & { peak: Scored }) | undefined;
  for (const [index, scored] of scores.entries()) {
    if (scored.score < thresholds.low) continue;
    if (run !== undefined && index - run.to <= bridge) {
      run = { from: run.from, to: index + 1, peak: scored.score > run.peak.score ? scored : run.peak };
      continue;
    }
    if (run !== undefined) spans.push(...spanOf(reading, run, run.peak, thresholds));
    run = { from: index, to: index + 1, peak: scored };
  }
  if (run !== undefined) spans.push(...spanOf(reading, run, run.peak, thresholds));
  return highest(spans);
}
