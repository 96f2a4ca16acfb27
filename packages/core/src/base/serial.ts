/**
 * Runs asynchronous work one piece at a time, in the order of the calls. A failure rejects its own promise and does not
 * stop the work after it.
 *
 * @example
 * ```ts
 * const queue = new Serial();
 * await Promise.all([queue.run(() => save('first')), queue.run(() => save('second'))]);
 * ```
 */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    // The caller receives the error through `done`.
    this.#last = done.catch(() => undefined);
    return done;
  }
}
