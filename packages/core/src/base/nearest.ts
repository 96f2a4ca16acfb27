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

/** The name that is most like another, for "Did you mean". */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase();
  const near = (each: string): number => distance(wanted, each.slice(0, MAX_LENGTH).toLowerCase());
  return [...names].sort((one, other) => near(one) - near(other))[0];
}
