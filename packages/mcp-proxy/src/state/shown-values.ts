import type { Decision, TrustClass } from '@sallyport/core';

/** A value of a call as people see it, and the place where it was read. */
export interface ShownValue {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly value: string;
  readonly trust: TrustClass;
  /** Absent if no read content contains it. `entry` names the record and the part of it. Offsets are UTF-16. */
  readonly place?: { readonly entry: string; readonly start: number; readonly end: number };
}

const MAX_VALUES = 200;
const MAX_VALUE_LENGTH = 2000;

/** The name of one part of a record. */
export function partName(recordId: string, part: number): string {
  return `${recordId}/${part}`;
}

/** The first values of a call, shortened, with the places that they come from. */
export function shownValues(decision: Decision): readonly ShownValue[] {
  return decision.arguments
    .filter(({ isKey }) => !isKey)
    .slice(0, MAX_VALUES)
    .map(({ path, text, provenance: { trust, pieces } }) => {
      const places = pieces.flatMap((piece) => (piece.trust === trust ? piece.occurrences : []));
      const place = places.find((each) => each.trust === trust) ?? places[0];
      return {
        path,
        value: text.slice(0, MAX_VALUE_LENGTH).toWellFormed(),
        trust,
        ...(place && {
          place: { entry: partName(place.recordId, place.part), start: place.start, end: place.end },
        }),
      };
    });
}
