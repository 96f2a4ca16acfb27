import type { UpstreamMessage } from '@sallyport/mcp-proxy/http';

const MAX_CHARACTERS = 16 * 1024 * 1024;

/** A queue of messages for one reader. It is bounded, because a shared child process cannot wait for a slow reader. */
export class MessageQueue implements AsyncIterable<UpstreamMessage> {
  readonly #max: number;
  readonly #onLeave: () => void;
  #messages: UpstreamMessage[] = [];
  #characters = 0;
  #isEnded = false;
  #failure: unknown;
  #ended: (() => void) | undefined;
  #wake: (() => void) | undefined;

  /** @param onLeave called when the reader stops before the end */
  constructor(max: number, onLeave: () => void) {
    this.#max = max;
    this.#onLeave = onLeave;
  }

  onEnd(ended: () => void): void {
    this.#ended = ended;
  }

  get isFull(): boolean {
    return this.#messages.length >= this.#max || this.#characters >= MAX_CHARACTERS;
  }

  push(text: string): void {
    if (this.#isEnded) return;
    this.#messages.push({ text });
    this.#characters += text.length;
    this.#wake?.();
  }

  /** Ends the queue. Messages that were pushed can still be read. */
  end(): void {
    this.#isEnded = true;
    this.#ended?.();
    this.#wake?.();
  }

  /** Fails the queue. Messages that were pushed are dropped. */
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
        this.#onLeave();
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
