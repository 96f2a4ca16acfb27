import { protect } from '@sallyport/openai';
import type { OpenAI } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { TOOLS } from '../environment/tools.ts';
import { allowed, type Chat, type ChatInput, givenOf, type Model } from './chat.ts';

const tools = TOOLS.map(({ name, description, parameters }) => ({
  type: 'function' as const,
  function: { name, description, parameters },
}));

function openChat(given: OpenAI, model: string, input: ChatInput): Chat {
  const { conversation, ask, judge } = input;
  const wired =
    conversation && protect(conversation, { client: given, tools, declare: conversation.tools, ask, judge });
  const client = wired?.client ?? given;
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: input.system },
    { role: 'user', content: input.prompt },
  ];
  return {
    async next(results) {
      for (const { id, text } of results) messages.push({ role: 'tool', tool_call_id: id, content: text });
      const { choices, usage } = await client.chat.completions.create({ model, messages, tools });
      const message = choices[0]?.message;
      if (message === undefined) throw new Error('The endpoint must send a choice; its answer has none.');
      messages.push(message);
      const uses = (message.tool_calls ?? []).filter((use) => use.type === 'function');
      return {
        calls: uses.map((use) => ({ id: use.id, tool: use.function.name, given: givenOf(use.function.arguments) })),
        text: message.content ?? '',
        tokens: { input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 },
      };
    },
    async check({ id, tool, given: fields }) {
      if (wired === undefined) return allowed;
      const use = { id, type: 'function', function: { name: tool, arguments: JSON.stringify(fields) } };
      const { outcome, result } = await wired.check(use);
      return { isAllowed: outcome === 'allow', result };
    },
  };
}

/** A model over OpenAI's chat completions, with native tool calls. */
export function openaiModel(client: OpenAI, model: string): Model {
  return {
    name: model,
    chat: (input) => openChat(client, model, input),
    async complete(prompt) {
      const { choices } = await client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: prompt }],
      });
      return choices[0]?.message.content ?? '';
    },
  };
}
