import { type Excerpt, excerptOf } from '../facts/excerpt.ts';
import { objectFinder } from '../json/leaf-positions.ts';
import type { Place } from '../provenance/occurrence.ts';
import { type LimitedPart, type LimitOptions, limit } from '../record/limit.ts';
import type { Recorded } from '../record/record.ts';

/** A part as it was shown, and where the message around a position begins: the innermost JSON object, or the part. */
interface Shown {
  readonly part: LimitedPart | undefined;
  readonly messageAt: (at: number) => number;
}

function messageFinder(part: LimitedPart | undefined): Shown['messageAt'] {
  if (part?.part.type !== 'json' || part.cut !== undefined) return () => 0;
  const find = objectFinder(part.text, 'innermost');
  return (at) => find(at)?.start ?? 0;
}

/** The parts that the values of one call occur in. Each is read once. */
export class ShownParts {
  readonly #limits: LimitOptions;
  readonly #recordOf: (id: string) => Recorded | undefined;
  readonly #shown = new Map<string, Shown>();

  constructor(limits: LimitOptions, recordOf: (id: string) => Recorded | undefined) {
    this.#limits = limits;
    this.#recordOf = recordOf;
  }

  #at({ recordId, part: index }: Place): Shown {
    const key = `${index} ${recordId}`;
    const known = this.#shown.get(key);
    if (known !== undefined) return known;
    const recorded = this.#recordOf(recordId);
    const part = recorded === undefined ? undefined : limit(recorded, this.#limits).parts[index];
    const shown = { part, messageAt: messageFinder(part) };
    this.#shown.set(key, shown);
    return shown;
  }

  /** The text around a place, for a person to read; undefined if the record is not known. */
  excerptOf(place: Place): Excerpt | undefined {
    const { part } = this.#at(place);
    return part && excerptOf(part, place);
  }

  isSameMessage(one: Place, other: Place): boolean {
    if (one.recordId !== other.recordId || one.part !== other.part) return false;
    const { messageAt } = this.#at(one);
    return messageAt(one.start) === messageAt(other.start);
  }
}
