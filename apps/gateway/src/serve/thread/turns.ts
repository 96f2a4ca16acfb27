/** Where a thread says for whom it works, so that the main thread can tell who holds it up. */
const PRINCIPAL = 0;
const TURN = 1;

export const TURN_BYTES = 8;

/**
 * Charges the time of a thread to principals. Everything that a guard thread waits for arrives as an order, so the work between
 * two orders belongs to the first.
 */
export class Turns {
  readonly #slots: Int32Array;
  readonly #onEnd: (principal: number, milliseconds: number) => void;
  #principal = 0;
  #startedAt = 0;

  constructor(shared: SharedArrayBuffer, onEnd: (principal: number, milliseconds: number) => void) {
    this.#slots = new Int32Array(shared);
    this.#onEnd = onEnd;
  }

  begin(principal: number): void {
    this.#end();
    this.#principal = principal;
    this.#startedAt = performance.now();
    Atomics.store(this.#slots, PRINCIPAL, principal);
    Atomics.add(this.#slots, TURN, 1);
    setImmediate(() => this.#end());
  }

  #end(): void {
    const principal = this.#principal;
    if (principal === 0) return;
    this.#principal = 0;
    Atomics.store(this.#slots, PRINCIPAL, 0);
    this.#onEnd(principal, performance.now() - this.#startedAt);
  }
}

/** The main thread's view of a thread's turns. */
export class TurnWatch {
  readonly #slots: Int32Array;
  #turn = -1;
  #seenAt = 0;

  constructor(shared: SharedArrayBuffer) {
    this.#slots = new Int32Array(shared);
  }

  /** The principal of the current turn, and how long it has been seen to last. Undefined if the thread is idle. */
  look(now: number): { readonly principal: number; readonly milliseconds: number } | undefined {
    const principal = Atomics.load(this.#slots, PRINCIPAL);
    const turn = Atomics.load(this.#slots, TURN);
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#seenAt = now;
    }
    return principal === 0 ? undefined : { principal, milliseconds: now - this.#seenAt };
  }
}
