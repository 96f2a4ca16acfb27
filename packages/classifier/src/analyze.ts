import { readFeatures } from './feature.ts';
import { type Layer, originalSpan } from './layer.ts';
import { discount, isAboutAttacks, isQuoted } from './mention.ts';
import type { Model } from './model.ts';
import { applyRules } from './rule.ts';
import { score } from './score.ts';
import { type Segments, segment } from './segment.ts';
import { findRuns, type Reach } from './span.ts';
import type { Tag } from './tag.ts';
import { readView } from './view.ts';

/** A stretch of the original text that reads like an instruction to the model. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** Log odds of its strongest sentence, less what chance gives a text of this length. */
  readonly score: number;
  readonly tag: Tag;
  /** It was written in a disguise. */
  readonly decoded: boolean;
  /** It stands in quotation marks, a quotation or a code fence, in a text about attacks. */
  readonly mentioned: boolean;
}

export interface Analysis {
  readonly findings: readonly Finding[];
  /** The strongest sentence of all, whether or not it is a finding. */
  readonly highest: number;
  /** More was encoded than is decoded. */
  readonly exhausted: boolean;
}

interface Read {
  readonly findings: Finding[];
  readonly highest: number;
}

// Of many sentences some read oddly by chance: a long text needs more than a short one. Only up to a point, so that an
// attacker who pads a page with harmless text gains no more than a page of ordinary length gives.
const MOST_SEGMENTS = 64;

function chanceOf(segments: Segments): number {
  return Math.log(Math.min(segments.count, MOST_SEGMENTS) + 1);
}

interface Question {
  readonly model: Model;
  readonly threshold: number;
  readonly reach: Reach;
  readonly aboutAttacks: boolean;
}

function readLayer(layer: Layer, segments: Segments, { model, threshold, reach, aboutAttacks }: Question): Read {
  const features = readFeatures(layer.text, segments, model.lexicon);
  const { scores, tagOf } = score(model, segments, features);
  const decoded = layer.kind !== 'plain';
  applyRules(layer.text, segments, scores);
  if (aboutAttacks && !decoded) discount(scores, segments);
  const chance = chanceOf(segments);
  const findings = findRuns(scores, segments, threshold + chance, reach).map((run): Finding => {
    const from = segments.starts[run.first] as number;
    const to = segments.ends[run.last] as number;
    const flags = segments.flags[run.peak] as number;
    return {
      ...originalSpan(layer, from, to),
      score: run.score - chance,
      tag: decoded ? 'obfuscated' : tagOf(run.peak),
      decoded,
      mentioned: aboutAttacks && isQuoted(flags),
    };
  });
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of scores) if (value > highest) highest = value;
  return { findings, highest: highest - chance };
}

/** Reads a text in all its layers and finds what scores at or above the threshold. */
export function analyze(model: Model, text: string, threshold: number, reach: Reach): Analysis {
  const view = readView(text);
  const findings: Finding[] = [];
  const question = { model, threshold, reach, aboutAttacks: isAboutAttacks(text) };
  let highest = Number.NEGATIVE_INFINITY;
  for (const layer of view.layers) {
    const segments = segment(layer.text, layer.kind === 'plain' ? view.hidden : []);
    const read = readLayer(layer, segments, question);
    for (const finding of read.findings) findings.push(finding);
    highest = Math.max(highest, read.highest);
  }
  return { findings, highest, exhausted: view.exhausted };
}
