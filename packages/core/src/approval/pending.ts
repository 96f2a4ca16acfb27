import { BoundedMap } from '../base/bounded-map.ts';
import type { Decision } from '../gate/decision.ts';
import { causeOf } from './cause.ts';

/** Maximum number of calls that wait for a person. Older ones have to be checked again. */
const MAX_PENDING = 1000;

/** The calls of one conversation that wait for a person. Calls that wait for the same cause are one question. */
export class PendingCalls {
  readonly #waiting = new BoundedMap<string, { readonly decision: Decision; readonly cause: string }>(MAX_PENDING);

  /** The latest call of each cause, in the order in which they were held. */
  get all(): readonly Decision[] {
    const latest = new Map<string, Decision>();
    for (const { decision, cause } of this.#waiting.values()) {
      latest.delete(cause);
      latest.set(cause, decision);
    }
    return [...latest.values()];
  }

  get(callId: string): Decision | undefined {
    return this.#waiting.get(callId)?.decision;
  }

  set(decision: Decision): void {
    this.#waiting.set(decision.call.id, { decision, cause: causeOf(decision) });
  }

  delete(callId: string): void {
    this.#waiting.delete(callId);
  }

  /** Removes all calls that wait for the same cause as a call whose question a person has answered. */
  settle(decision: Decision): void {
    const answered = causeOf(decision);
    for (const { decision: waiting, cause } of [...this.#waiting.values()])
      if (cause === answered) this.#waiting.delete(waiting.call.id);
  }
}
