import { type Layer, type LayerKind, originalSpan, readView, type TextView } from '@sallyport/decode';
import { discount, isAboutAttacks, isQuoted } from '../language/about-attacks.ts';
import { isRequest, namesValue } from '../language/is-request.ts';
import { applyRules } from '../language/override-rule.ts';
import { type Segments, segment } from '../language/segments.ts';
import { asRead, unfold } from '../language/unfold.ts';
import { readFeatures } from '../model/features.ts';
import type { Model } from '../model/model.ts';
import { type Scores, score } from '../model/network.ts';
import type { Tag } from '../tag.ts';
import { findRuns, type Reach } from './findings.ts';
import { type Pooling, pool } from './pool-scores.ts';

/** A range of the original text that reads like an instruction to the model. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** Log odds of its strongest sentence, less the gain by chance in a text of this length, and more for a disguise. */
  readonly score: number;
  readonly tag: Tag;
  /** Set when it is in quotation marks, a quotation or a code fence, in a text about attacks. */
  readonly mentioned: boolean;
}

/** A range that requests an action. */
interface Request {
  readonly start: number;
  readonly end: number;
}

export interface Analysis {
  readonly findings: readonly Finding[];
  readonly requests: readonly Request[];
  /** The score of the strongest sentence, even if it is not a finding. */
  readonly highest: number;
  /** Set when the text contains more encodings than the budget decodes. */
  readonly exhausted: boolean;
}

// Log odds added to a disguised sentence: people do not write to each other in base64, and a decoded sentence lacks the
// surrounding text that would raise its score. A text in pieces over several fields is often harmless, and not
// disguised.
const DISGUISED = 4;
const UNDISGUISED: ReadonlySet<LayerKind> = new Set(['plain', 'joined']);

function worthOf(kind: LayerKind): number {
  return UNDISGUISED.has(kind) ? 0 : DISGUISED;
}

/** The numbers that were fitted on documents not used in training. */
export interface Tuning {
  readonly reach: Reach;
  readonly pooling: Pooling;
  /** The minimum log odds of a request. From there on its words decide. */
  readonly asks: number;
}

interface Question {
  readonly threshold: number;
  readonly tuning: Tuning;
  readonly aboutAttacks: boolean;
}

// The end of a sentence, with closing marks after it; also full-width, Devanagari and Arabic ones.
const ENDED = /[.!?\u3002\uff01\uff0e\uff1f\u0964\u06d4\u061f]["'\u201d\u00bb)\]]{0,2}$/;
// The key of a field, with the punctuation between it and the value before.
const KEY = /^[\s,{[}\]]*["'].{0,120}["']\s?:$/;
const DENSE_WORDS = /[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]{6}/;

/** Requires three words, or as much in a script without blanks: a name or a signature is shorter. */
function saysSomething(text: string): boolean {
  return DENSE_WORDS.test(text) || text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length >= 3;
}

/**
 * The neighbours of a segment in its own paragraph or value, which a request without a value refers to. A request that
 * is divided over two fields or paragraphs continues after the border if it has no end, and may have begun before it.
 */
function reachOf(text: string, { starts, ends, blocks, count }: Segments, at: number): readonly [number, number] {
  const textOf = (index: number): string =>
    index < 0 || index >= count ? '' : asRead(text.slice(starts[index], ends[index]));
  const neighbour = (step: 1 | -1): number => (KEY.test(textOf(at + step)) ? at + 2 * step : at + step);
  const isOpen = (index: number): boolean => !ENDED.test(textOf(index));
  const isWhole = namesValue(textOf(at));
  const isFirst = at === 0 || blocks[at - 1] !== blocks[at];
  const isLast = at + 1 === count || blocks[at + 1] !== blocks[at];
  const before = isFirst ? neighbour(-1) : at - 1;
  const after = isLast ? neighbour(1) : at + 1;
  const begunBefore = !isFirst || (isOpen(before) && saysSomething(textOf(before)));
  const goesOn = isLast ? isOpen(at) && saysSomething(textOf(after)) : !isWhole;
  return [begunBefore && !isWhole ? before : at, goesOn ? after : at];
}

const TAG = /<[a-z!/][^<>]{0,600}>/gi;
// A tag may contain an address to visit or to write to. Names of attributes and styles request no action.
const ADDRESS = /:\/\/|@|\bwww\.|\b(?:mailto|tel):/i;

/** The pieces of a range between its tags. A tag that contains an address is kept. */
function wordsAmongTags(text: string, start: number, end: number): readonly (readonly [number, number])[] {
  const pieces: (readonly [number, number])[] = [];
  let from = start;
  for (const { index, 0: tag } of text.slice(start, end).matchAll(TAG)) {
    if (ADDRESS.test(tag)) continue;
    if (start + index > from) pieces.push([from, start + index]);
    from = start + index + tag.length;
  }
  if (end > from) pieces.push([from, end]);
  return pieces;
}

function findRequests({ layer, text, segments, asks }: ScoredLayer, least: number): Request[] {
  const { starts, ends, count } = segments;
  const requests: Request[] = [];
  for (let i = 0; i < count; i++) {
    if ((asks[i] as number) < least || !isRequest(asRead(text.slice(starts[i], ends[i])))) continue;
    const [first, last] = reachOf(text, segments, i);
    for (const [from, to] of wordsAmongTags(text, starts[first] as number, ends[last] as number))
      requests.push(originalSpan(layer, from, to));
  }
  return requests;
}

/** The segments of one layer with their log odds. */
export interface ScoredLayer {
  readonly layer: Layer;
  /** The text of the layer, unfolded. */
  readonly text: string;
  readonly segments: Segments;
  readonly scores: Float32Array;
  /** Log odds that each segment requests an action. */
  readonly asks: Float32Array;
  readonly tagOf: Scores['tagOf'];
}

/** Scores every layer of a text: by the model, then by the rules, then with the discount for a text about attacks. */
export function scoreLayers(model: Model, view: TextView, aboutAttacks: boolean): ScoredLayer[] {
  return view.layers.map((layer) => {
    const text = unfold(layer.text);
    const segments = segment(text, layer.kind === 'plain' ? view.hidden : []);
    const features = readFeatures(text, segments, model.lexicon);
    const { scores, asks, tagOf } = score(model, segments, features);
    const shaped = applyRules(text, segments, features.classes, scores);
    if (aboutAttacks && layer.kind === 'plain') discount(scores, segments);
    return { layer, text, segments, scores, asks, tagOf: (at) => shaped.get(at) ?? tagOf(at) };
  });
}

/** The highest pooled score of any layer. */
export function highestOf(layers: readonly ScoredLayer[], pooling: Pooling): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (const { layer, segments, scores } of layers)
    for (const value of pool(scores, segments, pooling)) highest = Math.max(highest, value + worthOf(layer.kind));
  return highest;
}

function findingsIn(
  { layer, segments, scores, tagOf }: ScoredLayer,
  { threshold, tuning, aboutAttacks }: Question,
): Finding[] {
  const isPlain = layer.kind === 'plain';
  const gain = worthOf(layer.kind);
  const pooled = pool(scores, segments, tuning.pooling);
  return findRuns(scores, pooled, segments, threshold - gain, tuning.reach).map((run): Finding => {
    const from = segments.starts[run.first] as number;
    const to = segments.ends[run.last] as number;
    const flags = segments.flags[run.peak] as number;
    return {
      ...originalSpan(layer, from, to),
      score: run.score + gain,
      tag: isPlain ? tagOf(run.peak) : 'obfuscated',
      mentioned: aboutAttacks && isPlain && isQuoted(flags),
    };
  });
}

/** Reads a text in all its layers and finds the segments that score at or above the threshold. */
export function analyze(
  model: Model,
  text: string,
  threshold: number,
  tuning: Tuning,
  view: TextView = readView(text),
): Analysis {
  const aboutAttacks = isAboutAttacks(text);
  const layers = scoreLayers(model, view, aboutAttacks);
  const question = { threshold, tuning, aboutAttacks };
  return {
    findings: layers.flatMap((each) => findingsIn(each, question)),
    requests: layers.flatMap((each) => findRequests(each, tuning.asks)),
    highest: highestOf(layers, tuning.pooling),
    exhausted: view.exhausted,
  };
}
