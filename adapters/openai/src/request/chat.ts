import type { Conversation, Turn } from '@sallyport/core';
import { type Fields, isFields, listOf } from '@sallyport/core/adapter';
import { idOf } from '../id.ts';
import { argumentsOf, useOf } from '../use.ts';
import { modelTurns, spokenTurns, unknownSlot, withRules } from './message.ts';
import { contentOf, framedOutput } from './part.ts';
import { kept, replaced, type Slot, showSlots } from './slot.ts';

/** Reads messages in order: a result names its call, and only the call names the tool. */
class Reader {
  readonly #tools = new Map<string, string>();
  // Calls of the deprecated functions API have no id: a result follows its call.
  #functionId: string | undefined;

  read(message: unknown): Slot {
    if (!isFields(message)) return unknownSlot(message);
    switch (message.role) {
      case 'system':
      case 'developer':
        return kept(message, spokenTurns('policy', message.content));
      case 'user':
        return kept(message, spokenTurns('user', message.content));
      case 'assistant':
        return kept(message, [...modelTurns(message.content), ...this.#calls(message)]);
      case 'tool':
        return this.#result(message, idOf(message.tool_call_id, message));
      case 'function':
        return this.#result(message, this.#functionId ?? idOf(undefined, message), String(message.name));
      default:
        return unknownSlot(message);
    }
  }

  *#calls(message: Fields): Generator<Turn> {
    for (const call of listOf(message.tool_calls)) {
      const use = useOf(call);
      if (use === undefined) continue;
      this.#tools.set(use.id, use.tool);
      yield { type: 'call', ...use };
    }
    const { function_call: own } = message;
    if (!isFields(own)) return;
    this.#functionId = idOf(undefined, own);
    yield { type: 'call', id: this.#functionId, tool: String(own.name), arguments: argumentsOf(own.arguments) };
  }

  #result(message: Fields, id: string, tool: string | undefined = this.#tools.get(id)): Slot {
    const { content } = message;
    const turn: Turn = { type: 'result', id, tool, content: contentOf(content) };
    return replaced(message, turn, (framed) => ({ ...message, content: framedOutput(content, framed, 'text') }));
  }
}

/** The body of a chat completions request that the model is sent. The given body is not changed. */
export async function showChat(conversation: Conversation, body: Fields): Promise<Fields> {
  const { messages, web_search_options: search } = body;
  if (!Array.isArray(messages))
    throw new Error(`\`messages\` of a chat completions request must be a list; received ${typeof messages}.`);
  const reader = new Reader();
  if (search !== undefined && search !== null) conversation.declareUnseen();
  const shown = await showSlots(
    conversation,
    messages.map((message) => reader.read(message)),
  );
  return { ...body, messages: withRules(shown, 'text', 'system') };
}
