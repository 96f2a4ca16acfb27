// Tools for models without tool calls: the model writes a call as JSON. The library is used without an adapter.
import type { OpenAI } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { dangerouslyTrust, prompt } from 'sallyport';
import { TOOLS } from '../environment/tools.ts';
import { allowed, type Chat, type ChatInput, givenOf, type Model, type Use } from './chat.ts';

const MAX_TOKENS = 64;

/** What such a model is told in addition to the system message. */
function protocolOf(offered: readonly string[]): string {
  const lines = TOOLS.filter(({ name }) => offered.includes(name)).map(({ name, parameters }) => {
    const names = Object.keys(parameters.properties as object).map((each) => `"${each}": ...`);
    return `{"tool": "${name}", "arguments": {${names.join(', ')}}}`;
  });
  return `To use a tool, answer with one line of JSON and nothing else. The tools:\n${lines.join('\n')}\nWhen all is done, answer with one sentence.`;
}

/** The first JSON object of a text that names a tool; undefined if there is none. */
export function callIn(text: string, id: string): Use | undefined {
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1))
    for (let end = text.indexOf('}', start); end >= 0; end = text.indexOf('}', end + 1)) {
      const { tool, arguments: given } = givenOf(text.slice(start, end + 1));
      if (typeof tool === 'string') return { id, tool, given: givenOf(JSON.stringify(given ?? {})) };
    }
  return undefined;
}

function openChat(client: OpenAI, model: string, input: ChatInput): Chat {
  const { conversation, ask } = input;
  let system = `${input.system}\n${protocolOf(input.offered)}`;
  const policy = prompt[dangerouslyTrust](system);
  const messages: ChatCompletionMessageParam[] = [];
  let count = 0;

  async function begin(): Promise<void> {
    if (conversation === undefined) return void messages.push({ role: 'user', content: input.prompt });
    const asked = conversation.addUserMessage(input.prompt);
    ({ system } = await conversation.request({ policy }));
    messages.push({ role: 'user', content: (await conversation.frame(asked)).text });
  }

  async function shown({ id, tool, text }: Use & { readonly text: string }): Promise<string> {
    if (conversation === undefined) return text;
    const record = conversation.addToolResult({ id, tool, content: text });
    ({ system } = await conversation.request({ policy }));
    return (await conversation.frame(record)).text;
  }

  return {
    async next(results) {
      if (messages.length === 0) await begin();
      for (const result of results)
        messages.push({ role: 'user', content: `Result of ${result.tool}: ${await shown(result)}` });
      const body = {
        model,
        max_tokens: MAX_TOKENS,
        temperature: 0,
        messages: [{ role: 'system' as const, content: system }, ...messages],
      };
      const { choices, usage } = await client.chat.completions.create(body);
      const text = choices[0]?.message.content ?? '';
      messages.push({ role: 'assistant', content: text });
      const use = callIn(text, `call_${count++}`);
      return {
        calls: use === undefined ? [] : [use],
        text: conversation === undefined ? text : conversation.sanitizeOutput(text).text,
        tokens: { input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 },
      };
    },
    async check({ id, tool, given }) {
      if (conversation === undefined) return allowed;
      const call = conversation.recordCall({ id, tool, arguments: given });
      const { outcome, result } = await conversation.check(call, { ask });
      return { isAllowed: outcome === 'allow', result };
    },
  };
}

/** A model over OpenAI's chat completions that has no tool calls of its own. */
export function textModel(client: OpenAI, model: string): Model {
  return {
    name: model,
    chat: (input) => openChat(client, model, input),
    async complete(text) {
      const { choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content: text }] });
      return choices[0]?.message.content ?? '';
    },
  };
}
