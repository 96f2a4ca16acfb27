import type { Anthropic } from '@anthropic-ai/sdk';
import { protect } from '@sallyport/anthropic';
import { TOOLS } from '../environment/tools.ts';
import { allowed, type Chat, type ChatInput, type Model } from './chat.ts';

const MAX_TOKENS = 2048;

const tools = TOOLS.map(({ name, description, parameters }) => ({
  name,
  description,
  input_schema: { ...parameters, type: 'object' as const },
}));

function openChat(given: Anthropic, model: string, input: ChatInput): Chat {
  const { conversation, ask, judge } = input;
  const client = conversation
    ? protect(conversation, { client: given, tools, declare: conversation.tools, judge }).client
    : given;
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: input.prompt }];
  return {
    async next(results) {
      if (results.length > 0)
        messages.push({
          role: 'user',
          content: results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })),
        });
      const body = { model, max_tokens: MAX_TOKENS, system: input.system, messages, tools };
      const { content, usage } = await client.messages.create(body);
      messages.push({ role: 'assistant', content });
      const uses = content.filter((block) => block.type === 'tool_use');
      return {
        calls: uses.map((use) => ({ id: use.id, tool: use.name, given: { ...(use.input as object) } })),
        text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
        tokens: { input: usage.input_tokens, output: usage.output_tokens },
      };
    },
    async check({ id, tool, given: fields }) {
      if (conversation === undefined) return allowed;
      const { outcome, result } = await conversation.check({ id, tool, arguments: fields }, { ask });
      return { isAllowed: outcome === 'allow', result };
    },
  };
}

/** A model over Anthropic's messages. */
export function anthropicModel(client: Anthropic, model: string): Model {
  return {
    name: model,
    chat: (input) => openChat(client, model, input),
    async complete(prompt) {
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }];
      const { content } = await client.messages.create({ model, max_tokens: MAX_TOKENS, messages });
      return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    },
  };
}
