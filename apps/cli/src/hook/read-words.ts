/** A shorter passage can be in a text by chance. */
const MIN_WORDS = 8;
const MAX_LENGTH = 2_000_000;

function wordsOf(text: string): readonly string[] {
  return text.replace(/\\[bfnrt]/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words between blanks, also the first and the last one. */
function joined(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}

/** The words that a session has read: hosts and JSON change the characters between them. Forgets the oldest first. */
export class ReadWords {
  readonly #maxLength: number;
  readonly #texts: string[] = [];
  #length = 0;
  #forgotten = 0;

  constructor(maxLength: number = MAX_LENGTH) {
    this.#maxLength = maxLength;
  }

  add(text: string): void {
    const words = joined(wordsOf(text)).slice(-this.#maxLength);
    this.#texts.push(words);
    this.#length += words.length;
    while (this.#length > this.#maxLength) {
      this.#length -= this.#texts.shift()?.length ?? 0;
      this.#forgotten += 1;
    }
  }

  /** A test for passages of the texts read so far. False for texts that are forgotten. */
  untilNow(): (passage: string) => boolean {
    const count = this.#forgotten + this.#texts.length;
    return (passage) => {
      const words = wordsOf(passage);
      const texts = this.#texts.slice(0, Math.max(0, count - this.#forgotten));
      return words.length >= MIN_WORDS && texts.some((text) => text.includes(joined(words)));
    };
  }
}
