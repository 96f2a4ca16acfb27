/** Hands on what has arrived, each when it is ready and none before those that came earlier. */
export class Queue {
  readonly #onError: (error: unknown) => void;
  // The last that waits; undefined where nothing does, and what is ready is handed on at once.
  #last: Promise<void> | undefined;
  // Those who wait in one line are dropped together.
  #line = {};

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  pass<T>(arrived: T | Promise<T>, hand: (arrived: T) => void): void {
    if (this.#last === undefined && !(arrived instanceof Promise)) {
      hand(arrived);
      return;
    }
    const line = this.#line;
    const handed = Promise.resolve(this.#last)
      .then(() => arrived)
      .then((ready) => {
        if (line !== this.#line) return;
        if (this.#last === handed) this.#last = undefined;
        hand(ready);
      })
      .catch(this.#onError);
    this.#last = handed;
  }

  /** Nothing that waits is handed on any more. */
  clear(): void {
    this.#line = {};
    this.#last = undefined;
  }
}
