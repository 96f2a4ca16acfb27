import { type Layer, type LayerKind, originalSpan, readView, type TextView } from '@sallyport/core/text';
import { discount, isAboutAttacks, isQuoted } from '../language/about-attacks.ts';
import { isRequest, namesValue } from '../language/is-request.ts';
import { applyRules } from '../language/override-rule.ts';
import { type Segments, segment } from '../language/segments.ts';
import { readFeatures } from '../model/features.ts';
import type { Model } from '../model/model.ts';
import { score } from '../model/network.ts';
import type { Tag } from '../tag.ts';
import { findRuns, type Reach } from './findings.ts';

/** A range of the original text that reads like an instruction to the model. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** Log odds of its strongest sentence, less what chance gives a text of this length, and more for a disguise. */
  readonly score: number;
  readonly tag: Tag;
  /** Whether it is in quotation marks, a quotation or a code fence, in a text about attacks. */
  readonly mentioned: boolean;
}

/** A range that asks for something to be done. */
interface Request {
  readonly start: number;
  readonly end: number;
}

export interface Analysis {
  readonly findings: readonly Finding[];
  readonly requests: readonly Request[];
  /** The strongest sentence of all, whether or not it is a finding. */
  readonly highest: number;
  /** More was encoded than is decoded. */
  readonly exhausted: boolean;
}

interface Read {
  readonly findings: Finding[];
  readonly requests: Request[];
  readonly highest: number;
}

// Of many sentences some read oddly by chance: a long text needs more than a short one. Only up to a point, so that an
// attacker who pads a page with harmless text gains no more than a page of ordinary length gives. The factor makes attacks
// in texts of every length equally likely to be found.
const MAX_SEGMENTS = 64;
const BY_CHANCE = 0.75;

function chanceOf({ count }: Segments): number {
  return BY_CHANCE * Math.log(Math.min(count, MAX_SEGMENTS) + 1);
}

// Log odds added to a disguised sentence: people do not write to each other in base64, and a decoded sentence lacks the
// surrounding text that would raise its score. A value in pieces over several fields is often harmless.
const DISGUISED = 4;
const JOINED = 2;

function worthOf(kind: LayerKind): number {
  if (kind === 'plain') return 0;
  return kind === 'joined' ? JOINED : DISGUISED;
}

interface Question {
  readonly model: Model;
  readonly threshold: number;
  readonly reach: Reach;
  readonly aboutAttacks: boolean;
}

// The end of a sentence, with closing marks after it; also full-width, Devanagari and Arabic ones.
const ENDED = /[.!?\u3002\uff01\uff0e\uff1f\u0964\u06d4\u061f]["'\u201d\u00bb)\]]{0,2}$/;
// The key of a field, with the punctuation between it and the value before.
const KEY = /^[\s,{[}\]]*["'].{0,120}["']\s?:$/;
const DENSE_WORDS = /[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]{6}/;

/** Three words, or as much in a script without blanks: a name or a signature is shorter. */
function saysSomething(text: string): boolean {
  return DENSE_WORDS.test(text) || text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length >= 3;
}

/**
 * The neighbours of a segment in its own paragraph or value: a request that names no value refers to them. A request that is
 * divided over two fields or paragraphs continues after the border if it has no end, and may have begun before it.
 */
function reachOf({ text }: Layer, { starts, ends, blocks, count }: Segments, at: number): readonly [number, number] {
  const textOf = (index: number): string => (index < 0 || index >= count ? '' : text.slice(starts[index], ends[index]));
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
// A tag may hold an address to visit or to write to; names of attributes and styles ask for nothing.
const ADDRESS = /:\/\/|@|\bwww\.|\b(?:mailto|tel):/i;

/** The pieces of a range between its tags. A tag that holds an address is kept. */
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

function findRequests(layer: Layer, segments: Segments): Request[] {
  const { starts, ends, count } = segments;
  const requests: Request[] = [];
  for (let i = 0; i < count; i++) {
    if (!isRequest(layer.text.slice(starts[i], ends[i]))) continue;
    const [first, last] = reachOf(layer, segments, i);
    for (const [from, to] of wordsAmongTags(layer.text, starts[first] as number, ends[last] as number))
      requests.push(originalSpan(layer, from, to));
  }
  return requests;
}

function readLayer(layer: Layer, segments: Segments, { model, threshold, reach, aboutAttacks }: Question): Read {
  const features = readFeatures(layer.text, segments, model.lexicon);
  const { scores, tagOf } = score(model, segments, features);
  const decoded = layer.kind !== 'plain';
  applyRules(layer.text, segments, features.classes, scores);
  if (aboutAttacks && !decoded) discount(scores, segments);
  const gain = worthOf(layer.kind) - chanceOf(segments);
  const findings = findRuns(scores, segments, threshold - gain, reach).map((run): Finding => {
    const from = segments.starts[run.first] as number;
    const to = segments.ends[run.last] as number;
    const flags = segments.flags[run.peak] as number;
    return {
      ...originalSpan(layer, from, to),
      score: run.score + gain,
      tag: decoded ? 'obfuscated' : tagOf(run.peak),
      mentioned: aboutAttacks && !decoded && isQuoted(flags),
    };
  });
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of scores) if (value > highest) highest = value;
  return { findings, requests: findRequests(layer, segments), highest: highest + gain };
}

/** Reads a text in all its layers and finds what scores at or above the threshold. */
export function analyze(
  model: Model,
  text: string,
  threshold: number,
  reach: Reach,
  view: TextView = readView(text),
): Analysis {
  const findings: Finding[] = [];
  const requests: Request[] = [];
  const question = { model, threshold, reach, aboutAttacks: isAboutAttacks(text) };
  let highest = Number.NEGATIVE_INFINITY;
  for (const layer of view.layers) {
    const segments = segment(layer.text, layer.kind === 'plain' ? view.hidden : []);
    const read = readLayer(layer, segments, question);
    for (const finding of read.findings) findings.push(finding);
    for (const request of read.requests) requests.push(request);
    highest = Math.max(highest, read.highest);
  }
  return { findings, requests, highest, exhausted: view.exhausted };
}
