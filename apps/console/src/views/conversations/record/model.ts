import { type CallEntry, type Entry, type Place, type RowEntry, valueKey } from './entry.ts';
import type { KeyedPlace } from './segments.ts';

/** A conversation, prepared for the page. */
export interface Model {
  readonly rows: readonly RowEntry[];
  /** The row of an entry. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** The words in an entry that became values. */
  readonly placesIn: ReadonlyMap<string, readonly KeyedPlace[]>;
  /** Where the words of a value are, and the call that has it. */
  readonly placeOf: ReadonlyMap<string, { readonly place: Place; readonly call: string }>;
  /** The rows of calls that were asked about or denied, or that another policy decides differently. */
  readonly stops: readonly number[];
  readonly calls: number;
  /** Calls that were asked about or denied. */
  readonly held: number;
  /** Calls that another policy decides differently. Undefined if none was tried. */
  readonly different: number | undefined;
  readonly isCut: boolean;
}

function placesOf({ id, values }: CallEntry): readonly { readonly key: string; readonly place: Place }[] {
  return values.flatMap(({ path, place }) => (place === undefined ? [] : [{ key: valueKey(id, path), place }]));
}

const isHeld = ({ outcome }: CallEntry): boolean => outcome !== 'allow';
const isDifferent = ({ outcome, proposed }: CallEntry): boolean =>
  proposed !== undefined && proposed.outcome !== outcome;

export function modelOf(entries: readonly Entry[]): Model {
  const rows = entries.filter((entry) => entry.type !== 'end');
  const calls = rows.filter((row) => row.type === 'call');
  const placesIn = new Map<string, KeyedPlace[]>();
  const placeOf = new Map<string, { place: Place; call: string }>();
  for (const call of calls)
    for (const { key, place } of placesOf(call)) {
      placeOf.set(key, { place, call: call.id });
      const known = placesIn.get(place.entry) ?? [];
      placesIn.set(place.entry, [...known, { key, start: place.start, end: place.end }]);
    }
  return {
    rows,
    indexOf: new Map(rows.map(({ id }, index) => [id, index])),
    placesIn,
    placeOf,
    stops: rows.flatMap((row, index) => (row.type === 'call' && (isHeld(row) || isDifferent(row)) ? [index] : [])),
    calls: calls.length,
    held: calls.filter(isHeld).length,
    different: calls.some(({ proposed }) => proposed !== undefined) ? calls.filter(isDifferent).length : undefined,
    isCut: entries.some((entry) => entry.type === 'end' && entry.isCut),
  };
}
