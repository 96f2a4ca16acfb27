/** Passes messages on in the order of their arrival, each when it is ready. */
export class Queue {
  readonly #onError: (error: unknown) => void;
  // The last message that waits; undefined if none does: then a message that is ready is passed on synchronously.
  #last: Promise<void> | undefined;
  // Identifies the messages that wait: clear() drops them together.
  #generation = {};

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  pass<T>(arrived: T | Promise<T>, deliver: (arrived: T) => void): void {
    if (this.#last === undefined && !(arrived instanceof Promise)) {
      deliver(arrived);
      return;
    }
    const generation = this.#generation;
    const delivered = Promise.resolve(this.#last)
      .then(() => arrived)
      .then((ready) => {
        if (generation !== this.#generation) return;
        if (this.#last === delivered) this.#last = undefined;
        deliver(ready);
      })
      .catch(this.#onError);
    this.#last = delivered;
  }

  /** Drops all messages that wait. */
  clear(): void {
    this.#generation = {};
    this.#last = undefined;
  }
}
