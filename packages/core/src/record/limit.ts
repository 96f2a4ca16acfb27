import { utf8ToBytes } from '@noble/hashes/utils.js';
import { pointAt } from '@sallyport/decode';
import { digestText } from '../base/digest.ts';
import { checkOptionNames, describeType, describeValue, SallyportError } from '../base/errors.ts';
import { envelopesOf } from './envelopes.ts';
import { type Media, mediaOf, type Part, surfaceOf } from './part.ts';
import { Recorded } from './record.ts';

/**
 * Limits on the part of a record that the model is shown.
 *
 * @example
 * ```ts
 * const boundary = createBoundary({ limits: { maxBytes: 20_000, keep: 'head-and-tail' } });
 * ```
 */
export interface LimitOptions {
  /** Maximum UTF-8 bytes of text per record, over all its parts. The rest is left out of the frame. @default 100000 */
  readonly maxBytes?: number;
  /** Which end of a longer text is shown: its beginning, or its beginning and its end. @default 'head' */
  readonly keep?: 'head' | 'head-and-tail';
  /** Maximum base64 characters of media per part. Larger media is withheld. @default 8000000 */
  readonly maxMediaLength?: number;
}

/**
 * The size of a part and of the piece of it that is shown. The frame reports the difference outside the content.
 *
 * @example
 * ```ts
 * const omittedBytes = ({ totalBytes, shownBytes }: Cut) => totalBytes - shownBytes;
 * ```
 */
export interface Cut {
  readonly totalBytes: number;
  readonly shownBytes: number;
  /** Offset of the gap in the shown text: its end for `head`, between the two pieces for `head-and-tail`. */
  readonly at: number;
}

/**
 * A part, and the piece of its text that is shown.
 *
 * @example
 * ```ts
 * const [first] = limit(recorded).parts;
 * console.log(first?.text, first?.cut?.totalBytes);
 * ```
 */
export interface LimitedPart {
  readonly part: Part;
  /** The text that is classified and sent; both use exactly this text. */
  readonly text: string;
  readonly digest: string;
  readonly cut: Cut | undefined;
  readonly media: Media | undefined;
  /** Set when media was left out because it is too large, or is text that a model would read without a frame. */
  readonly mediaWithheld: boolean;
}

/**
 * The result of `limit()`: a record cut to size.
 *
 * @example
 * ```ts
 * const limited: Limited = limit(recorded, { maxBytes: 10_000 });
 * ```
 */
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

/** The end of the longest prefix of at most `budget` bytes that does not split a code point. */
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

/** The start of the longest suffix of at most `budget` bytes that does not split a code point. */
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
/** The distance around a cut in which an escape that the cut would split is looked for. */
export const WINDOW = 16;
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|[\ud800-\udbff][\udc00-\udfff]|[^u])|&#?\w{1,10};/gs;

/**
 * The escape or character reference that a cut at `index` would split. A reader would take half of one for other text.
 */
function escapeAround(text: string, index: number): { start: number; end: number } | undefined {
  let from = Math.max(0, index - WINDOW);
  // In a run of backslashes every second one is escaped, so reading starts where the run starts.
  while (from > 0 && text.charCodeAt(from - 1) === BACKSLASH) from--;
  for (const match of text.slice(from, index + WINDOW).matchAll(ESCAPE)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (start < index && index < end) return { start, end };
  }
  return undefined;
}

/**
 * Moves the start of a tail past a run of backslashes and the character after it. A backslash is an escape or not
 * depending on the number before it, and in a stream the beginning of a long run may already be dropped.
 */
function afterBackslashes(text: string, index: number): number {
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
  tail = afterBackslashes(text, tail);
  // Two lone surrogates must not meet at the gap: the tag between them would send both as lone surrogates.
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

/** Cuts text to a limit. The given text may lack a middle that neither piece of the result would include. */
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
  // A UTF-16 unit is at most three bytes of UTF-8, so the bytes of most texts need not be counted.
  const totalBytes = text.length * 3 <= budget ? 0 : utf8ToBytes(text).length;
  if (totalBytes <= budget) return { text, digest, cut: undefined };
  return cutTo(text, totalBytes, { maxBytes: budget, keep });
}

function checkCount(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`${name}\` must be a whole number of at least 0; received ${describeValue(value)}.`,
    );
  return value;
}

export function checkLimits(options: LimitOptions): Required<LimitOptions> {
  checkOptionNames(options, ['maxBytes', 'maxMediaLength', 'keep'], 'limits');
  const keep = options.keep ?? 'head';
  if (keep !== 'head' && keep !== 'head-and-tail')
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `\`keep\` must be 'head' or 'head-and-tail'; received ${describeValue(keep)}.`,
    );
  return {
    maxBytes: checkCount('maxBytes', options.maxBytes ?? 100_000),
    maxMediaLength: checkCount('maxMediaLength', options.maxMediaLength ?? 8_000_000),
    keep,
  };
}

// Every platform has both; the build includes the types of none.
declare const atob: (data: string) => string;
declare const TextDecoder: new (
  label: 'utf-8',
  options: { readonly fatal: boolean },
) => { decode(bytes: Uint8Array): string };

const TEXTUAL = /^(?:text|message)\/|json|xml|html|script|yaml|toml|csv|rtf|markdown|python|\bsql\b|x-sh\b/i;
/** Binary formats whose first bytes are letters, so that a short file could be taken for text. */
const SIGNATURES: readonly (readonly [type: RegExp, head: string])[] = [
  [/^application\/pdf\b/i, '%PDF-'],
  [/^(?:audio|image|video)\//i, 'RIFF'],
  // Office documents have xml in their media type.
  [/^application\//i, 'PK\u0003\u0004'],
];
const CONTROL = /(?![\t\n\v\f\r])\p{Cc}/u;

/** Decodes base64 of either alphabet into one UTF-16 unit per byte. Undefined if it is not base64. */
function bytesOf(data: string): string | undefined {
  const letters = data.replaceAll('-', '+').replaceAll('_', '/');
  // Decoders of model providers ignore one superfluous character at the end.
  for (const end of [letters.length, letters.length - 1])
    try {
      return atob(letters.slice(0, end));
    } catch {
      // Not base64 at this length. The caller receives undefined if neither length is.
    }
  return undefined;
}

function decodeUtf8(bytes: string, fatal: boolean): string | undefined {
  const list = new Uint8Array(bytes.length);
  for (let index = 0; index < bytes.length; index++) list[index] = bytes.charCodeAt(index);
  try {
    return new TextDecoder('utf-8', { fatal }).decode(list);
  } catch {
    // Not UTF-8, which is an answer and not a failure.
    return undefined;
  }
}

/**
 * The text of media that is text by its media type or by its bytes; undefined for other media. A model would read such
 * media without a frame, so put the text in the part's `text` instead. Data that is not base64 is returned unchanged.
 *
 * @example
 * ```ts
 * textOfMedia({ mediaType: 'text/plain', data: 'aGVsbG8=' }); // 'hello'
 * ```
 */
export function textOfMedia({ mediaType, data }: Media): string | undefined {
  const type = mediaType.trim();
  const isTextual = TEXTUAL.test(type);
  const bytes = bytesOf(data);
  if (bytes === undefined) return data;
  if (SIGNATURES.some(([of, head]) => of.test(type) && bytes.startsWith(head))) return undefined;
  if (isTextual) return decodeUtf8(bytes, false);
  const text = decodeUtf8(bytes, true) ?? '';
  return text === '' || CONTROL.test(text) ? undefined : text;
}

function isText(media: Media): boolean {
  return TEXTUAL.test(media.mediaType.trim()) || textOfMedia(media) !== undefined;
}

/**
 * Cuts a record to size, before it is classified: the classifier must read exactly the text that the model is sent.
 *
 * @example
 * ```ts
 * const recorded = record({ id: 'page', source: source('external'), content: page });
 * const limited = limit(recorded, { maxBytes: 20_000 });
 * ```
 */
export function limit(recorded: Recorded, options: LimitOptions = {}): Limited {
  if (!Recorded.is(recorded))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      `limit() takes the result of record(); received ${describeType(recorded)}.`,
    );
  const { maxBytes, maxMediaLength, keep } = checkLimits(options);
  let budget = maxBytes;
  const envelopes = envelopesOf(recorded);
  const parts = envelopes.map((part, index) => {
    const media = mediaOf(part);
    const surface = surfaceOf(part);
    const isWhole = media === undefined && part === recorded.parts[index];
    const partDigest = isWhole ? (recorded.partDigests[index] as string) : digestText(surface);
    const limited = limitText(surface, partDigest, budget, keep);
    if (envelopes.length > 1) budget -= limited.cut?.shownBytes ?? utf8ToBytes(limited.text).length;
    const mediaWithheld = media !== undefined && (media.data.length > maxMediaLength || isText(media));
    return Object.freeze({ part, ...limited, media: mediaWithheld ? undefined : media, mediaWithheld });
  });
  return new Limited(recorded, parts);
}
