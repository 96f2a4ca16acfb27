import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';

/** The blocks of an answer, their texts without addresses that could carry data to strangers. */
export function sanitized(conversation: Conversation, blocks: readonly unknown[]): readonly unknown[] {
  return blocks.map((block) =>
    isFields(block) && block.type === 'text' && typeof block.text === 'string'
      ? { ...block, text: conversation.sanitizeOutput(block.text).text }
      : block,
  );
}

/** The same for an answer that is being streamed. Only what may be the beginning of an address is held back. */
export class SanitizedEvents {
  readonly #conversation: Conversation;
  readonly #texts = new Map<unknown, ReturnType<Conversation['outputStream']>>();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** The events in place of an event; undefined if it stays unchanged. */
  take(event: Fields): readonly Fields[] | undefined {
    const { type, index, content_block, delta } = event;
    if (type === 'content_block_start' && isFields(content_block) && typeof content_block.text === 'string')
      return [{ ...event, content_block: { ...content_block, text: this.#push(index, content_block.text) } }];
    if (type === 'content_block_delta' && isFields(delta) && typeof delta.text === 'string') {
      const text = this.#push(index, delta.text);
      return text === '' ? [] : [{ ...event, delta: { ...delta, text } }];
    }
    if (type !== 'content_block_stop') return undefined;
    const rest = this.#end(index);
    return rest.length === 0 ? undefined : [...rest, event];
  }

  /** Ends the stream, and returns the text that is still held back. */
  end(): readonly Fields[] {
    return [...this.#texts.keys()].flatMap((index) => this.#end(index));
  }

  #push(index: unknown, text: string): string {
    const output = this.#texts.get(index) ?? this.#conversation.outputStream();
    this.#texts.set(index, output);
    return output.push(text);
  }

  #end(index: unknown): readonly Fields[] {
    const text = this.#texts.get(index)?.end() ?? '';
    this.#texts.delete(index);
    return text === '' ? [] : [{ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }];
  }
}
