import { isFields } from './part.ts';

/** A call as the model made it. */
export interface Proposed {
  readonly tool: string;
  readonly arguments: unknown;
}

function sorted(_: string, value: unknown): unknown {
  return isFields(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

/** Whether two values say the same: what was stored in between may have its keys in another order. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
}

function keyOf({ tool, arguments: given }: Proposed): string {
  // Mastra takes this member for the answer to a suspended tool, and out of the arguments, whoever wrote it.
  const { resumeData: _, ...rest } = isFields(given) ? given : { given };
  return JSON.stringify([tool, rest], sorted);
}

/** The calls of one conversation of which this process knows what led to them, and those that wait for a person. */
export class Calls {
  readonly #proposed = new Map<string, Proposed>();
  // When Mastra asks whether to wait for a person, it tells the tool and its arguments, but not the id.
  readonly #ids = new Map<string, Set<string>>();
  readonly #held = new Set<string>();
  readonly #heldUnknown = new Set<string>();

  /** A call that is new: under an id that was used before, what was said of the earlier one is void. */
  note(id: string, call: Proposed): void {
    const earlier = this.#proposed.get(id);
    if (earlier !== undefined) this.#ids.get(keyOf(earlier))?.delete(id);
    const key = keyOf(call);
    this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id));
    this.#proposed.set(id, call);
    this.#held.delete(id);
  }

  get(id: string): Proposed | undefined {
    return this.#proposed.get(id);
  }

  /** Ids of calls that say the same. */
  idsOf(call: Proposed): readonly string[] {
    return [...(this.#ids.get(keyOf(call)) ?? [])];
  }

  /** Mastra was told to wait: it runs this call only when a person has approved it. */
  hold(call: Proposed): void {
    const ids = this.idsOf(call);
    if (ids.length === 0) this.#heldUnknown.add(keyOf(call));
    for (const id of ids) this.#held.add(id);
  }

  /** A call that was held before it was known is held. */
  adopt(id: string, call: Proposed): void {
    if (this.#heldUnknown.delete(keyOf(call))) this.#held.add(id);
  }

  /** Whether a call that is about to run was held, so that a person has approved it. Once for each time. */
  takeApproval(id: string): boolean {
    return this.#held.delete(id);
  }
}
