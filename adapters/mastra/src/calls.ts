import type { Ask } from '@sallyport/core';
import { canonicalJson } from '@sallyport/core/adapter';
import { isFields } from './part.ts';

/** A call as the model made it. */
export interface Proposed {
  readonly tool: string;
  readonly arguments: unknown;
}

/** A call that was judged and may be made, and what a person says to it where he is asked. */
export interface Mark {
  readonly tool: string;
  /** Its arguments, as JSON. */
  readonly said: string;
  readonly answer: Ask | undefined;
}

/** Whether two values say the same: what was stored in between may have its keys in another order. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function keyOf({ tool, arguments: given }: Proposed): string {
  // Mastra takes this member for the answer to a suspended tool, and out of the arguments, whoever wrote it.
  const { resumeData: _, ...rest } = isFields(given) ? given : { given };
  return canonicalJson([tool, rest]);
}

/** The calls of one conversation of which this process knows what led to them, and those that wait for a person. */
export class Calls {
  readonly #proposed = new Map<string, Proposed>();
  // When Mastra asks whether to wait for a person, it tells the tool and its arguments, but not the id.
  readonly #ids = new Map<string, Set<string>>();
  readonly #held = new Set<string>();
  readonly #heldUnknown = new Set<string>();
  readonly #marks = new Map<string, readonly Mark[]>();
  // By the run, and what is called with what.
  readonly #expected = new WeakMap<object, Set<string>>();

  /** A call that is new: under an id that was used before, what was said of the earlier one is void. */
  note(id: string, call: Proposed): void {
    const earlier = this.#proposed.get(id);
    if (earlier !== undefined) this.#ids.get(keyOf(earlier))?.delete(id);
    const key = keyOf(call);
    this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id));
    this.#proposed.set(id, call);
    this.#held.delete(id);
    this.#marks.delete(id);
  }

  get(id: string): Proposed | undefined {
    return this.#proposed.get(id);
  }

  /** Ids of calls that say the same. */
  idsOf(call: Proposed): readonly string[] {
    return [...(this.#ids.get(keyOf(call)) ?? [])];
  }

  /** Whether Mastra was told to wait: then it runs this call only when a person has approved it. The last word counts. */
  hold(call: Proposed, isHeld: boolean): void {
    const ids = this.idsOf(call);
    const [held, names] = ids.length === 0 ? [this.#heldUnknown, [keyOf(call)]] : [this.#held, ids];
    for (const name of names)
      if (isHeld) held.add(name);
      else held.delete(name);
  }

  /** A call that was held before it was known is held. */
  adopt(id: string, call: Proposed): void {
    if (this.#heldUnknown.delete(keyOf(call))) this.#held.add(id);
  }

  /** Whether a call that is about to run was held, so that a person has approved it. Once for each time. */
  takeApproval(id: string): boolean {
    return this.#held.delete(id);
  }

  /** A call that the gate let pass before it came to its tool. */
  mark(id: string, mark: Mark): void {
    this.#marks.set(id, [...(this.#marks.get(id) ?? []), mark]);
  }

  /** The mark of a call that comes to its tool, once: of just this call, or the only one, where a schema made something else of it. */
  takeMark(id: string, tool: string, said: string): Mark | undefined {
    const marks = this.#marks.get(id)?.filter((mark) => mark.tool === tool) ?? [];
    const taken = marks.find((mark) => mark.said === said) ?? (marks.length === 1 ? marks[0] : undefined);
    if (taken !== undefined) this.#marks.set(id, this.#marks.get(id)?.filter((mark) => mark !== taken) ?? []);
    return taken;
  }

  /** A guarded tool was asked for its rule in a run: what is called there with these arguments comes to it. */
  expect(run: object, call: Proposed): void {
    this.#expected.set(run, (this.#expected.get(run) ?? new Set()).add(keyOf(call)));
  }

  /** Whether a call comes to a guarded tool, once for each time that it was asked. */
  takeExpected(run: object | undefined, call: Proposed): boolean {
    return run !== undefined && (this.#expected.get(run)?.delete(keyOf(call)) ?? false);
  }
}
