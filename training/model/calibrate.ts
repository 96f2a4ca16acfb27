// Sets levels at fixed rates of false alarms on held-back benign documents, and measures spans and tags there.
import { type Analysis, analyze } from '../../packages/classifier/src/finding/analyze.ts';
import type { Reach } from '../../packages/classifier/src/finding/findings.ts';
import type { Model } from '../../packages/classifier/src/model/model.ts';
import { TAGS } from '../../packages/classifier/src/tag.ts';
import type { Document, LabelledSpan } from '../document.ts';
import { thresholdFor } from './measure.ts';

const RATES = { low: 0.05, medium: 0.01, high: 0.001 } as const;

export function calibrate(highest: readonly number[]): { low: number; medium: number; high: number } {
  const at = (rate: number): number => Math.ceil(thresholdFor(highest, rate) * 1000) / 1000;
  return { low: at(RATES.low), medium: at(RATES.medium), high: at(RATES.high) };
}

function mark(length: number, spans: readonly { readonly start: number; readonly end: number }[]): Uint8Array {
  const marked = new Uint8Array(length);
  for (const { start, end } of spans) marked.fill(1, start, end);
  return marked;
}

/** Intersection over union, and share of the truth that was found, in characters. */
export function overlapOf(
  text: string,
  found: Analysis['findings'],
  truth: readonly LabelledSpan[],
): { iou: number; recall: number } {
  const one = mark(text.length, found);
  const other = mark(text.length, truth);
  let both = 0;
  let either = 0;
  let wanted = 0;
  for (let i = 0; i < text.length; i++) {
    both += (one[i] as number) & (other[i] as number);
    either += (one[i] as number) | (other[i] as number);
    wanted += other[i] as number;
  }
  return { iou: either === 0 ? 0 : both / either, recall: wanted === 0 ? 0 : both / wanted };
}

export interface SpanFigures {
  readonly documents: number;
  readonly iou: number;
  readonly spanRecall: number;
  readonly goalRecall: number;
}

/** Span figures over the injected documents with known spans; a missed document counts as 0. */
export function measureSpans(
  model: Model,
  documents: readonly Document[],
  threshold: number,
  reach: Reach,
): SpanFigures {
  let [count, iou, recall, goals, goalRecall] = [0, 0, 0, 0, 0];
  for (const { text, injected, spans } of documents) {
    const truth = spans.filter(({ goal, ignored }) => !goal && !ignored);
    if (!injected || truth.length === 0) continue;
    const { findings } = analyze(model, text, threshold, reach);
    const overlap = overlapOf(text, findings, truth);
    count++;
    iou += overlap.iou;
    recall += overlap.recall;
    const goal = spans.filter((span) => span.goal);
    if (goal.length > 0) {
      goals++;
      goalRecall += overlapOf(text, findings, goal).recall;
    }
  }
  return {
    documents: count,
    iou: iou / count,
    spanRecall: recall / count,
    goalRecall: goals === 0 ? Number.NaN : goalRecall / goals,
  };
}

/** The confusion matrix of the tags. */
export function tagTable(
  model: Model,
  documents: readonly Document[],
  threshold: number,
  reach: Reach,
): Record<string, Record<string, number>> {
  const table: Record<string, Record<string, number>> = {};
  for (const { text, spans } of documents) {
    const truth = spans[0]?.tag;
    if (truth === undefined || !TAGS.includes(truth as (typeof TAGS)[number])) continue;
    table[truth] ??= {};
    const row = table[truth];
    for (const { tag } of analyze(model, text, threshold, reach).findings) row[tag] = (row[tag] ?? 0) + 1;
  }
  return table;
}
