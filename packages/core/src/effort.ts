/** How much work a question may still cost. An attacker chooses both the texts and the values: no answer may take for ever. */
export class Effort {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(steps: number): void {
    this.#left -= steps;
  }
}
