const DIGITS_BEFORE = /(?:\d[.,'\u00a0\u202f]?|[-\u2212])$/u;
const DIGITS_AFTER = /^[.,'\u00a0\u202f]?\d/u;

/**
 * Checks that a range is a complete number without a sign. The spellings of dates and times are looked for in such
 * ranges.
 */
export function isWholeNumber(text: string, start: number, end: number): boolean {
  const [before, after] = [text.slice(Math.max(0, start - 2), start), text.slice(end, end + 2)];
  return !DIGITS_BEFORE.test(before) && !DIGITS_AFTER.test(after);
}
