/** Limits how much each caller may have open at the same time. */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** How much a caller has open. */
  count(key: string): number {
    return this.#open.get(key) ?? 0;
  }

  /** Returns the function to call at the end, or undefined if the limit is reached. */
  enter(key: string): (() => void) | undefined {
    const count = this.#open.get(key) ?? 0;
    if (count >= this.#max) return undefined;
    this.#open.set(key, count + 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left === 0) this.#open.delete(key);
      else this.#open.set(key, left);
    };
  }
}
