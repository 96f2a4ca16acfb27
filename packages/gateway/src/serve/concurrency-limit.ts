/** Counts what everybody has open at once. */
export class Crowd {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** What is to be called at the end; undefined where somebody has as much open as anybody may. */
  enter(who: string): (() => void) | undefined {
    const count = this.#open.get(who) ?? 0;
    if (count >= this.#most) return undefined;
    this.#open.set(who, count + 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const left = (this.#open.get(who) ?? 1) - 1;
      if (left === 0) this.#open.delete(who);
      else this.#open.set(who, left);
    };
  }
}
