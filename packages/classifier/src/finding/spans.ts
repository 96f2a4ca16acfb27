import type { Likelihood } from '@sallyport/core/stages';
import type { TextView } from '@sallyport/decode';
import type { Model } from '../model/model.ts';
import type { Tag } from '../tag.ts';
import { type Analysis, analyze, type Finding } from './analyze.ts';
import { CALIBRATION } from './calibration.ts';
import { levelOf } from './likelihood.ts';

/**
 * A range of a text that reads like an instruction to the model, in UTF-16 offsets; `end` is exclusive. `likelihood` is
 * calibrated on documents that the model was not trained on; `score` is the model's own probability, which is not.
 *
 * @example
 * ```ts
 * const spans: SpanFound[] = await findSpans(mail);
 * const likely = spans.filter(({ likelihood }) => likelihood === 'high');
 * ```
 */
export interface SpanFound {
  readonly start: number;
  readonly end: number;
  readonly likelihood: Likelihood;
  readonly tag: Tag;
  readonly score: number;
  /** Set when it also requests an action. @default false */
  readonly asks?: boolean;
}

function probability(score: number): number {
  return Math.round(1000 / (1 + Math.exp(-score))) / 1000;
}

/**
 * Drops a finding that lies within a stronger one of another layer: a decoded line is also found in its encoded form.
 */
function dropCovered(findings: readonly Finding[]): Finding[] {
  const sorted = [...findings].sort((one, other) => one.start - other.start || other.end - one.end);
  const kept: Finding[] = [];
  for (const finding of sorted) {
    const before = kept.at(-1);
    if (before !== undefined && finding.end <= before.end && finding.score <= before.score) continue;
    kept.push(finding);
  }
  return kept;
}

function byOffset(one: SpanFound, other: SpanFound): number {
  return one.start - other.start || one.end - other.end;
}

function analysisOf(model: Model, text: string, view?: TextView): Analysis {
  return analyze(model, text, CALIBRATION.thresholds.low, CALIBRATION, view);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns a function for the furthest end of all ranges that begin before a position; 0 if there are none. Logarithmic
 * time.
 */
function reachOf(ranges: readonly Range[]): (before: number) => number {
  const sorted = [...ranges].sort((one, other) => one.start - other.start);
  let furthest = 0;
  const reach = sorted.map(({ end }) => {
    furthest = Math.max(furthest, end);
    return furthest;
  });
  return (before) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as Range).start < before) low = middle + 1;
      else high = middle;
    }
    return reach[low - 1] ?? 0;
  };
}

function spansOf({ findings, requests, exhausted }: Analysis, text: string): SpanFound[] {
  const reach = reachOf(requests);
  const spans = dropCovered(findings).map((finding): SpanFound => {
    const { start, end, tag, score } = finding;
    const likelihood = levelOf(finding, CALIBRATION.thresholds);
    const asks = reach(end) > start;
    return { start, end, likelihood, tag, score: probability(score), ...(asks && { asks }) };
  });
  // The part beyond the decoding budget was not read: the whole text is marked rather than called clean.
  if (exhausted && text !== '')
    spans.push({ start: 0, end: text.length, likelihood: 'low', tag: 'obfuscated', score: 0 });
  return spans.sort(byOffset);
}

/** The ranges of a text that read like an instruction to the model, sorted by start. */
export function readSpans(model: Model, text: string): SpanFound[] {
  return spansOf(analysisOf(model, text), text);
}

/**
 * Like `readSpans`, and adds every other request as a span of likelihood `none`, which the gate needs for its question.
 */
export function readSpansAndRequests(model: Model, text: string, view?: TextView): SpanFound[] {
  const analysis = analysisOf(model, text, view);
  const spans = spansOf(analysis, text);
  const reach = reachOf(spans);
  const requests = analysis.requests
    .filter(({ start, end }) => reach(start + 1) < end)
    .map((request): SpanFound => ({ ...request, likelihood: 'none', tag: 'request', score: 0, asks: true }));
  return [...spans, ...requests].sort(byOffset);
}
