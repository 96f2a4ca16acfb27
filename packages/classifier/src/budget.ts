/** Room beyond the length of the text: what is written in a short text may be longer than it, a long one needs no more. */
const SPARE = 4096;

/** How much may still be decoded. Nested encodings would otherwise let a short text ask for long work. */
export class Budget {
  left: number;
  exhausted = false;

  constructor(length: number) {
    this.left = length + SPARE;
  }

  /** Whether `length` more units may be kept. Once the answer was no, it stays no. */
  take(length: number): boolean {
    if (this.exhausted || length > this.left) {
      this.exhausted = true;
      return false;
    }
    this.left -= length;
    return true;
  }
}
