import { utf8ToBytes } from '@noble/hashes/utils.js';
import { pointAt } from '../base/code-point.ts';
import { digestText } from '../base/digest.ts';
import { checkOptionNames, SallyportError } from '../base/errors.ts';
import { type Media, mediaOf, type Part, surfaceOf } from './part.ts';
import { Recorded } from './record.ts';

export interface LimitOptions {
  /** UTF-8 bytes of text shown per record, over all its parts. @default 100000 */
  readonly maxBytes?: number;
  /** What of a longer text is kept. @default 'head' */
  readonly keep?: 'head' | 'head-and-tail';
  /** Base64 characters of media handed on per part; more is withheld. @default 8000000 */
  readonly maxMediaLength?: number;
}

/** What is missing of a part, said outside its content. */
export interface Cut {
  readonly totalBytes: number;
  readonly shownBytes: number;
  /** Where in the shown text the gap lies: its end for `head`, between the pieces for `head-and-tail`. */
  readonly at: number;
}

export interface LimitedPart {
  readonly part: Part;
  /** What is classified and what is sent: the same text. */
  readonly text: string;
  readonly digest: string;
  readonly cut: Cut | undefined;
  readonly media: Media | undefined;
  readonly mediaWithheld: boolean;
}

export class Limited {
  readonly #made = true;
  readonly type = 'limited';
  readonly recorded: Recorded;
  readonly parts: readonly LimitedPart[];

  constructor(recorded: Recorded, parts: readonly LimitedPart[]) {
    this.recorded = recorded;
    this.parts = Object.freeze(parts);
    Object.freeze(this);
  }

  static is(value: unknown): value is Limited {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

function bytesAt(text: string, index: number): { units: number; bytes: number } {
  const point = pointAt(text, index);
  if (point < 0x80) return { units: 1, bytes: 1 };
  if (point < 0x800) return { units: 1, bytes: 2 };
  return point < 0x10000 ? { units: 1, bytes: 3 } : { units: 2, bytes: 4 };
}

/** The longest prefix of at most `budget` bytes that ends on a code point. */
function headEnd(text: string, budget: number): number {
  let index = 0;
  for (let left = budget; index < text.length; ) {
    const { units, bytes } = bytesAt(text, index);
    if (bytes > left) break;
    left -= bytes;
    index += units;
  }
  return index;
}

/** Where the longest suffix of at most `budget` bytes that begins on a code point begins. */
function tailStart(text: string, budget: number): number {
  let index = text.length;
  for (let left = budget; index > 0; ) {
    const low = text.charCodeAt(index - 1);
    const high = index > 1 ? text.charCodeAt(index - 2) : 0;
    const paired = (low & 0xfc00) === 0xdc00 && (high & 0xfc00) === 0xd800;
    const start = paired ? index - 2 : index - 1;
    const { bytes } = bytesAt(text, start);
    if (bytes > left) break;
    left -= bytes;
    index = start;
  }
  return index;
}

const BACKSLASH = 92;
/** How far around a cut is looked for an escape that it would split. */
export const WINDOW = 16;
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|[\ud800-\udbff][\udc00-\udfff]|[^u])|&#?\w{1,10};/gs;

/** The escape or entity that `index` would cut in two: half of one reads as something else. */
function escapeAround(text: string, index: number): { start: number; end: number } | undefined {
  let from = Math.max(0, index - WINDOW);
  // Of a run of backslashes every second one escapes: start where the run does.
  while (from > 0 && text.charCodeAt(from - 1) === BACKSLASH) from--;
  for (const match of text.slice(from, index + WINDOW).matchAll(ESCAPE)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (start < index && index < end) return { start, end };
  }
  return undefined;
}

/**
 * Whether a backslash escapes depends on how many stand before it, and of a stream the beginning of a long run is gone:
 * a tail begins behind the whole run and the character after it.
 */
function behindBackslashes(text: string, index: number): number {
  if (text.charCodeAt(index - 1) !== BACKSLASH) return index;
  let end = index;
  while (text.charCodeAt(end) === BACKSLASH) end++;
  const escaped = pointAt(text, end) > 0xffff ? 2 : 1;
  return Math.min(text.length, end + (text[end] === 'u' ? 5 : escaped));
}

function cutText(text: string, budget: number, keep: 'head' | 'head-and-tail'): { text: string; at: number } {
  const tailBudget = keep === 'head' ? 0 : Math.floor(budget / 2);
  let head = headEnd(text, budget - tailBudget);
  head = escapeAround(text, head)?.start ?? head;
  if (tailBudget === 0) return { text: text.slice(0, head), at: head };
  let tail = Math.max(head, tailStart(text, tailBudget));
  tail = escapeAround(text, tail)?.end ?? tail;
  tail = behindBackslashes(text, tail);
  // Two lone halves must not meet at the gap: the mark between them would leave both on the wire.
  const meets = (): boolean =>
    (text.charCodeAt(head - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(tail) & 0xfc00) === 0xdc00;
  if (head < tail) while (meets()) head--;
  return { text: text.slice(0, head) + text.slice(tail), at: head };
}

interface Shown {
  readonly text: string;
  readonly digest: string;
  readonly cut: Cut | undefined;
}

/** Cuts a text known to be too long. `text` may lack a middle that neither piece of the result could reach. */
export function cutTo(
  text: string,
  totalBytes: number,
  { maxBytes, keep }: Pick<Required<LimitOptions>, 'maxBytes' | 'keep'>,
): Shown {
  const shown = cutText(text, maxBytes, keep);
  const cut = Object.freeze({ totalBytes, shownBytes: utf8ToBytes(shown.text).length, at: shown.at });
  return { text: shown.text, digest: digestText(shown.text), cut };
}

function limitText(text: string, digest: string, budget: number, keep: 'head' | 'head-and-tail'): Shown {
  // A UTF-16 unit is at most three bytes of UTF-8: most texts need no counting.
  const totalBytes = text.length * 3 <= budget ? 0 : utf8ToBytes(text).length;
  if (totalBytes <= budget) return { text, digest, cut: undefined };
  return cutTo(text, totalBytes, { maxBytes: budget, keep });
}

function checkCount(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new SallyportError('ERR_INVALID_OPTION', `${name} is a whole number of at least 0.`);
  return value;
}

export function checkLimits(options: LimitOptions): Required<LimitOptions> {
  checkOptionNames(options, ['maxBytes', 'maxMediaLength', 'keep'], 'limits');
  const keep = options.keep ?? 'head';
  if (keep !== 'head' && keep !== 'head-and-tail')
    throw new SallyportError('ERR_INVALID_OPTION', "keep is 'head' or 'head-and-tail'.");
  return {
    maxBytes: checkCount('maxBytes', options.maxBytes ?? 100_000),
    maxMediaLength: checkCount('maxMediaLength', options.maxMediaLength ?? 8_000_000),
    keep,
  };
}

// Every platform has both, and the build names none.
declare const atob: (data: string) => string;
declare const TextDecoder: new (
  label: 'utf-8',
  options: { readonly fatal: boolean },
) => { decode(bytes: Uint8Array): string };

const TEXTUAL = /^(?:text|message)\/|json|xml|html|script|yaml|toml|csv|rtf|markdown|python|\bsql\b|x-sh\b/i;
/** Formats that begin with letters; some documents have nothing else. */
const SIGNATURES: readonly (readonly [type: RegExp, head: string])[] = [
  [/^application\/pdf\b/i, '%PDF-'],
  [/^(?:audio|image|video)\//i, 'RIFF'],
  // Documents of office programs have xml in the name of their type.
  [/^application\//i, 'PK\u0003\u0004'],
];
const CONTROL = /(?![\t\n\v\f\r])\p{Cc}/u;

/** Bytes in base64 of either alphabet, one unit each; undefined where it is none. */
function bytesOf(data: string): string | undefined {
  const letters = data.replaceAll('-', '+').replaceAll('_', '/');
  // A last letter that is too much is left out by those who read it for a model.
  for (const end of [letters.length, letters.length - 1])
    try {
      return atob(letters.slice(0, end));
    } catch {}
  return undefined;
}

function decoded(bytes: string, fatal: boolean): string | undefined {
  const list = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) list[index] = bytes.charCodeAt(index);
  try {
    return new TextDecoder('utf-8', { fatal }).decode(list);
  } catch {
    return undefined;
  }
}

/**
 * What a model would read of bytes without a frame: text by its type, or by the bytes, whatever the type says; undefined
 * where they hold none. What is no base64 is taken as it stands. It belongs in the part's `text`.
 */
export function textOfMedia({ mediaType, data }: Media): string | undefined {
  const type = mediaType.trim();
  const isTextual = TEXTUAL.test(type);
  const bytes = bytesOf(data);
  if (bytes === undefined) return data;
  if (SIGNATURES.some(([of, head]) => of.test(type) && bytes.startsWith(head))) return undefined;
  if (isTextual) return decoded(bytes, false);
  const text = decoded(bytes, true) ?? '';
  return text === '' || CONTROL.test(text) ? undefined : text;
}

function isText(media: Media): boolean {
  return TEXTUAL.test(media.mediaType.trim()) || textOfMedia(media) !== undefined;
}

/**
 * Cuts a record to size before anything else reads it, so that the bytes classified are the bytes sent: a classifier
 * with a smaller cap than the request has a blind tail.
 */
export function limit(recorded: Recorded, options: LimitOptions = {}): Limited {
  if (!Recorded.is(recorded)) throw new SallyportError('ERR_STAGE_SKIPPED', 'limit() takes what record() gives.');
  const { maxBytes, maxMediaLength, keep } = checkLimits(options);
  let budget = maxBytes;
  const parts = recorded.parts.map((part, index) => {
    const media = mediaOf(part);
    const surface = surfaceOf(part);
    const known = media === undefined ? (recorded.partDigests[index] as string) : digestText(surface);
    const limited = limitText(surface, known, budget, keep);
    if (recorded.parts.length > 1) budget -= limited.cut?.shownBytes ?? utf8ToBytes(limited.text).length;
    const mediaWithheld = media !== undefined && (media.data.length > maxMediaLength || isText(media));
    return Object.freeze({ part, ...limited, media: mediaWithheld ? undefined : media, mediaWithheld });
  });
  return new Limited(recorded, parts);
}
