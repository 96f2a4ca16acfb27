/**
 * Exact comparison of a value with a text. Words are found ignoring case, signs and look-alikes, but a trusted text vouches
 * only for exactly what it contains: `/home/..` is not `/home`, `a < b` is not `a > b`, and a host with a Cyrillic letter is
 * another host.
 */

const EDGE = /^[\s"'`\u2018-\u201f\u00ab\u00bb]+|[\s"'`\u2018-\u201f\u00ab\u00bb]+$/g;
const BLANKS = /\s+/g;

function normalizeCase(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(BLANKS, ' ');
}

/** A value without surrounding quotes and white space. */
export function coreOf(value: string): string {
  return value.replace(EDGE, '');
}

/** Tests whether a range of a text equals a value, ignoring case and the amount of white space. */
export function saysExactly(value: string): (text: string, start: number, end: number) => boolean {
  const core = coreOf(value);
  const leadingSigns = Math.max(0, core.search(/[\p{L}\p{N}]/u));
  let wanted: string | undefined;
  return (text, start, end) => {
    // Computed on first use: most values occur in no text.
    wanted ??= normalizeCase(core);
    const from = start - leadingSigns;
    // A value that ends in signs is compared with the signs after the range too.
    for (let to = end; to <= text.length && to - from <= core.length + SLACK; to++)
      if (from >= 0 && normalizeCase(text.slice(from, to)) === wanted) return true;
    return false;
  };
}

const SLACK = 8;

const BEFORE_HOST = /(?:^|[\s"'`(<[,;]|:\/\/)$/;
const AFTER_HOST = /^(?:$|[\s"'`/?#:)>\],;!]|\.(?:\s|$))/;

/** Like `saysExactly` for a host or a mailbox: the characters around it must not make it part of another one. */
export function namesHost(host: string): (text: string, start: number, end: number) => boolean {
  const isSame = saysExactly(host);
  return (text, start, end) =>
    isSame(text, start, end) &&
    BEFORE_HOST.test(text.slice(Math.max(0, start - 3), start)) &&
    AFTER_HOST.test(text.slice(end, end + 2));
}

const DIGITS_BEFORE = /(?:\d[.,'\u00a0\u202f]?|[-\u2212])$/u;
const DIGITS_AFTER = /^[.,'\u00a0\u202f]?\d/u;

/** Whether the range is a complete number without a sign, for an amount, a date or a time in another spelling. */
export function isWholeNumber(text: string, start: number, end: number): boolean {
  const [before, after] = [text.slice(Math.max(0, start - 2), start), text.slice(end, end + 2)];
  return !DIGITS_BEFORE.test(before) && !DIGITS_AFTER.test(after);
}
