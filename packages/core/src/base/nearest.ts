/** The number of letters to add, drop or replace to turn one name into another. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min((next[j - 1] as number) + 1, (row[j] as number) + 1, replaced));
    }
    row = next;
  }
  return row[other.length] as number;
}

const MAX_LENGTH = 80;

function distanceOf(one: string, other: string): number {
  return distance(one.slice(0, MAX_LENGTH).toLowerCase(), other.slice(0, MAX_LENGTH).toLowerCase());
}

/** The name that is most like another, for "Did you mean". */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  const distances = new Map(names.map((each) => [each, distanceOf(name, each)]));
  return [...distances].sort(([, one], [, other]) => one - other)[0]?.[0];
}

/** The name that is most like another, if they are so alike that one may be a misspelling of the other. */
export function similarTo(name: string, names: readonly string[]): string | undefined {
  const nearest = nearestOf(name, names);
  return nearest !== undefined && distanceOf(name, nearest) * 3 <= name.length ? nearest : undefined;
}
