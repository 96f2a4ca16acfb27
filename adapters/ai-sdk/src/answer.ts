import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import type { Unchecked } from './offered.ts';

/** The arguments of a call as the history will contain them. */
function argumentsOf(input: unknown): unknown {
  try {
    return typeof input === 'string' ? JSON.parse(input) : (input ?? null);
  } catch {
    return { input };
  }
}

/**
 * Records what the provider's own tools returned inside an answer. The model has read it, so it counts before a call of the same
 * answer is checked.
 */
export class Answer {
  readonly #conversation: Conversation;
  readonly #unchecked: Unchecked;
  readonly #calls = new Map<unknown, Fields>();

  constructor(conversation: Conversation, unchecked: Unchecked) {
    this.#conversation = conversation;
    this.#unchecked = unchecked;
  }

  async record(part: unknown): Promise<void> {
    if (!isFields(part)) return;
    this.#unchecked.propose(part);
    // A page that the provider's search used, of which the answer has only the address.
    if (part.type === 'source') this.#conversation.declareUnseen();
    if (part.type === 'tool-call') this.#calls.set(part.toolCallId, part);
    if (part.type !== 'tool-result') return;
    const [id, tool] = [String(part.toolCallId), String(part.toolName)];
    const call = this.#calls.get(part.toolCallId);
    this.#conversation.recordCall({ id, tool, arguments: argumentsOf(call?.input) });
    const { result } = part;
    const content = typeof result === 'string' ? result : { json: result ?? null };
    await this.#conversation.frame(this.#conversation.addToolResult({ id, tool, content }));
  }
}

/** A stream that records the parts of an answer before it passes them on. */
export function recorded<Part>(answer: Answer, parts: ReadableStream<Part>): ReadableStream<Part> {
  return parts.pipeThrough(
    new TransformStream<Part, Part>({
      async transform(part, controller) {
        await answer.record(part);
        controller.enqueue(part);
      },
    }),
  );
}
