import { ADDRESS_CLASS, CLASSES, classesOf, type Lexicon, type WordClass } from '../language/lexicon.ts';
import type { Segments } from '../language/segments.ts';
import {
  readTokens,
  SHAPE_CODE,
  SHAPE_DENSE,
  SHAPE_MAIL,
  SHAPE_NAME,
  SHAPE_NUMBER,
  SHAPE_URL,
  SHAPES,
  Tokens,
} from '../language/tokens.ts';

// Tokens of a segment, three features each, and the pairs of classes.
const MAX_FEATURES = 4000;
const CLASS_COUNT = CLASSES.length;

/** Numbers for the form of the segment, its position and its document. */
export const FORMS = 28;

/** The input of the model for every segment of one text. */
export interface Features {
  readonly count: number;
  /**
   * Words, pairs of words, stems and pairs of classes of segment i:
   * `hashes[offsets[i]]` up to `hashes[offsets[i + 1]]`.
   */
  readonly offsets: Int32Array;
  readonly hashes: Int32Array;
  /** Word classes of the segment, and of its first words, as bits. */
  readonly classes: Int32Array;
  readonly leads: Int32Array;
  /** The first two content words, after words such as "please", "then" and "you". NONE if a segment has none. */
  readonly heads: Int32Array;
  readonly forms: Float32Array;
}

function mix(one: number, other: number): number {
  let hash = Math.imul(one ^ 0x7feb352d, 0x846ca68b) ^ other;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

// Pairs of classes in the order they occur: "assistant ... send ... address" in any language.
const PAIR_HASHES: Int32Array = Int32Array.from({ length: CLASS_COUNT * CLASS_COUNT }, (_, pair) => mix(0x51ed, pair));

const tokens = new Tokens();
const seenPairs = new Uint8Array(CLASS_COUNT * CLASS_COUNT);

/** Collects features of one text at a time; its arrays grow and are used again. */
class Collector {
  hashes: Int32Array = new Int32Array(1 << 16);
  length = 0;

  room(): void {
    if (this.length + MAX_FEATURES <= this.hashes.length) return;
    const larger = new Int32Array(this.hashes.length * 2);
    larger.set(this.hashes);
    this.hashes = larger;
  }

  add(hash: number): void {
    this.hashes[this.length++] = hash;
  }
}

const collector = new Collector();

function addPairs(seen: number, added: number): void {
  for (let news = added; news !== 0; news &= news - 1) {
    const second = 31 - Math.clz32(news & -news);
    for (let olds = seen; olds !== 0; olds &= olds - 1) {
      const pair = (31 - Math.clz32(olds & -olds)) * CLASS_COUNT + second;
      if (seenPairs[pair] !== 0) continue;
      seenPairs[pair] = 1;
      collector.add(PAIR_HASHES[pair] as number);
    }
  }
}

const LEAD_TOKENS = 4;

export const NONE = 0;
const HEADS = 2;

// Classes of words that may precede the first content word.
const SKIPPED: number = ['polite', 'sequence', 'greeting', 'you', 'me', 'urgent', 'modal']
  .map((name) => 1 << CLASSES.indexOf(name as WordClass))
  .reduce((one, other) => one | other);

interface Words {
  classes: number;
  readonly heads: Int32Array;
  lead: number;
  shapes: number;
}

/** Adds the hashed features of the current tokens, and collects the classes and shapes in `found`. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over units, one pass; calls would double its time
function addWords(lexicon: Lexicon, found: Words): void {
  const { hashes, stems, shapes, count } = tokens;
  let seen = 0;
  let lead = 0;
  let shapeBits = 0;
  let previous = 0x1234567;
  let words = 0;
  let heads = 0;
  found.heads.fill(NONE);
  for (let i = 0; i < count; i++) {
    const hash = hashes[i] as number;
    const shape = shapes[i] as number;
    shapeBits |= 1 << shape;
    collector.add(hash);
    let classes = classesOf(lexicon, hash);
    if (shape === SHAPE_MAIL || shape === SHAPE_URL || shape === SHAPE_NAME) classes |= 1 << ADDRESS_CLASS;
    if (shape !== SHAPE_DENSE) {
      if (stems[i] !== 0) collector.add(stems[i] as number);
      collector.add(mix(previous, hash));
      previous = hash;
      words++;
    } else words += 0.5;
    if (
      heads < HEADS &&
      shape <= SHAPE_CODE &&
      shape !== SHAPE_NUMBER &&
      (heads > 0 || (classes & SKIPPED) === 0 || words > LEAD_TOKENS)
    )
      found.heads[heads++] = hash;
    if (classes !== 0) {
      addPairs(seen | classes, classes);
      seen |= classes;
      if (words <= LEAD_TOKENS) lead |= classes;
    }
  }
  found.classes = seen;
  found.lead = lead;
  found.shapes = shapeBits;
}

function lastOf(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  if (code === 63 || code === 0xff1f) return 0;
  if (code === 33 || code === 0xff01) return 1;
  if (code === 58 || code === 0xff1a) return 2;
  return code === 46 || code === 0x3002 ? 3 : 4;
}

/** Forms: 0-7 flags, 8-17 shapes, 18-21 ending, 22 capitals, 23 length, 24 shouting. */
function addForms(forms: Float32Array, at: number, flags: number, shapes: number, ending: number): void {
  for (let bit = 0; bit < 8; bit++) forms[at + bit] = (flags >> bit) & 1;
  for (let shape = 0; shape < SHAPES; shape++) forms[at + 8 + shape] = (shapes >> shape) & 1;
  if (ending < 4) forms[at + 18 + ending] = 1;
  forms[at + 22] = tokens.capitals / (tokens.letters + 1);
  forms[at + 23] = Math.min(1, tokens.count / 40);
  forms[at + 24] = Math.min(1, tokens.shouted / 3);
}

const counts = new Uint16Array(65_536);
const latest = new Int32Array(65_536);

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 16)) & 65_535;
}

/** Counts the segments in which each long word occurs. */
function countMarks(marks: Uint16Array, ends: Int32Array): void {
  for (let i = 0, at = 0; i < ends.length; i++)
    for (; at < (ends[i] as number); at++) {
      const row = marks[at] as number;
      // Once per segment: a sentence that repeats a word does not make it a topic of the page.
      if (latest[row] === i + 1) continue;
      latest[row] = i + 1;
      counts[row] = Math.min(65_535, (counts[row] as number) + 1);
    }
}

/**
 * Measures how many of a segment's long words also occur elsewhere in the text: an inserted instruction rarely shares
 * the page's topic. Forms 25-27: the share of long words that occur elsewhere, the number of long words, the share in
 * the whole text.
 */
function addCohesion(marks: Uint16Array, ends: Int32Array, forms: Float32Array): void {
  countMarks(marks, ends);
  const shares = new Float32Array(ends.length);
  let sum = 0;
  let words = 0;
  for (let i = 0, at = 0; i < ends.length; i++) {
    const from = at;
    let met = 0;
    for (; at < (ends[i] as number); at++) if ((counts[marks[at] as number] as number) > 1) met++;
    shares[i] = at === from ? 0.5 : met / (at - from);
    sum += met;
    words += at - from;
    forms[i * FORMS + 26] = Math.min(1, (at - from) / 10);
  }
  for (let i = 0; i < ends.length; i++) {
    forms[i * FORMS + 25] = shares[i] as number;
    forms[i * FORMS + 27] = words === 0 ? 0.5 : sum / words;
  }
  for (const row of marks) {
    counts[row] = 0;
    latest[row] = 0;
  }
}

/** The features of every segment. The hashes are a view of a shared buffer: use them before the next call. */
export function readFeatures(text: string, segments: Segments, lexicon: Lexicon): Features {
  const { count, starts, ends, flags } = segments;
  const offsets = new Int32Array(count + 1);
  const classes = new Int32Array(count);
  const leads = new Int32Array(count);
  const forms = new Float32Array(count * FORMS);
  const heads = new Int32Array(count * HEADS);
  const found: Words = { heads: new Int32Array(HEADS), classes: 0, lead: 0, shapes: 0 };
  collector.length = 0;
  let marks = new Uint16Array(1024);
  let marked = 0;
  const markEnds = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    collector.room();
    seenPairs.fill(0);
    readTokens(text, starts[i] as number, ends[i] as number, tokens);
    addWords(lexicon, found);
    classes[i] = found.classes;
    leads[i] = found.lead;
    heads.set(found.heads, i * HEADS);
    addForms(forms, i * FORMS, flags[i] as number, found.shapes, lastOf(text, ends[i] as number));
    offsets[i + 1] = collector.length;
    if (marked + tokens.count > marks.length) {
      const larger = new Uint16Array((marked + tokens.count) * 2);
      larger.set(marks);
      marks = larger;
    }
    for (let k = 0; k < tokens.count; k++)
      if (tokens.stems[k] !== 0) marks[marked++] = slotOf(tokens.stems[k] as number);
    markEnds[i] = marked;
  }
  addCohesion(marks.subarray(0, marked), markEnds, forms);
  return { count, offsets, hashes: collector.hashes.subarray(0, collector.length), classes, leads, heads, forms };
}
