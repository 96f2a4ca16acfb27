import type { ContentInput, Conversation, Recorded, ToolResult } from '@sallyport/core';

/** What servers say, on its way into the conversation. */
export class Intake {
  readonly #conversation: Conversation;
  // Taken in, and not yet known to have been read. A record stays here until its words are.
  readonly #unread = new Map<Recorded, Promise<void>>();
  #last: Promise<void> = Promise.resolve();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Takes in at once, so that records keep their order. Resolves when the words are held against the calls that follow. */
  take(input: ToolResult | ContentInput): Promise<void> {
    const conversation = this.#conversation;
    return this.#read('tool' in input ? conversation.addToolResult(input) : conversation.addContent(input));
  }

  #read(recorded: Recorded): Promise<void> {
    const reading = this.#last.then(async () => {
      await this.#conversation.frame(recorded);
      this.#unread.delete(recorded);
    });
    this.#last = reading.catch(() => undefined);
    this.#unread.set(recorded, reading);
    return reading;
  }

  /** Resolves when all that has been taken in so far was read. What had failed is tried again. */
  async read(): Promise<void> {
    for (const [recorded, reading] of [...this.#unread]) await reading.catch(() => this.#read(recorded));
  }
}
