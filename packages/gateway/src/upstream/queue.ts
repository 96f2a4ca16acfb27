import type { UpstreamMessage } from './answer.ts';

const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Messages for one reader. It holds so many at most, since a child process that is shared waits for nobody. */
export class MessageQueue implements AsyncIterable<UpstreamMessage> {
  readonly #most: number;
  readonly #left: () => void;
  #messages: UpstreamMessage[] = [];
  #characters = 0;
  #isEnded = false;
  #failure: unknown;
  #ended: (() => void) | undefined;
  #wake: (() => void) | undefined;

  /** @param left called when the reader goes before the end */
  constructor(most: number, left: () => void) {
    this.#most = most;
    this.#left = left;
  }

  onEnd(ended: () => void): void {
    this.#ended = ended;
  }

  get isFull(): boolean {
    return this.#messages.length >= this.#most || this.#characters >= MAX_CHARACTERS;
  }

  push(text: string): void {
    if (this.#isEnded) return;
    this.#messages.push({ text });
    this.#characters += text.length;
    this.#wake?.();
  }

  /** What was pushed is still read. */
  end(): void {
    this.#isEnded = true;
    this.#ended?.();
    this.#wake?.();
  }

  /** What was pushed is not read any more. */
  fail(cause: unknown): void {
    this.#messages = [];
    this.#failure = cause;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UpstreamMessage> {
    try {
      while (true) {
        const message = this.#messages.shift();
        if (message !== undefined) {
          this.#characters -= message.text.length;
          yield message;
        } else if (!this.#isEnded) await this.#more();
        else if (this.#failure === undefined) return;
        else throw this.#failure;
      }
    } finally {
      this.#messages = [];
      if (!this.#isEnded) {
        this.end();
        this.#left();
      }
    }
  }

  async #more(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
