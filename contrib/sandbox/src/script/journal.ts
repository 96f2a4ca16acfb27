import type { Recorded } from '@sallyport/core';
import type { ScriptAnswer, ScriptCall } from '../engine/engine.ts';

/** A call that a script made. */
export interface JournalCall {
  readonly name: string;
  readonly arguments: string | undefined;
}

/** The answer to a call, and its record if the answer holds content. */
export interface Settlement {
  readonly index: number;
  readonly answer: ScriptAnswer;
  readonly record: Recorded | undefined;
}

/** The script made another call than in the previous run: it is another script or another engine. */
export class Diverged extends Error {
  override readonly name = 'Diverged';
}

/**
 * The calls of a script and their answers, in order. A script repeats its calls if it gets the same answers, so a waiting script
 * is stored as its journal: it runs again from the start, and no call is made twice.
 */
export class Journal {
  readonly #calls: JournalCall[] = [];
  readonly #settlements: Settlement[] = [];
  readonly #past: readonly Settlement[];
  readonly #pastCalls: readonly JournalCall[];
  readonly #onSettled: (settlement: Settlement) => void;
  readonly #liveWaiters: (() => void)[] = [];
  readonly #waiting = new Map<number, (answer: ScriptAnswer) => void>();

  constructor(
    onSettled: (settlement: Settlement) => void,
    past: { readonly calls: readonly JournalCall[]; readonly settlements: readonly Settlement[] } = {
      calls: [],
      settlements: [],
    },
  ) {
    this.#onSettled = onSettled;
    this.#past = past.settlements;
    this.#pastCalls = past.calls;
  }

  get calls(): readonly JournalCall[] {
    return this.#calls;
  }

  get settlements(): readonly Settlement[] {
    return this.#settlements;
  }

  /** Records a call. The promise resolves to its answer. */
  enter({ index, name, arguments: given }: ScriptCall): Promise<ScriptAnswer> {
    const before = this.#pastCalls[index];
    if (index !== this.#calls.length || (before !== undefined && (before.name !== name || before.arguments !== given)))
      throw new Diverged(`Call ${index} differs from the previous run.`);
    this.#calls.push({ name, arguments: given });
    return new Promise((resolve) => {
      this.#waiting.set(index, resolve);
      this.#replay();
    });
  }

  /** Checks that the previous run answered a call, so that it is not made again. */
  isPast(index: number): boolean {
    return this.#past.some((settlement) => settlement.index === index);
  }

  /**
   * Set once the previous run was repeated completely. No new call is made before that: the script could still turn out
   * to be a different one.
   */
  get isLive(): boolean {
    return this.#settlements.length >= this.#past.length && this.#calls.length >= this.#pastCalls.length;
  }

  whenLive(): Promise<void> {
    return this.isLive ? Promise.resolve() : new Promise((resolve) => this.#liveWaiters.push(resolve));
  }

  settle(settlement: Settlement): void {
    const resolve = this.#waiting.get(settlement.index);
    if (resolve === undefined) return;
    this.#waiting.delete(settlement.index);
    this.#settlements.push(settlement);
    this.#onSettled(settlement);
    resolve(settlement.answer);
  }

  /** Gives the answers of the previous run in their order, as far as the script has made the calls. */
  #replay(): void {
    for (let next = this.#next; next !== undefined && this.#waiting.has(next.index); next = this.#next)
      this.settle(next);
    if (this.isLive) for (const wake of this.#liveWaiters.splice(0)) wake();
  }

  get #next(): Settlement | undefined {
    return this.#past[this.#settlements.length];
  }
}
