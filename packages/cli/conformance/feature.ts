// What a feature is: something a client does, and what it sees of it.
import type { Structured } from './compare.ts';
import type { Place, PlaceOptions } from './place.ts';

export const ERAS = ['2025-11-25 and before', '2026-07-28', 'across SDKs', 'servers and clients from npm'] as const;
type Era = (typeof ERAS)[number];

export interface Feature extends PlaceOptions {
  readonly name: string;
  readonly era: Era;
  /** What the wrapper's options ask to be done with structuredContent. @default 'text-only' */
  readonly structured?: Structured;
  /** Every line must come through byte for byte, in mode frame as well. */
  readonly raw?: boolean;
  /** In mode annotate the outcome must say where it came from. */
  readonly annotated?: boolean;
  /** Needs a gate: why it cannot be without. Then the run says itself what should be seen. */
  readonly gated?: string;
  /** What is new in each run, and left out of the comparison. */
  readonly volatile?: RegExp;
  /** Throws when something is wrong. What it returns is compared between direct and wrapped. */
  run(place: Place): Promise<unknown>;
}

/** Fails a run. */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

const EVENT_MS = 5000;

/** Waits for something that a notification brings about. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + EVENT_MS;
  while (!holds()) {
    expect(Date.now() < end, `waited in vain: ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
