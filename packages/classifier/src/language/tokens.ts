import { DENSE, DIGIT, JOINER, kindAt, LETTER, lowerOf, OTHER } from './character.ts';
import { DROPPED } from './unfold.ts';

/** The form of a token, apart from its letters. */
export const SHAPE_WORD = 0;
export const SHAPE_NUMBER = 1;
export const SHAPE_MAIL = 2;
export const SHAPE_URL = 3;
export const SHAPE_PATH = 4;
export const SHAPE_NAME = 5;
export const SHAPE_CODE = 6;
export const SHAPE_TAG = 7;
export const SHAPE_DENSE = 8;
/** Signs in a row, or a colon: borders, markup, chat templates. */
export const SHAPE_SIGNS = 9;
export const SHAPES = 10;

const OFFSET = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const STEM = 5;
const CHUNK_REACH = 200;
const MAX_TOKENS = 1000;

/** The tokens of one segment, as columns that are used again for the next. */
export class Tokens {
  count = 0;
  readonly hashes: Int32Array = new Int32Array(MAX_TOKENS);
  /** Hash of the first letters of a long word, 0 for a short one. */
  readonly stems: Int32Array = new Int32Array(MAX_TOKENS);
  readonly shapes: Uint8Array = new Uint8Array(MAX_TOKENS);
  /** Letters that were capitals. */
  capitals = 0;
  letters = 0;
  /** Words written in capitals alone, of three letters or more. */
  shouted = 0;

  add(hash: number, stem: number, shape: number): void {
    if (this.count === MAX_TOKENS) return;
    this.hashes[this.count] = hash;
    this.stems[this.count] = stem;
    this.shapes[this.count] = shape;
    this.count++;
  }
}

/** The tags of HTML pages. Any other name in angle brackets is read as a word. */
const HTML_TAGS: ReadonlySet<string> = new Set(
  (
    'a abbr address area article aside audio b base blockquote body br button canvas caption cite code col dd del details ' +
    'dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe ' +
    'img input ins kbd label legend li link main map mark meta nav noscript object ol optgroup option p param picture pre ' +
    'q s samp script section select small source span strong style sub summary sup svg table tbody td template textarea ' +
    'tfoot th thead time title tr track tt u ul var video wbr path g rect circle'
  ).split(' '),
);

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over units, one pass; calls would double its time
function shapeOfChunk(text: string, from: number, to: number): number {
  let at = -1;
  let dot = -1;
  let slashes = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === 64) at = i;
    else if (code === 46) dot = i;
    else if (code === 47 || code === 92) slashes++;
    else if (code === 58 && text.charCodeAt(i + 1) === 47 && text.charCodeAt(i + 2) === 47) return SHAPE_URL;
  }
  if (at > from && dot > at) return SHAPE_MAIL;
  if (at === from && to - from > 2) return SHAPE_NAME;
  if (text.startsWith('www.', from)) return SHAPE_URL;
  if (slashes > 1 || (slashes === 1 && (text.charCodeAt(from) === 47 || text.charCodeAt(from) === 126)))
    return SHAPE_PATH;
  return SHAPE_WORD;
}

const SHAPE_HASH: Int32Array = Int32Array.from({ length: SHAPES }, (_, shape) => Math.imul(shape + 77, 0x9e3779b1));

// The role of a unit in a run without blanks: its end, or a sign that it may be an address or a path.
const CHUNK_END = 1;
const CHUNK_MARK = 2;
const CHUNKS: Uint8Array = new Uint8Array(65_536).fill(CHUNK_END, 0, 33);
for (const sign of '"\'<>(),') CHUNKS[sign.charCodeAt(0)] = CHUNK_END;
for (const sign of '@/\\') CHUNKS[sign.charCodeAt(0)] = CHUNK_MARK;

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over units, one pass; calls would double its time
function readTag(text: string, from: number, to: number, tokens: Tokens): number {
  let at = from + 1;
  if (text.charCodeAt(at) === 47) at++;
  const start = at;
  while (at < to && at < start + 40) {
    const code = text.charCodeAt(at);
    const named = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
    if (!named && code !== 95 && code !== 45) break;
    at++;
  }
  if (at === start) return readSigns(text, from, to, tokens);
  if (!HTML_TAGS.has(text.slice(start, at).toLowerCase())) {
    tokens.add(SHAPE_HASH[SHAPE_TAG] as number, 0, SHAPE_TAG);
    return start;
  }
  for (let end = at; end < to && end < from + 600; end++) if (text.charCodeAt(end) === 62) return end + 1;
  return at;
}

function readDense(text: string, from: number, to: number, tokens: Tokens): number {
  let at = from;
  let one = 0;
  let two = 0;
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === DROPPED) continue;
    if (kindAt(code) !== DENSE) break;
    const hash = Math.imul(OFFSET ^ code, PRIME);
    tokens.add(hash, 0, SHAPE_DENSE);
    tokens.letters++;
    if (one !== 0) tokens.add(Math.imul(one ^ code, PRIME), 0, SHAPE_DENSE);
    if (two !== 0) tokens.add(Math.imul(two ^ code, PRIME), 0, SHAPE_DENSE);
    two = one === 0 ? 0 : Math.imul(one ^ code, PRIME);
    one = hash;
  }
  return at;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over units, one pass; calls would double its time
function readWord(text: string, from: number, to: number, tokens: Tokens): number {
  let hash = OFFSET;
  let stem = 0;
  let length = 0;
  let capitals = 0;
  let digits = 0;
  let inner = 0;
  let wasSmall = false;
  let at = from;
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    const kind = kindAt(code);
    if (kind === LETTER || kind === JOINER) {
      const small = lowerOf(code);
      if (small !== code && wasSmall) {
        // Each part of a name such as sendMoney is a word.
        inner = 2;
        tokens.add(hash, length > STEM ? stem : 0, SHAPE_CODE);
        tokens.letters += length;
        tokens.capitals += capitals;
        hash = OFFSET;
        stem = 0;
        length = 0;
        capitals = 0;
      }
      wasSmall = small === code && kind === LETTER;
      if (small !== code) capitals++;
      hash = Math.imul(hash ^ small, PRIME);
      length++;
      if (length === STEM) stem = hash ^ 0x5bd1e995;
    } else if (code === DROPPED) {
      // A unit that unfold() dropped is not there.
    } else if (kind === DIGIT) {
      if (digits === 0) hash = Math.imul(hash ^ 48, PRIME);
      digits++;
    } else if (code === 95 && length > 0) {
      inner = 2;
      // Each part of a name such as send_money is a word.
      tokens.add(hash, stem, SHAPE_CODE);
      tokens.letters += length;
      wasSmall = false;
      hash = OFFSET;
      stem = 0;
      length = 0;
    } else if (code === 39 && length > 0 && kindAt(text.charCodeAt(at + 1)) === LETTER) {
      hash = Math.imul(hash ^ 39, PRIME);
    } else {
      break;
    }
  }
  if (length === 0 && digits === 0) return inner === 2 ? at : from + 1;
  tokens.letters += length;
  tokens.capitals += capitals;
  if (capitals > 2 && capitals === length) tokens.shouted++;
  if (length === 0) tokens.add(SHAPE_HASH[SHAPE_NUMBER] as number, 0, SHAPE_NUMBER);
  else tokens.add(hash, length > STEM ? stem : 0, inner === 2 ? SHAPE_CODE : SHAPE_WORD);
  return at;
}

/** Two or more adjacent signs; a sign that repeats counts twice at most. */
function readSigns(text: string, from: number, to: number, tokens: Tokens): number {
  let hash = OFFSET;
  let at = from;
  let kept = 0;
  let run = 0;
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code > 126 || kindAt(code) !== OTHER) break;
    run = at > from && text.charCodeAt(at - 1) === code ? run + 1 : 1;
    if (run > 2 || kept === 4) continue;
    hash = Math.imul(hash ^ code, PRIME);
    kept++;
  }
  if (kept > 1 || text.charCodeAt(from) === 58) tokens.add(hash, 0, SHAPE_SIGNS);
  return Math.max(at, from + 1);
}

/** Reads the tokens of `text` from `from` to `to`. One pass; each unit is read a fixed number of times. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a hot loop over units, one pass; calls would double its time
export function readTokens(text: string, from: number, to: number, tokens: Tokens): void {
  tokens.count = 0;
  tokens.capitals = 0;
  tokens.letters = 0;
  tokens.shouted = 0;
  let at = from;
  let chunkEnd = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (at >= chunkEnd && code > 32) {
      // A run without blanks is examined once as a whole: addresses and paths are one token.
      let marks = 0;
      const limit = Math.min(to, at + CHUNK_REACH);
      for (chunkEnd = at; chunkEnd < limit; chunkEnd++) {
        const each = text.charCodeAt(chunkEnd);
        // Scripts without blanks: the words before an address are not part of it.
        if (CHUNKS[each] === CHUNK_END || (each >= 0x0e00 && kindAt(each) === DENSE)) break;
        marks |= CHUNKS[each] as number;
      }
      const shape = marks === 0 ? SHAPE_WORD : shapeOfChunk(text, at, chunkEnd);
      if (shape !== SHAPE_WORD) {
        tokens.add(SHAPE_HASH[shape] as number, 0, shape);
        // The words of a path or a name are read too, since joining a sentence with slashes must not hide it.
        if (shape === SHAPE_MAIL || shape === SHAPE_URL) {
          at = chunkEnd;
          continue;
        }
      }
      chunkEnd = Math.max(chunkEnd, at + 1);
    }
    const kind = kindAt(code);
    if (kind === LETTER || kind === DIGIT) at = readWord(text, at, to, tokens);
    else if (kind === DENSE) at = readDense(text, at, to, tokens);
    else if (code === 60) at = readTag(text, at, to, tokens);
    else at = kind === OTHER ? readSigns(text, at, to, tokens) : at + 1;
  }
}
