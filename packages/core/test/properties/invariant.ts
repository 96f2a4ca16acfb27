import type fc from 'fast-check';

/** One invariant as a property. The tests, the short fuzzing in CI and the long fuzzing run the same list. */
export interface Invariant {
  readonly id: string;
  /** The number of the guarantee that it tests. */
  readonly number: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
  /** The share of the cases of a fuzz run, relative to the others. */
  readonly weight: number;
  /** The number of cases in one run of the property. */
  readonly perRun: number;
  readonly property: fc.IRawProperty<never> | fc.IProperty<never> | fc.IAsyncProperty<never>;
}

/** Removes the argument types of a property, so that all properties fit in one list. */
export function invariant(
  id: string,
  number: Invariant['number'],
  weight: number,
  property: unknown,
  perRun = 1,
): Invariant {
  return { id, number, weight, perRun, property: property as Invariant['property'] };
}

/** Fails with both values, so that a counterexample is readable. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (!Object.is(actual, expected))
    throw new Error(`${what}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}

export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
