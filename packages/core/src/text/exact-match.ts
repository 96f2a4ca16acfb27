/**
 * Whether two spellings are the same to whoever acts on them. Words are found without case, signs and look-alikes; but what a
 * trusted party said vouches only for what it said: `/home/..` is not `/home`, `a < b` is not `a > b`, and a host with a
 * Cyrillic letter is another host.
 */

const EDGE = /^[\s"'`\u2018-\u201f\u00ab\u00bb]+|[\s"'`\u2018-\u201f\u00ab\u00bb]+$/g;
const BLANKS = /\s+/g;

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(BLANKS, ' ');
}

/** A value without quotes and blanks around it. */
export function coreOf(value: string): string {
  return value.replace(EDGE, '');
}

/** A test for stretches of a text: those that say a value letter by letter, apart from case and the width of blanks. */
export function saysExactly(value: string): (text: string, start: number, end: number) => boolean {
  const core = coreOf(value);
  const signs = Math.max(0, core.search(/[\p{L}\p{N}]/u));
  let wanted: string | undefined;
  return (text, start, end) => {
    // Most values are found nowhere, and are not asked about.
    wanted ??= plain(core);
    const from = start - signs;
    // What ends in signs is compared with as many signs of the text.
    for (let to = end; to <= text.length && to - from <= core.length + SLACK; to++)
      if (from >= 0 && plain(text.slice(from, to)) === wanted) return true;
    return false;
  };
}

const SLACK = 8;

const BEFORE_HOST = /(?:^|[\s"'`(<[,;]|:\/\/)$/;
const BEHIND_HOST = /^(?:$|[\s"'`/?#:)>\],;!]|\.(?:\s|$))/;

/** The same for a host or a mailbox: nothing may stand before or behind it that would make another one of it. */
export function namesHost(host: string): (text: string, start: number, end: number) => boolean {
  const isSame = saysExactly(host);
  return (text, start, end) =>
    isSame(text, start, end) &&
    BEFORE_HOST.test(text.slice(Math.max(0, start - 3), start)) &&
    BEHIND_HOST.test(text.slice(end, end + 2));
}

const MORE_BEFORE = /(?:\d[.,'\u00a0\u202f]?|[-\u2212])$/u;
const MORE_BEHIND = /^[.,'\u00a0\u202f]?\d/u;

/** For an amount, a date or a time in another spelling: all of it, and without a sign. */
export function isWholeNumber(text: string, start: number, end: number): boolean {
  const [before, behind] = [text.slice(Math.max(0, start - 2), start), text.slice(end, end + 2)];
  return !MORE_BEFORE.test(before) && !MORE_BEHIND.test(behind);
}
