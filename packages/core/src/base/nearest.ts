/** The number of letters to add, drop, replace or swap with the next one to turn one name into another. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  const at = (i: number, j: number): number => rows[i]?.[j] as number;
  for (let i = 1; i <= one.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : replaced;
      rows[i]?.push(Math.min(at(i, j - 1) + 1, at(i - 1, j) + 1, replaced, swapped));
    }
  }
  return at(one.length, other.length);
}

const MAX_LENGTH = 80;

function distanceOf(one: string, other: string): number {
  return distance(one.slice(0, MAX_LENGTH).toLowerCase(), other.slice(0, MAX_LENGTH).toLowerCase());
}

/** The most similar of some names, for "Did you mean" in error messages. */
export function nearestOf(name: string, names: readonly string[]): string | undefined {
  const distances = new Map(names.map((each) => [each, distanceOf(name, each)]));
  return [...distances].sort(([, one], [, other]) => one - other)[0]?.[0];
}

/** A misspelt name differs in at most this number of letters, and in at most a third of them. */
const MAX_DISTANCE = 2;

/** The most similar of some names, if one may be a misspelling of the other. */
export function similarTo(name: string, names: readonly string[]): string | undefined {
  const nearest = nearestOf(name, names);
  if (nearest === undefined) return undefined;
  return distanceOf(name, nearest) <= Math.min(MAX_DISTANCE, Math.max(1, name.length / 3)) ? nearest : undefined;
}
