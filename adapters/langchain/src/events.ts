import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields } from '@sallyport/core/adapter';
import { plainText } from './message.ts';

type OutputStream = ReturnType<Conversation['outputStream']>;

interface TextBlock {
  readonly output: OutputStream;
  /** The part of the block that was shown. Its last event repeats the whole text. */
  shown: string;
}

/** The events of an answer in LangChain's newer streams. Only what may be the beginning of an address is held back. */
export class AnswerEvents {
  readonly #conversation: Conversation;
  readonly #blocks = new Map<unknown, TextBlock>();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Takes an event, and returns those that can be shown now. */
  push(event: unknown): readonly unknown[] {
    if (!isFields(event)) return [event];
    const { event: type, index, content } = event;
    const delta = fieldsOf(event.delta);
    if (type === 'content-block-delta' && delta.type === 'text-delta') {
      const text = this.#show(index, (output) => output.push(String(delta.text)));
      return text === '' ? [] : [{ ...event, delta: { ...delta, text } }];
    }
    if (plainText(delta.fields) !== undefined)
      return [{ ...event, delta: { ...delta, fields: this.#whole(fieldsOf(delta.fields)) } }];
    if (plainText(content) === undefined) return [event];
    if (type === 'content-block-start') return [{ ...event, content: this.#begun(index, fieldsOf(content)) }];
    return type === 'content-block-finish' ? this.#finish(event, fieldsOf(content)) : [event];
  }

  /** The rest, when the answer has ended. */
  end(): readonly unknown[] {
    return [...this.#blocks.keys()].flatMap((index) => this.#rest(index));
  }

  #begun(index: unknown, content: Fields): Fields {
    return { ...content, text: this.#show(index, (output) => output.push(String(content.text))) };
  }

  #finish(event: Fields, content: Fields): readonly unknown[] {
    const block = this.#blocks.get(event.index);
    if (block === undefined) return [{ ...event, content: this.#whole(content) }];
    const rest = this.#rest(event.index);
    return [...rest, { ...event, content: { ...content, text: block.shown } }];
  }

  #whole(content: Fields): Fields {
    return { ...content, text: this.#conversation.sanitizeOutput(String(content.text)).text };
  }

  #show(index: unknown, take: (output: OutputStream) => string): string {
    const block = this.#blocks.get(index) ?? { output: this.#conversation.outputStream(), shown: '' };
    this.#blocks.set(index, block);
    const text = take(block.output);
    block.shown += text;
    return text;
  }

  #rest(index: unknown): readonly unknown[] {
    const text = this.#show(index, (output) => output.end());
    this.#blocks.delete(index);
    return text === '' ? [] : [{ event: 'content-block-delta', index, delta: { type: 'text-delta', text } }];
  }
}
