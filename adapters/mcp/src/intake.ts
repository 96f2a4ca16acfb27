import type { ContentInput, Conversation, Recorded, ToolResult } from '@sallyport/core';
import { Serial } from '@sallyport/core/adapter';

/** Adds what servers send to the conversation, in order. */
export class Intake {
  readonly #conversation: Conversation;
  // Added, but not read by the classifier yet. A record stays here until it is read.
  readonly #unread = new Map<Recorded, Promise<void>>();
  readonly #reads = new Serial();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Adds a record at once, so that records keep their order. Resolves when later calls are checked against its words. */
  take(input: ToolResult | ContentInput): Promise<void> {
    const conversation = this.#conversation;
    return this.#read('tool' in input ? conversation.addToolResult(input) : conversation.addContent(input));
  }

  #read(recorded: Recorded): Promise<void> {
    const reading = this.#reads.run(async () => {
      await this.#conversation.frame(recorded);
      this.#unread.delete(recorded);
    });
    this.#unread.set(recorded, reading);
    return reading;
  }

  /** Resolves when everything added so far is read. A read that failed is tried again. */
  async read(): Promise<void> {
    for (const [recorded, reading] of [...this.#unread]) await reading.catch(() => this.#read(recorded));
  }
}
