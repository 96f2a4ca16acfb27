import type { Role } from '../call/role.ts';
import type { Accepts } from './word-columns.ts';

/**
 * Whole tokens. A trusted text vouches for what it says as a whole, not for a part of it: `prod-db-test` does not vouch for
 * `prod-db`, and `invoice 12, 500 euros` does not vouch for 12500.
 */

/** What separates tokens: white space, quotes, brackets, commas, dashes, and the characters of scripts without spaces. */
const SEPARATOR =
  /[\s"'`<>()[\]{},;|\u00ab\u00bb\u2013\u2014\u2018-\u201f\u2026\u3000-\u303f\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const ENDS_SENTENCE = '.:!?';
const MAX_TOKEN_LENGTH = 4096;

function isSeparator(text: string, at: number): boolean {
  return at < 0 || at >= text.length || SEPARATOR.test(text[at] as string);
}

/** The range of a text up to the separators around it, without the signs that end a sentence. */
function tokenAround(text: string, start: number, end: number): string {
  let [from, to] = [start, end];
  while (!isSeparator(text, from - 1) && start - from < MAX_TOKEN_LENGTH) from--;
  while (!isSeparator(text, to) && to - end < MAX_TOKEN_LENGTH) to++;
  const sentence = to;
  while (to > end && ENDS_SENTENCE.includes(text[to - 1] as string)) to--;
  // Two full stops are a path, and a sign that another sign follows does not end a sentence.
  return /^[.:!?]?$|^[!?]+$/.test(text.slice(to, sentence)) ? text.slice(from, to) : text.slice(from, sentence);
}

const BLANKS = /\s+/g;

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(BLANKS, ' ').trim();
}

const ADDRESS = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:www\.(?=[^/?#]*\.))?([^/?#]*)(.*)$/isu;

interface WebAddress {
  readonly scheme: string;
  readonly host: string;
  readonly rest: string;
}

/** An address with its host in lower case. `http`, `https` and no scheme are the same, and so are `www` and no `www`. */
function webAddressOf(text: string): WebAddress {
  const [, scheme = '', host = '', rest = ''] = ADDRESS.exec(text.trim()) ?? [];
  const isWeb = /^https?$/i.test(scheme);
  return { scheme: isWeb ? '' : scheme.toLowerCase(), host: folded(host), rest: rest.replace(/\/$/, '') };
}

/** The one form that all spellings of a value share, as its role reads it. Paths and secrets differ by case; most others do not. */
function canonical(role: Role, text: string): string {
  switch (role) {
    case 'url': {
      const { scheme, host, rest } = webAddressOf(text);
      return `${scheme}://${host}${rest}`;
    }
    case 'path':
      return text
        .trim()
        .replace(/^\.\/(?=.)/, '')
        .replace(/(?<=.)\/$/, '');
    case 'secret':
      return text.trim();
    case 'recipient':
      return folded(text).replace(/^(?:mailto:|[@#](?=[^@#]*$))/, '');
    case 'id':
      return folded(text).replace(/^#/, '');
    default:
      return folded(text).replace(/[.:!?]+$/, '');
  }
}

const QUOTES = /^[\s"'`\u2018-\u201f\u00ab\u00bb]+|[\s"'`\u2018-\u201f\u00ab\u00bb]+$/g;

/** A value without the quotes and blanks around it. */
export function unquoted(value: string): string {
  return value.replace(QUOTES, '');
}

/** Accepts a range that is exactly a value: the same token, in the form that the value's role compares. */
export function isToken(role: Role, value: string): Accepts {
  let wanted: string | undefined;
  return (text, start, end) => {
    // Computed on first use: most values occur in no trusted text.
    wanted ??= canonical(role, unquoted(value));
    return canonical(role, tokenAround(text, start, end)) === wanted;
  };
}

/** How much of the text around a command is read. */
const AROUND = 400;

/** The line has nothing but this range, and perhaps backticks around it: "`npm publish` fails" only mentions a command. */
function isAlone(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - AROUND), from);
  const after = text.slice(to, to + AROUND);
  const isQuoted = before.endsWith('`');
  const starts = isQuoted ? /(?:^|\n)[ \t]*`$/ : /(?:^|\n)[ \t]*$/;
  const ends = isQuoted ? /^`?[.!]?[ \t]*(?:\n|$)/ : /^[ \t]*(?:\n|$)/;
  return starts.test(before) && ends.test(after);
}

/** Accepts a range that is a whole line. A command in a sentence may only be mentioned. */
export function isCommand(value: string): Accepts {
  const wanted = value.trim();
  return (text, start) => {
    const from = text.lastIndexOf(wanted, start);
    const to = from + wanted.length;
    return from >= 0 && to > start && isAlone(text, from, to);
  };
}

/** A number as people write it; undefined if it can mean two: `1.250` is 1250 or 1.25. */
export function numberOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (/^0[.,]\d+$/.test(text) || /^\d+[.,](?:\d{1,2}|\d{4,})$/.test(text)) return Number(text.replace(',', '.'));
  const grouped = /^(\d{1,3}(?:([.,'\u2019])\d{3})(?:\2\d{3})*)(?:([.,])(\d+))?$/.exec(text);
  if (grouped === null) return undefined;
  const [, whole = '', group, point, fraction] = grouped;
  const isClear = point === undefined ? whole.split(group as string).length > 2 || group === "'" : point !== group;
  return isClear ? Number(`${whole.replace(/\D/g, '')}.${fraction ?? 0}`) : undefined;
}

const JOINED_BEFORE = /[\p{L}\p{N}_/:#@=+\u2212-]$/u;
const JOINED_AFTER = /^(?:[\p{L}\p{N}_%]|[-/:@=][\p{L}\p{N}])/u;

/** Accepts a range that is this number, whole and clear. */
export function isNumber(value: number): Accepts {
  return (text, start, end) => {
    let [from, to] = [start, end];
    const isPart = (at: number): boolean => /[\d.,'\u2019]/.test(text[at] ?? ' ');
    while (isPart(from - 1)) from--;
    while (isPart(to)) to++;
    while (/[.,'\u2019]/.test(text[to - 1] ?? ' ')) to--;
    // `2026-11-16`, `5/7`, `10:30`, `-5`, `5%` and `500k` are not amounts.
    const before = text.slice(Math.max(0, from - 2), from);
    const isJoined = JOINED_BEFORE.test(before) || JOINED_AFTER.test(text.slice(to, to + 2));
    // `1 299`: the end of a longer number.
    const isEnd = /\d[ \u00a0\u202f]$/.test(before) && to - from === 3;
    return !isJoined && !isEnd && numberOf(text.slice(from, to)) === value;
  };
}

const GROUP = /^(?:[\p{L}\p{N}]*\d[\p{L}\p{N}]*|[A-Z]{1,4})$/u;

/** Accepts an account or a telephone number in groups, all of it: `DE75 5121 0800`. A word and a number of a sentence are not one. */
export function isGrouped(value: string): Accepts {
  const wanted = folded(value.replace(/[\s-]/g, ''));
  return (text, start, end) => {
    const written = text.slice(start, end);
    const groups = written.split(/[ \u00a0-]/);
    const isId = groups.every((group) => GROUP.test(group)) && /\d/.test(groups[0] as string);
    const before = /([\p{L}\p{N}]+)[ \u00a0-]$/u.exec(text.slice(Math.max(0, start - 40), start))?.[1];
    const after = /^[ \u00a0-]([\p{L}\p{N}]+)/u.exec(text.slice(end, end + 40))?.[1];
    const isAlone = !/\d/.test(before ?? '') && !/\d/.test(after ?? '');
    const isBounded = tokenAround(text, start, end).replace(/^\+/, '') === written;
    return isId && isAlone && isBounded && folded(groups.join('')) === wanted;
  };
}
