import type { Recorded } from '@sallyport/core';
import type { ScriptAnswer, ScriptCall } from '../engine/engine.ts';

/** A call that a script made. */
export interface JournalCall {
  readonly name: string;
  readonly arguments: string | undefined;
}

/** What a script was told of a call, and the record of it, where it was somebody's content. */
export interface Settlement {
  readonly index: number;
  readonly answer: ScriptAnswer;
  readonly record: Recorded | undefined;
}

/** The script did something else than the last time: it is not the same script, or not the same engine. */
export class Diverged extends Error {
  override readonly name = 'Diverged';
}

/**
 * Every call that a script has made, and every answer in the order in which it got them. A script does the same again over the same
 * answers, so this is all there is to know of one that waits: it is run anew, and nothing that was done is done twice.
 */
export class Journal {
  readonly #calls: JournalCall[] = [];
  readonly #settlements: Settlement[] = [];
  readonly #past: readonly Settlement[];
  readonly #pastCalls: readonly JournalCall[];
  readonly #onSettled: (settlement: Settlement) => void;
  readonly #waitingForLife: (() => void)[] = [];
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

  /** Notes a call. The promise is what the script will be told. */
  enter({ index, name, arguments: given }: ScriptCall): Promise<ScriptAnswer> {
    const before = this.#pastCalls[index];
    if (index !== this.#calls.length || (before !== undefined && (before.name !== name || before.arguments !== given)))
      throw new Diverged(`Call ${index} is another than the last time.`);
    this.#calls.push({ name, arguments: given });
    return new Promise((resolve) => {
      this.#waiting.set(index, resolve);
      this.#replay();
    });
  }

  /** Whether a call was answered the last time: it is not made again. */
  isPast(index: number): boolean {
    return this.#past.some((settlement) => settlement.index === index);
  }

  /**
   * Everything of the last time has been done and told again. Before that nothing new may be done: the script could still turn out
   * to be another one.
   */
  get isLive(): boolean {
    return this.#settlements.length >= this.#past.length && this.#calls.length >= this.#pastCalls.length;
  }

  whenLive(): Promise<void> {
    return this.isLive ? Promise.resolve() : new Promise((resolve) => this.#waitingForLife.push(resolve));
  }

  settle(settlement: Settlement): void {
    const resolve = this.#waiting.get(settlement.index);
    if (resolve === undefined) return;
    this.#waiting.delete(settlement.index);
    this.#settlements.push(settlement);
    this.#onSettled(settlement);
    resolve(settlement.answer);
  }

  /** Tells what was told the last time, in that order, as far as the script has asked. */
  #replay(): void {
    for (let next = this.#next; next !== undefined && this.#waiting.has(next.index); next = this.#next)
      this.settle(next);
    if (this.isLive) for (const wake of this.#waitingForLife.splice(0)) wake();
  }

  get #next(): Settlement | undefined {
    return this.#past[this.#settlements.length];
  }
}
