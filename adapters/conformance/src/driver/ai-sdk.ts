import { createOpenAI } from '@ai-sdk/openai';
import { protect } from '@sallyport/ai-sdk';
import * as ai from 'ai';
import {
  type Agent,
  type Answer,
  type AnswerPart,
  type Driver,
  declarationOf,
  type PersonAnswer,
  type ScenarioTool,
  type Setup,
} from './driver.ts';

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
    tools.map(({ name, description, parameters, run, isElsewhere = false }) => {
      const inputSchema = ai.jsonSchema<Record<string, unknown>>({
        type: 'object',
        properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' }])),
      });
      if (isElsewhere) return [name, ai.tool({ description, inputSchema })];
      const execute = async (given: Record<string, unknown>): Promise<Answer> => run(given);
      return [name, ai.tool({ description, inputSchema, execute, toModelOutput: ({ output }) => outputOf(output) })];
    }),
  );
}

interface Ended {
  readonly text: string;
  readonly messages: readonly ai.ModelMessage[];
  readonly approvals: readonly Waiting[];
  /** The tools of calls without a result. */
  readonly handed: readonly string[];
}

interface Waiting {
  readonly approvalId: string;
  readonly tool: string;
}

interface Paused {
  readonly messages: ai.ModelMessage[];
  readonly waiting: readonly Waiting[];
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

/** The tools of OpenAI's responses. */
function providedTools({ provided }: Setup, { tools }: ReturnType<typeof createOpenAI>): ai.ToolSet {
  if (provided === undefined) return {};
  return provided.type === 'search' ? { web_search: tools.webSearch() } : { code_interpreter: tools.codeInterpreter() };
}

async function startWith(setup: Setup, useResponses: boolean): Promise<Agent> {
  const { url, conversation, system, tools, added, stream, onPiece, person, stored, paused } = setup;
  const { judge, provided, forgotten } = setup;
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' });
  const bare = useResponses ? openai.responses('scripted') : openai.chat('scripted');
  const theirs = providedTools(setup, openai);
  const declare = { ...setup.declare, ...declarationOf(provided, Object.keys(theirs).join()) };
  const offered = { model: bare as Exclude<ai.LanguageModel, string>, tools: { ...toolsOf(tools), ...theirs } };
  const behind = conversation === undefined ? offered : protect(conversation, { ...offered, declare, judge });
  const model = forgotten === 'model' ? offered.model : behind.model;
  const guarded = forgotten === 'tools' ? offered.tools : behind.tools;
  const set = added === undefined ? guarded : { ...guarded, ...toolsOf([added]) };
  let messages = (stored ?? []) as ai.ModelMessage[];
  let waiting: readonly Waiting[] = [];
  let handed: readonly string[] = [];

  async function run(): Promise<Ended> {
    const options = { model, tools: set, ...saying(system), messages, stopWhen: stopsAfter(8) };
    const result = stream ? ai.streamText(options) : await ai.generateText(options);
    if (stream) for await (const piece of (result as ReturnType<typeof ai.streamText>).textStream) onPiece?.(piece);
    const content = await result.content;
    const approvals = content.flatMap((part) =>
      part.type === 'tool-approval-request' ? [{ approvalId: part.approvalId, tool: part.toolCall.toolName }] : [],
    );
    const answered = content.flatMap((part) => (/^tool-(?:result|error)$/.test(part.type) ? [part] : []));
    const ids = new Set(answered.map((part) => (part as { toolCallId?: string }).toolCallId));
    const handed = content.flatMap((part) =>
      part.type === 'tool-call' && !ids.has(part.toolCallId) ? [part.toolName] : [],
    );
    return { text: await result.text, messages: await messagesOf(result), approvals, handed };
  }

  function answer(answerOf: (tool: string) => PersonAnswer): void {
    const answers = waiting.map(({ approvalId, tool: name }) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved: answerOf(name) === 'approve',
    }));
    messages = [...messages, { role: 'tool', content: answers }];
  }

  async function runToEnd(): Promise<string> {
    for (;;) {
      const ended = await run();
      messages = JSON.parse(JSON.stringify([...messages, ...ended.messages])) as ai.ModelMessage[];
      waiting = ended.approvals;
      handed = ended.handed.filter((name) => !waiting.some(({ tool }) => tool === name));
      if (waiting.length === 0 || person === undefined) return ended.text;
      answer(person);
    }
  }

  return {
    say(text) {
      messages = [...messages, { role: 'user', content: text }];
      return runToEnd();
    },
    handedOver: async () => handed,
    paused: async (): Promise<Paused> => ({ messages, waiting }),
    resume(given) {
      ({ messages, waiting } = paused as Paused);
      answer(() => given);
      return runToEnd();
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
  start: (setup) => startWith(setup, false),
  pruned: (messages: ai.ModelMessage[]) => ai.pruneMessages({ messages, toolCalls: 'all' }),
  providing: { format: 'responses', start: (setup) => startWith(setup, true) },
};
