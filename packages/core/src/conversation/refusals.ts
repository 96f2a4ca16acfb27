import { argumentsOf } from '../approval/cause.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Decision } from '../gate/decision.ts';
import { STORE_FAILED } from '../gate/settled.ts';

const MAX_IN_A_ROW = 3;
const MAX_IN_ALL = 20;

/** Why a run is handed to a person. */
export interface HandOver {
  readonly cause: 'in-a-row' | 'in-all';
  readonly refusals: number;
  /** True for the refusal that handed the run over, false for those after it. */
  readonly isFirst: boolean;
}

/** Counts the calls of one conversation that were not allowed since the user's last message. Each call counts once. */
export class Refusals {
  readonly #inARow = new Set<string>();
  readonly #inAll = new Set<string>();
  #messageCount = 0;
  #isHandedOver = false;

  /** Counts a decision. Returns why the run is handed over; undefined if it is not, or if the call is allowed. */
  count({ call, outcome, rule }: Decision, isEffect: boolean, messageCount: number): HandOver | undefined {
    if (messageCount !== this.#messageCount) this.#startOver(messageCount);
    const key = canonicalJson([call.id, call.tool, argumentsOf(call)]);
    if (outcome === 'allow') {
      this.#inAll.delete(key);
      if (isEffect) this.#inARow.clear();
      return undefined;
    }
    // That a store failed says nothing about what the model does.
    if (rule === STORE_FAILED) return undefined;
    // A set that is full says all that is needed.
    if (this.#inARow.size < MAX_IN_A_ROW) this.#inARow.add(key);
    if (this.#inAll.size < MAX_IN_ALL) this.#inAll.add(key);
    return this.#handOver();
  }

  #startOver(messageCount: number): void {
    this.#messageCount = messageCount;
    this.#inARow.clear();
    this.#inAll.clear();
  }

  #handOver(): HandOver | undefined {
    const isInARow = this.#inARow.size >= MAX_IN_A_ROW;
    const isHandedOver = isInARow || this.#inAll.size >= MAX_IN_ALL;
    const isFirst = isHandedOver && !this.#isHandedOver;
    this.#isHandedOver = isHandedOver;
    if (!isHandedOver) return undefined;
    return isInARow
      ? { cause: 'in-a-row', refusals: MAX_IN_A_ROW, isFirst }
      : { cause: 'in-all', refusals: MAX_IN_ALL, isFirst };
  }
}
