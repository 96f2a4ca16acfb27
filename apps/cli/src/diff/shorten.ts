const MAX_LENGTH = 200;
const AROUND = 60;
const CUT = ' ... ';

function commonStart(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let index = 0;
  while (index < length && one[index] === other[index]) index++;
  return index;
}

function commonEnd(one: string, other: string, least: number): number {
  const length = Math.min(one.length, other.length) - least;
  let index = 0;
  while (index < length && one[one.length - 1 - index] === other[other.length - 1 - index]) index++;
  return index;
}

function cut(line: string, start: number, end: number): string {
  const from = Math.max(0, start - AROUND);
  const to = Math.min(line.length, line.length - end + AROUND);
  return `${from > 0 ? CUT : ''}${line.slice(from, to)}${to < line.length ? CUT : ''}`;
}

/** Shortens an unchanged line: its start is enough to recognize it. */
export function shortenSame(line: string): string {
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}${CUT.trimEnd()}` : line;
}

/** Shortens both versions of a changed line to the difference: a whole configuration may be on one line. */
export function shortenChanged(before: string, after: string): readonly [string, string] {
  if (Math.max(before.length, after.length) <= MAX_LENGTH) return [before, after];
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  return [cut(before, start, end), cut(after, start, end)];
}
