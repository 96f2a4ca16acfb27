import type { Standing } from './trust.ts';

/** A stretch of a record as it was shown, at UTF-16 offsets of the part. */
export interface Place {
  readonly recordId: string;
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

/** Words found in a text. */
export interface Occurrence extends Place {
  readonly standing: Standing;
}

export interface Found {
  /** The join of all places. */
  readonly standing: number;
  /** Some of the places, the latest first, at least one for every standing. */
  readonly occurrences: readonly Occurrence[];
  /** There are more places than were looked at. */
  readonly exhausted: boolean;
}

export const NOWHERE: Found = Object.freeze({ standing: 0, occurrences: [], exhausted: false });

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
  standing = 0;

  wants(standing: number): boolean {
    return this.#shown.length < MAX_SHOWN || (this.standing & standing) === 0;
  }

  /** Two readings of one text find the same place: it is kept once. */
  add(occurrence: Occurrence, bit: number): void {
    const isKnown = this.#shown.some((each) => isSamePlace(each, occurrence) && each.standing === occurrence.standing);
    if (!isKnown) this.#shown.push(occurrence);
    this.standing |= bit;
  }

  end(exhausted: boolean): Found {
    return { standing: this.standing, occurrences: this.#shown, exhausted };
  }
}
