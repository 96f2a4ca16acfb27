import type { Ask } from '@sallyport/core';
import { canonicalJson, isFields } from '@sallyport/core/adapter';

/** A call as the model made it. */
export interface Proposed {
  readonly tool: string;
  readonly arguments: unknown;
}

/** A call that was checked and is allowed, with the answer of a person if one was asked. */
export interface Mark {
  readonly tool: string;
  /** Its arguments, as canonical JSON. */
  readonly argumentsJson: string;
  readonly answer: Ask | undefined;
}

/** Compares two values as JSON. Storage may have changed the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function keyOf({ tool, arguments: given }: Proposed): string {
  // Mastra removes this member from the arguments and treats it as the answer to a suspended tool, even if a model wrote it.
  const { resumeData: _, ...rest } = isFields(given) ? given : { given };
  return canonicalJson([tool, rest]);
}

/** The calls of one conversation whose requests this process has seen, and those that wait for a person. */
export class Calls {
  readonly #proposed = new Map<string, Proposed>();
  // When Mastra asks whether to wait for a person, it passes the tool and its arguments, but not the id.
  readonly #ids = new Map<string, Set<string>>();
  readonly #held = new Set<string>();
  readonly #allowed = new Set<string>();
  readonly #reached = new Set<string>();
  readonly #heldUnknown = new Set<string>();
  readonly #marks = new Map<string, readonly Mark[]>();
  // By run: the keys of calls.
  readonly #expected = new WeakMap<object, Set<string>>();

  /** Records a new call. If its id was used before, the approval and the marks of the earlier call are dropped. */
  recordCall(id: string, call: Proposed): void {
    const earlier = this.#proposed.get(id);
    if (earlier !== undefined) this.#ids.get(keyOf(earlier))?.delete(id);
    const key = keyOf(call);
    this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id));
    this.#proposed.set(id, call);
    this.#held.delete(id);
    this.#allowed.delete(id);
    this.#marks.delete(id);
  }

  get(id: string): Proposed | undefined {
    return this.#proposed.get(id);
  }

  /** The ids of equal calls. */
  idsOf(call: Proposed): readonly string[] {
    return [...(this.#ids.get(keyOf(call)) ?? [])];
  }

  /** Records whether Mastra was told to wait: then it runs this call only if a person has approved it. The last answer counts. */
  hold(call: Proposed, isHeld: boolean): void {
    const ids = this.idsOf(call);
    const [held, names] = ids.length === 0 ? [this.#heldUnknown, [keyOf(call)]] : [this.#held, ids];
    for (const name of names)
      if (isHeld) held.add(name);
      else held.delete(name);
  }

  /** Marks a call as held if it was held before it was recorded. */
  adopt(id: string, call: Proposed): void {
    if (this.#heldUnknown.delete(keyOf(call))) this.#held.add(id);
  }

  /** Takes the approval of a held call that is about to run. Each approval is used once. */
  takeApproval(id: string): boolean {
    return this.#held.delete(id);
  }

  /** Records that a call reached its tool, which made it or refused it. */
  reach(id: string): void {
    this.#reached.add(id);
  }

  hasReached(id: string): boolean {
    return this.#reached.has(id);
  }

  /** Records that the gate allowed a call when Mastra asked whether to wait for a person. */
  allow(id: string): void {
    this.#allowed.add(id);
  }

  /** Takes the mark of a call that was allowed when Mastra asked. */
  takeAllowed(id: string): boolean {
    return this.#allowed.delete(id);
  }

  /** Marks a call that the gate allowed before it reached its tool. */
  mark(id: string, mark: Mark): void {
    this.#marks.set(id, [...(this.#marks.get(id) ?? []), mark]);
  }

  /** Takes the mark of a call that reaches its tool: that of this call, or the only one, if a schema has changed the arguments. */
  takeMark(id: string, tool: string, argumentsJson: string): Mark | undefined {
    const marks = this.#marks.get(id)?.filter((mark) => mark.tool === tool) ?? [];
    const same = marks.find((mark) => mark.argumentsJson === argumentsJson);
    const taken = same ?? (marks.length === 1 ? marks[0] : undefined);
    if (taken !== undefined) this.#marks.set(id, this.#marks.get(id)?.filter((mark) => mark !== taken) ?? []);
    return taken;
  }

  /** Records that a guarded tool was asked for its approval rule in a run: a call with these arguments will reach it. */
  expect(run: object, call: Proposed): void {
    this.#expected.set(run, (this.#expected.get(run) ?? new Set()).add(keyOf(call)));
  }

  /** Takes the mark of a call that will reach a guarded tool: one for each time that the tool was asked. */
  takeExpected(run: object | undefined, call: Proposed): boolean {
    return run !== undefined && (this.#expected.get(run)?.delete(keyOf(call)) ?? false);
  }
}
