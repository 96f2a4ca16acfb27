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

/** A line that stays as it is needs only be known again. */
export function shortenSame(line: string): string {
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}${CUT.trimEnd()}` : line;
}

/** Two sides of a changed line without most of what they have in common: a whole configuration may stand on one line. */
export function shortenChanged(old: string, young: string): readonly [string, string] {
  if (Math.max(old.length, young.length) <= MAX_LENGTH) return [old, young];
  const start = commonStart(old, young);
  const end = commonEnd(old, young, start);
  return [cut(old, start, end), cut(young, start, end)];
}
