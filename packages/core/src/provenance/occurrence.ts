import type { TrustClass } from './trust.ts';

/** A range of a record as it was shown, in UTF-16 offsets of the part. */
export interface Place {
  readonly recordId: string;
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

/** Where words of a value occur, and the trust class they have there. */
export interface Occurrence extends Place {
  readonly trust: TrustClass;
}

/** The result of a search. */
export interface Found {
  /** The trust bits of all occurrences. */
  readonly trust: number;
  /** Some of the occurrences, the latest first, at least one for every trust class. */
  readonly occurrences: readonly Occurrence[];
  /** The search ended at its limit, before all occurrences were read. */
  readonly exhausted: boolean;
}

export const NOWHERE: Found = Object.freeze({ trust: 0, occurrences: [], exhausted: false });

/** Maximum number of occurrences reported. */
export const MAX_SHOWN = 8;

function isSamePlace(one: Place, other: Place): boolean {
  return (
    one.recordId === other.recordId && one.part === other.part && one.start === other.start && one.end === other.end
  );
}

/** Collects occurrences and keeps some of them to report. */
export class Finder {
  readonly #shown: Occurrence[] = [];
  trust = 0;

  wants(trust: number): boolean {
    return this.#shown.length < MAX_SHOWN || (this.trust & trust) === 0;
  }

  /** Two readings of one text can find the same occurrence; it is kept once. */
  add(occurrence: Occurrence, bit: number): void {
    const isKnown = this.#shown.some((each) => isSamePlace(each, occurrence) && each.trust === occurrence.trust);
    if (!isKnown) this.#shown.push(occurrence);
    this.trust |= bit;
  }

  end(exhausted: boolean): Found {
    return { trust: this.trust, occurrences: this.#shown, exhausted };
  }
}
