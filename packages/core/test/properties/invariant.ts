import type fc from 'fast-check';

/** One invariant as a property. The same list is run by the tests, by CI's short fuzz and by the long fuzz. */
export interface Invariant {
  readonly id: string;
  /** The number in the design's list of what can be proved. */
  readonly number: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** Share of the cases of a fuzz run, relative to the others. */
  readonly weight: number;
  /** How many cases one run of the property looks at. */
  readonly perRun: number;
  readonly property: fc.IRawProperty<never> | fc.IProperty<never> | fc.IAsyncProperty<never>;
}

/** Forgets a property's argument types, so that properties of all kinds stand in one list. */
export function invariant(
  id: string,
  number: Invariant['number'],
  weight: number,
  property: unknown,
  perRun = 1,
): Invariant {
  return { id, number, weight, perRun, property: property as Invariant['property'] };
}

/** Fails with both sides, so that a counterexample can be read. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (!Object.is(actual, expected))
    throw new Error(`${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}

export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
