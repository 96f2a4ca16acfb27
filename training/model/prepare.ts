// Turns documents into training data: features per segment, and a label where the truth is known.

import { type Layer, originalSpan, readView } from '@sallyport/decode';
import { isRequest } from '../../packages/classifier/src/language/is-request.ts';
import type { Lexicon } from '../../packages/classifier/src/language/lexicon.ts';
import { type Segments, segment } from '../../packages/classifier/src/language/segments.ts';
import { unfold } from '../../packages/classifier/src/language/unfold.ts';
import { lookUp, type Rows, type Vocabulary } from '../../packages/classifier/src/model/feature-table.ts';
import { type Features, readFeatures } from '../../packages/classifier/src/model/features.ts';
import { POSITIONS } from '../../packages/classifier/src/model/layout.ts';
import { readPosition } from '../../packages/classifier/src/model/position.ts';
import { TAGS } from '../../packages/classifier/src/tag.ts';
import type { Document, LabelledSpan } from '../document.ts';

const UNKNOWN = -1;
const NO_HASHES = new Int32Array(0);

export interface Prepared {
  readonly document: Document;
  /** Segments are read without their neighbours, to measure what the neighbours contribute. */
  readonly alone?: boolean;
  readonly segments: Segments;
  readonly features: Features;
  readonly rows: Rows;
  readonly places: Float32Array;
  /** Per segment 1, 0 or UNKNOWN: whether it addresses the model, and whether it asks for something. */
  readonly labels: Int8Array;
  readonly asks: Int8Array;
  readonly tags: Int8Array;
  /** Original offsets of each segment. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

function overlap(start: number, end: number, spans: readonly LabelledSpan[]): number {
  let covered = 0;
  for (const span of spans) covered += Math.max(0, Math.min(end, span.end) - Math.max(start, span.start));
  return covered / Math.max(1, end - start);
}

function labelOf(document: Document, start: number, end: number): number {
  if (!document.injected) return 0;
  const whole = document.spans.filter(({ goal, ignored }) => !goal && !ignored);
  if (document.spans.length === 0) return UNKNOWN;
  if (
    overlap(
      start,
      end,
      document.spans.filter(({ ignored }) => ignored),
    ) > 0.2
  )
    return UNKNOWN;
  const share = overlap(start, end, whole);
  if (share >= 0.5) return document.claim === 'asks' ? UNKNOWN : 1;
  return share > 0.1 ? UNKNOWN : 0;
}

/** Bare requests are requests, whatever their words; elsewhere the request grammar says what asks. */
export function asksOf(document: Document, start: number, end: number, text: string): number {
  if (isRequest(text)) return 1;
  if (!document.injected) return 0;
  const bare = document.spans.filter(({ goal }) => goal || document.claim === 'asks');
  if (overlap(start, end, bare) >= 0.5)
    return bare.some((each) => each.start >= start - 2 && each.end <= end + 2) ? 1 : UNKNOWN;
  // Which sentences of an attack ask for something was not written down.
  return overlap(start, end, document.spans) > 0.1 ? UNKNOWN : 0;
}

function tagOf(document: Document, start: number, end: number): number {
  const span = document.spans.find((each) => each.start < end && each.end > start && each.tag !== undefined);
  return span === undefined ? -1 : TAGS.indexOf(span.tag as (typeof TAGS)[number]);
}

/** Labels, forms and known features of one document. */
export function prepare(document: Document, lexicon: Lexicon, vocabulary: Vocabulary): Prepared {
  const view = readView(document.text);
  const layer = view.layers[0] as Layer;
  const text = unfold(layer.text);
  const segments = segment(text, view.hidden);
  const read = readFeatures(text, segments, lexicon);
  const found = lookUp(vocabulary, read);
  const rows = { ...found, rows: found.rows.slice() };
  // Only what the network reads is kept, so that a hundred thousand documents fit into memory.
  const features = { ...read, hashes: NO_HASHES };
  const { count } = segments;
  const places = new Float32Array(count * POSITIONS);
  const labels = new Int8Array(count);
  const asks = new Int8Array(count);
  const tags = new Int8Array(count);
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    readPosition(i, segments, places, i * POSITIONS);
    const { start, end } = originalSpan(layer, segments.starts[i] as number, segments.ends[i] as number);
    starts[i] = start;
    ends[i] = end;
    labels[i] = labelOf(document, start, end);
    asks[i] = asksOf(document, start, end, text.slice(segments.starts[i], segments.ends[i]));
    tags[i] = overlap(start, end, document.spans) >= 0.5 ? tagOf(document, start, end) : -1;
  }
  return { document, segments, features, rows, places, labels, asks, tags, starts, ends };
}

/** Counts the features of a document, for the choice of known features. */
export function featuresOf(document: Document, lexicon: Lexicon): Features {
  const view = readView(document.text);
  const text = unfold((view.layers[0] as Layer).text);
  return readFeatures(text, segment(text, view.hidden), lexicon);
}
