/** How much work or text is left. An attacker chooses both texts and values: nothing may take forever. */
export class Budget {
  #left: number;
  #isExhausted = false;

  constructor(units: number) {
    this.#left = units;
  }

  /** Something was refused, or all of it is spent. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Uses up units that the work has already cost. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left <= 0) this.#isExhausted = true;
  }

  /** Whether this many units may still be used. Once the answer was no, it stays no. */
  take(units: number): boolean {
    if (this.#isExhausted || units > this.#left) {
      this.#isExhausted = true;
      return false;
    }
    this.#left -= units;
    return true;
  }
}
