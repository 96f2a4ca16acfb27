/**
 * A limit on work or on length. Texts and values come from attackers, so every loop over them takes units of a budget.
 */
export class Budget {
  readonly #units: number;
  readonly #whole: Budget | undefined;
  #left: number;
  #isExhausted = false;

  /** @param whole a larger budget from which the same units are taken */
  constructor(units: number, whole?: Budget) {
    this.#units = units;
    this.#whole = whole;
    this.#left = units;
  }

  /** The number of units that were spent. */
  get spent(): number {
    return this.#units - this.#left;
  }

  /** Set when a request was refused or all units are spent. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Subtracts units for work that is already done. */
  spend(units: number): void {
    this.#left -= units;
    this.#whole?.spend(units);
    if (this.#left <= 0) this.#isExhausted = true;
  }

  /** Takes units if enough are left. After the first refusal every later one is refused too. */
  take(units: number): boolean {
    if (this.#isExhausted || units > this.#left) {
      this.#isExhausted = true;
      return false;
    }
    this.#left -= units;
    this.#whole?.spend(units);
    return true;
  }
}
