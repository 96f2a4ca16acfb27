import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { partsOf, plainText, withContent } from './message.ts';

type OutputStream = ReturnType<Conversation['outputStream']>;

/** A generation of a model, or a chunk of one. */
interface Generation {
  readonly text: string;
  readonly message: object;
}

/** A content with its texts replaced, in the same form. */
function withTexts(content: unknown, replace: (text: string, part: unknown) => string): unknown {
  if (typeof content === 'string') return replace(content, content);
  if (!Array.isArray(content)) return content;
  return content.map((part: unknown) => {
    const text = plainText(part);
    if (text === undefined) return part;
    return typeof part === 'string' ? replace(text, part) : { ...fieldsOf(part), text: replace(text, part) };
  });
}

/** A copy of a generation with its texts replaced; itself if nothing changes. */
function replaced<G extends Generation>(generation: G, replace: (text: string, part: unknown) => string): G {
  const { message, text } = generation;
  const texts: string[] = [];
  let isChanged = false;
  const content = withTexts(fieldsOf(message).content, (given, part) => {
    const shown = replace(given, part);
    isChanged ||= shown !== given;
    texts.push(shown);
    return shown;
  });
  if (!isChanged) return generation;
  const fields = { message: withContent(message, content), text: text === '' ? '' : texts.join('') };
  return Object.assign(Object.create(Object.getPrototypeOf(generation)), generation, fields);
}

/** A model's whole answer, its texts without addresses that could carry data to strangers. */
export function sanitizedResult(conversation: Conversation, result: unknown): unknown {
  const { generations } = fieldsOf(result);
  const sanitize = (text: string): string => conversation.sanitizeOutput(text).text;
  const shown = listOf(generations).map((each) => replaced(each as Generation, sanitize));
  return { ...fieldsOf(result), generations: shown };
}

/** The block of a message to which a piece of text belongs. Text that is the whole content is one block. */
function blockOf(part: unknown): unknown {
  return isFields(part) ? (part.index ?? 0) : 'content';
}

/** The chunks of an answer that is streamed. Only what may be the beginning of an address is held back. */
export class AnswerChunks {
  readonly #conversation: Conversation;
  readonly #open = new Map<unknown, { readonly output: OutputStream; readonly part: unknown }>();
  #last: Generation | undefined;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Takes a chunk, and returns those that can be shown now. */
  push<G extends Generation>(chunk: G): G[] {
    const { content, tool_call_chunks: calls } = fieldsOf(chunk.message);
    const parts = partsOf(content).filter((part) => plainText(part) !== '');
    const isNext = parts.length > 0 || listOf(calls).length > 0;
    const ended = isNext ? this.#endOthers(parts.map(blockOf)) : [];
    this.#last = chunk;
    return [...(ended as G[]), replaced(chunk, (text, part) => this.#outputOf(part).push(text))];
  }

  /** The rest, when the answer has ended. */
  end<G extends Generation>(): G[] {
    return this.#endOthers([]) as G[];
  }

  #outputOf(part: unknown): OutputStream {
    const block = blockOf(part);
    const { output } = this.#open.get(block) ?? { output: this.#conversation.outputStream() };
    this.#open.set(block, { output, part });
    return output;
  }

  #endOthers(going: readonly unknown[]): Generation[] {
    const ended = [...this.#open].filter(([block]) => !going.includes(block));
    return ended.flatMap(([block, { output, part }]) => {
      this.#open.delete(block);
      const text = output.end();
      return text === '' || this.#last === undefined ? [] : [rest(this.#last, text, part)];
    });
  }
}

/** A chunk with nothing but the rest of a text: all else of the last chunk would count twice. */
function rest({ message, constructor: Chunk }: Generation, text: string, part: unknown): Generation {
  const { id } = message as Fields;
  const Message = message.constructor as new (fields: object) => object;
  const content = isFields(part) ? [{ ...part, text }] : text;
  return new (Chunk as new (fields: object) => Generation)({ text, message: new Message({ content, id }) });
}
