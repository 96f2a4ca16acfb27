import type { AdmitInput, Conversation, Recorded } from '@sallyport/core';

/** What servers say, on its way into the conversation. */
export class Intake {
  readonly #conversation: Conversation;
  // Taken in, and not yet known to have been read. A record stays here until its words are.
  readonly #unread = new Set<Recorded>();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Takes in at once, so that messages keep their order; the words are read before the next call is judged. */
  take(input: AdmitInput): void {
    this.#unread.add(this.#conversation.admit(input));
  }

  /** Reads all that has been taken in so far: its words are held against the calls that follow. */
  async read(): Promise<void> {
    for (const recorded of [...this.#unread]) {
      await this.#conversation.frame(recorded);
      this.#unread.delete(recorded);
    }
  }
}
