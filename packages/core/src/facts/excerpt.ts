import type { Span } from '@sallyport/decode';
import { endOfString, type JsonRange } from '../base/json-positions.ts';
import type { LimitedPart } from '../record/limit.ts';

/**
 * Text around a value, for a person to read. It is untrusted content: show it as a quotation, each field in an element of its own.
 *
 * @example
 * ```ts
 * const mark = ({ before, match, after }: Excerpt) => [before, bold(match), after];
 * ```
 */
export interface Excerpt {
  readonly before: string;
  /** The value as it occurs in the text. */
  readonly match: string;
  readonly after: string;
}

/** A range of a text. */
interface Located extends Span {
  readonly text: string;
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The text of a JSON string without its escapes. An escape that the range begins or ends in belongs to the range. */
function decode({ text, start, end }: Located): Located {
  const escapes = [...text.matchAll(ESCAPE)].map(({ index, 0: { length } }) => ({ index, length }));
  const decodedAt = (at: number, isEnd: boolean): number => {
    let removed = 0;
    for (const { index, length } of escapes) {
      if (at <= index) break;
      if (at < index + length) return index - removed + (isEnd ? 1 : 0);
      removed += length - 1;
    }
    return at - removed;
  };
  const decoded = text.replace(ESCAPE, (_, hex: string | undefined, sign: string) =>
    hex === undefined ? (CONTROLS[sign] ?? sign) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return { text: decoded, start: decodedAt(start, false), end: decodedAt(end, true) };
}

const BARE = /[^\s,:[\]{}"]/;

/** The inside of the string at a position of JSON text, or the number there. Reads from the start, since the text may be cut. */
function leafAt(text: string, at: number): JsonRange & { readonly isString: boolean } {
  for (let quote = text.indexOf('"'); quote >= 0 && quote <= at; ) {
    const end = endOfString(text, quote);
    if (at < end) return { start: quote + 1, end: text[end - 1] === '"' ? end - 1 : end, isString: true };
    quote = text.indexOf('"', end);
  }
  let [start, end] = [at, at];
  while (start > 0 && BARE.test(text[start - 1] as string)) start--;
  while (end < text.length && BARE.test(text[end] as string)) end++;
  return { start, end, isString: false };
}

function leafIn({ text, start, end }: Located): Located {
  const leaf = leafAt(text, start);
  const from = Math.max(start, leaf.start);
  const located = {
    text: text.slice(leaf.start, leaf.end),
    start: from - leaf.start,
    end: Math.max(from, Math.min(end, leaf.end)) - leaf.start,
  };
  return leaf.isString ? decode(located) : located;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Text that only begins like JSON is shown as it is.
    return false;
  }
}

/** JSON in a JSON string is read too, but not deeper than this: the author of the text chooses how deeply it nests. */
const MAX_NESTING = 3;

/** The JSON leaf that a range lies in, or the whole text. */
function messageOf({ part, text, cut }: LimitedPart, { start, end }: Span): Located {
  let located: Located = { text, start, end };
  // After a gap it is unknown whether a position lies in a string.
  const isCut = cut !== undefined && start >= cut.at;
  if (part.type === 'json' && !isCut) located = leafIn(located);
  for (let depth = 0; depth < MAX_NESTING && isJson(located.text); depth++) located = leafIn(located);
  return located;
}

// Without those that join letters and emoji.
const UNSEEN = /(?:(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}])+/gu;

/** Untrusted text on one line. Characters that a screen obeys or does not show become one visible sign. */
function clean(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(UNSEEN, '\ufffd');
}

const MAX_CONTEXT = 120;
const MAX_MATCH = 240;
const ELLIPSIS = '\u2026';
/** How much of a text is read to fill an excerpt: white space and unseen characters shrink. */
const READ_FACTOR = 8;

/** The beginning of a text, up to a word's end. */
function clipEnd(text: string, maxLength: number): string {
  const cleaned = clean(text.slice(0, maxLength * READ_FACTOR));
  if (cleaned.length <= maxLength && text.length <= maxLength * READ_FACTOR) return cleaned;
  const head = cleaned
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  const space = head.lastIndexOf(' ');
  return `${space > maxLength / 2 ? head.slice(0, space + 1) : head}${ELLIPSIS}`;
}

/** The end of a text, from a word's beginning. */
function clipStart(text: string, maxLength: number): string {
  const cleaned = clean(text.slice(-maxLength * READ_FACTOR));
  if (cleaned.length <= maxLength && text.length <= maxLength * READ_FACTOR) return cleaned;
  const tail = cleaned
    .slice(-maxLength)
    .toWellFormed()
    .replace(/^\ufffd/, '');
  const space = tail.indexOf(' ');
  return `${ELLIPSIS}${space >= 0 && space < maxLength / 2 ? tail.slice(space) : tail}`;
}

/** The text around a range of a part as it was shown: within the JSON leaf, without escapes, short, and on one line. */
export function excerptOf(part: LimitedPart, range: Span): Excerpt {
  const { text, start, end } = messageOf(part, range);
  return {
    before: clipStart(text.slice(0, start), MAX_CONTEXT).trimStart(),
    match: clipEnd(text.slice(start, end), MAX_MATCH),
    after: clipEnd(text.slice(end), MAX_CONTEXT).trimEnd(),
  };
}

const MAX_NAME = 80;

/** An untrusted name, value or sentence for a person to read. */
export function readable(text: string, maxLength: number = MAX_NAME): string {
  return clipEnd(text, maxLength).trim();
}
