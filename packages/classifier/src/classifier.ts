import type { ClassifierV1 } from '@sallyport/core';
import type { ClassifierResult, Likelihood } from '@sallyport/core/stages';
import type { TextView } from '@sallyport/core/text';
import { type Analysis, analyze, type Finding } from './finding/analyze.ts';
import { CALIBRATION } from './finding/calibration.ts';
import { levelOf } from './finding/likelihood.ts';
import { loadModel, type Model } from './model/model.ts';
import { WEIGHTS } from './model/weights.ts';
import type { Tag } from './tag.ts';

/** A finding with its level. `score` is a probability in the model's own view; the level is what is calibrated. */
export interface SpanFound {
  readonly start: number;
  readonly end: number;
  readonly likelihood: Likelihood;
  readonly tag: Tag;
  readonly score: number;
}

let model: Model | undefined;

/**
 * Verdicts are cached under the classifier's id. The digest names the weights; this is raised with every other change of
 * what is found: rules, view, levels.
 */
const REVISION = 3;

/** Decoded on first use, once: 1 MB of numbers is no business of somebody who only imports the package. */
function theModel(): Model {
  model ??= loadModel(WEIGHTS, CALIBRATION.digest);
  return model;
}

function probability(score: number): number {
  return Math.round(1000 / (1 + Math.exp(-score))) / 1000;
}

/** Leaves out what lies within a stronger finding of another layer; a decoded line is also read as it stands. */
function uncovered(findings: readonly Finding[]): Finding[] {
  const sorted = [...findings].sort((one, other) => one.start - other.start || other.end - one.end);
  const kept: Finding[] = [];
  for (const finding of sorted) {
    const before = kept.at(-1);
    if (before !== undefined && finding.end <= before.end && finding.score <= before.score) continue;
    kept.push(finding);
  }
  return kept;
}

/** Every stretch in which somebody asks for something, as a span without suspicion: what a gate wants to know. */
function requestsOf({ requests }: Analysis): SpanFound[] {
  return requests.map((request) => ({ ...request, likelihood: 'none', tag: 'request', score: 0 }));
}

function byPlace(one: SpanFound, other: SpanFound): number {
  return one.start - other.start || one.end - other.end;
}

function analysisOf(text: string, view?: TextView): Analysis {
  return analyze(theModel(), text, CALIBRATION.thresholds.low, CALIBRATION.reach, view);
}

function spansOf({ findings, exhausted }: Analysis, text: string): SpanFound[] {
  const found = uncovered(findings).map((finding): SpanFound => {
    const { start, end, tag, score } = finding;
    const likelihood = levelOf(finding, CALIBRATION.thresholds);
    return { start, end, likelihood, tag, score: probability(score) };
  });
  // What lies beyond the budget was not read: the whole text is marked rather than called clean.
  if (exhausted && text !== '')
    found.push({ start: 0, end: text.length, likelihood: 'low', tag: 'obfuscated', score: 0 });
  return found.sort(byPlace);
}

/** Every stretch of the text that reads like an instruction to the model, at original UTF-16 offsets, by start. */
export function findSpans(text: string): SpanFound[] {
  return spansOf(analysisOf(text), text);
}

/**
 * The built-in classifier: finds instructions aimed at the model in what an agent reads, and beside them, as spans of
 * likelihood `none`, every plain request. Pure computation, no I/O, linear time, the same answer everywhere. It misses attacks
 * and it flags harmless text, at rates that the README states; what an agent may do is decided by provenance, not by this.
 */
export const spanClassifier: ClassifierV1 = Object.freeze({
  specificationVersion: 'v1',
  id: `sallyport-spans-${REVISION}-${CALIBRATION.digest.slice(0, 12)}`,
  doClassify({ text, view }): ClassifierResult {
    const analysis = analysisOf(text, view?.());
    return { spans: [...spansOf(analysis, text), ...requestsOf(analysis)].sort(byPlace) };
  },
} satisfies ClassifierV1);
