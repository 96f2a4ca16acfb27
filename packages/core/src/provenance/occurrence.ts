import type { TrustClass } from './trust.ts';

/** A stretch of a record as it was shown, at UTF-16 offsets of the part. */
export interface Place {
  readonly recordId: string;
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

/** Words found in a text. */
export interface Occurrence extends Place {
  readonly trust: TrustClass;
}

export interface Found {
  /** The join of all places. */
  readonly trust: number;
  /** Some of the places, the latest first, at least one for every standing. */
  readonly occurrences: readonly Occurrence[];
  /** There are more places than were looked at. */
  readonly exhausted: boolean;
}

export const NOWHERE: Found = Object.freeze({ trust: 0, occurrences: [], exhausted: false });

/** So many places are shown of what stands in many. */
export const MAX_SHOWN = 8;

function isSamePlace(one: Place, other: Place): boolean {
  return (
    one.recordId === other.recordId && one.part === other.part && one.start === other.start && one.end === other.end
  );
}

/** Collects places; keeps a few to show. */
export class Finder {
  readonly #shown: Occurrence[] = [];
  trust = 0;

  wants(trust: number): boolean {
    return this.#shown.length < MAX_SHOWN || (this.trust & trust) === 0;
  }

  /** Two readings of one text find the same place: it is kept once. */
  add(occurrence: Occurrence, bit: number): void {
    const isKnown = this.#shown.some((each) => isSamePlace(each, occurrence) && each.trust === occurrence.trust);
    if (!isKnown) this.#shown.push(occurrence);
    this.trust |= bit;
  }

  end(exhausted: boolean): Found {
    return { trust: this.trust, occurrences: this.#shown, exhausted };
  }
}
