import { createOpenAI } from '@ai-sdk/openai';
import { protect } from '@sallyport/ai-sdk';
import * as ai from 'ai';
import type { Agent, Answer, AnswerPart, Driver, ScenarioTool, Setup } from './driver.ts';

type Output = { type: 'text'; value: string } | { type: 'json'; value: never } | { type: 'content'; value: never };

function partOf(part: AnswerPart): unknown {
  switch (part.type) {
    case 'text':
      return part;
    case 'image':
      return { type: 'file', mediaType: part.mediaType, data: { type: 'data', data: part.data } };
    case 'file':
      return { type: 'file', mediaType: part.mediaType, filename: part.name, data: { type: 'text', text: part.text } };
    case 'link':
      return { type: 'text', text: JSON.stringify({ ...part, type: 'resource_link' }) };
  }
}

function outputOf(answer: Answer): Output {
  switch (answer.type) {
    case 'text':
      return { type: 'text', value: answer.text };
    case 'json':
      return { type: 'json', value: answer.value as never };
    case 'parts':
      return { type: 'content', value: answer.parts.map(partOf) as never };
  }
}

function toolsOf(tools: readonly ScenarioTool[]): ai.ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters, run }) => [
      name,
      ai.tool({
        description,
        inputSchema: ai.jsonSchema<Record<string, unknown>>({
          type: 'object',
          properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' }])),
        }),
        execute: async (given) => run(given),
        toModelOutput: ({ output }) => outputOf(output),
      }),
    ]),
  );
}

interface Ended {
  readonly text: string;
  readonly messages: readonly ai.ModelMessage[];
  readonly approvals: readonly { readonly approvalId: string; readonly tool: string }[];
}

/** Members that have another name in version 6. */
const six = ai as unknown as { stepCountIs?: typeof ai.isStepCount };
const isSix = ai.isStepCount === undefined;

function stopsAfter(count: number): ReturnType<typeof ai.isStepCount> {
  return (six.stepCountIs ?? ai.isStepCount)(count);
}

function saying(system: string): { readonly instructions: string } {
  return isSix ? ({ system } as unknown as { instructions: string }) : { instructions: system };
}

interface Answered {
  readonly responseMessages: PromiseLike<readonly ai.ModelMessage[]> | readonly ai.ModelMessage[];
  readonly response: PromiseLike<{ messages: readonly ai.ModelMessage[] }> | { messages: readonly ai.ModelMessage[] };
}

async function messagesOf({ responseMessages, response }: Answered): Promise<readonly ai.ModelMessage[]> {
  return isSix ? (await response).messages : responseMessages;
}

async function start({
  url,
  conversation,
  system,
  tools,
  declare,
  added,
  stream,
  person,
  stored,
}: Setup): Promise<Agent> {
  const bare = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('scripted');
  const offered = { model: bare as Exclude<ai.LanguageModel, string>, tools: toolsOf(tools) };
  const { model, tools: guarded } =
    conversation === undefined ? offered : protect(conversation, { ...offered, declare });
  const set = added === undefined ? guarded : { ...guarded, ...toolsOf([added]) };
  let messages = (stored ?? []) as ai.ModelMessage[];

  async function run(): Promise<Ended> {
    const options = { model, tools: set, ...saying(system), messages, stopWhen: stopsAfter(8) };
    const result = stream ? ai.streamText(options) : await ai.generateText(options);
    if (stream) await (result as ReturnType<typeof ai.streamText>).consumeStream();
    const content = await result.content;
    const approvals = content.flatMap((part) =>
      part.type === 'tool-approval-request' ? [{ approvalId: part.approvalId, tool: part.toolCall.toolName }] : [],
    );
    return { text: await result.text, messages: await messagesOf(result), approvals };
  }

  return {
    async say(text) {
      messages = [...messages, { role: 'user', content: text }];
      for (;;) {
        const ended = await run();
        messages = JSON.parse(JSON.stringify([...messages, ...ended.messages])) as ai.ModelMessage[];
        if (ended.approvals.length === 0) return ended.text;
        const answers = ended.approvals.map(({ approvalId, tool: name }) => ({
          type: 'tool-approval-response' as const,
          approvalId,
          approved: person(name) === 'approve',
        }));
        messages = [...messages, { role: 'tool', content: answers }];
      }
    },
    stored: async () => messages,
    compact: async (summary) => {
      messages = [{ role: 'assistant', content: summary }];
    },
  };
}

/** The Vercel AI SDK, over chat completions. */
export const aiSdk: Driver = {
  name: 'ai-sdk',
  format: 'chat',
  impossible: { 'held-state': 'The SDK keeps the history itself and sends all of it.' },
  start,
};
