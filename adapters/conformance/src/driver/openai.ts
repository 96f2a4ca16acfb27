import type { Decision } from '@sallyport/core';
import { protect } from '@sallyport/openai';
import { OpenAI } from 'openai';
import {
  type Agent,
  type Answer,
  type AnswerPart,
  askOf,
  type Driver,
  declarationOf,
  type ScenarioTool,
  type Setup,
} from './driver.ts';

type ChatMessage = OpenAI.ChatCompletionMessageParam;
type Item = OpenAI.Responses.ResponseInputItem;
type Output = OpenAI.Responses.ResponseInputItem.FunctionCallOutput['output'];
type Response = OpenAI.Responses.Response;

interface Parts<T> {
  readonly client: OpenAI;
  readonly tools: T[];
  readonly check: ((call: object) => Promise<Decision>) | undefined;
}

/** Tools of the responses API. */
const PROVIDED = {
  search: { name: 'web_search', tool: { type: 'web_search' } },
  code: { name: 'code_interpreter', tool: { type: 'code_interpreter', container: { type: 'auto' } } },
} as const;

/** The client and the tools of a scenario, protected unless it plays without the boundary. */
function partsOf<T extends object>(setup: Setup, toolOf: (tool: ScenarioTool) => T, useResponses: boolean): Parts<T> {
  const { url, conversation, judge, added, person, provided } = setup;
  const bare = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' });
  const theirs = provided === undefined ? undefined : PROVIDED[provided.type];
  const isTool = theirs !== undefined && useResponses;
  const own = [...setup.tools.map(toolOf), ...(isTool ? [theirs.tool as object as T] : [])];
  const declare = { ...setup.declare, ...(isTool ? declarationOf(provided, theirs.name) : {}) };
  const { client, tools, check } =
    conversation === undefined
      ? { client: bare, tools: own, check: undefined }
      : protect(conversation, { client: bare, tools: own, declare: declare as never, judge, ...askOf(person) });
  const used = setup.forgotten === 'tools' ? own : tools;
  return {
    client: setup.forgotten === 'model' ? bare : client,
    tools: added === undefined ? used : [...used, toolOf(added)],
    check: setup.forgotten === 'tools' ? undefined : check,
  };
}

function schemaOf(parameters: readonly string[]): { type: 'object'; properties: Record<string, { type: 'string' }> } {
  return { type: 'object', properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' }])) };
}

/** With this package a tool that throws ends the run, so a tool returns an error that the model should see. */
function answerOf({ run }: ScenarioTool, given: Readonly<Record<string, unknown>>): Answer {
  try {
    return run(given);
  } catch (error) {
    return { type: 'text', text: String(error) };
  }
}

function givenBack(answer: Answer): unknown {
  switch (answer.type) {
    case 'text':
      return answer.text;
    case 'json':
      return answer.value;
    case 'parts':
      return answer.parts;
  }
}

function chatTool(tool: ScenarioTool) {
  const { name, description, parameters, isElsewhere = false } = tool;
  const definition = { name, description, parameters: schemaOf(parameters) };
  if (isElsewhere) return { type: 'function' as const, function: definition as never };
  return {
    type: 'function' as const,
    function: {
      ...definition,
      parse: (written: string) => JSON.parse(written) as Record<string, unknown>,
      function: async (given: Record<string, unknown>) => givenBack(answerOf(tool, given)),
    },
  };
}

async function startChat(setup: Setup): Promise<Agent> {
  const { client, tools } = partsOf(setup, chatTool, false);
  const system: ChatMessage = { role: 'system', content: setup.system };
  let messages = (setup.stored ?? []) as readonly ChatMessage[];
  return {
    async say(text) {
      const body = {
        model: 'scripted',
        tools,
        messages: [system, ...messages, { role: 'user' as const, content: text }],
        // The one tool of this API that the provider runs.
        ...(setup.provided?.type === 'search' ? { web_search_options: {} } : {}),
      };
      const runner = setup.stream
        ? client.chat.completions.runTools({ ...body, stream: true }).on('content', (piece) => setup.onPiece?.(piece))
        : client.chat.completions.runTools(body);
      const said = await runner.finalContent();
      messages = runner.messages.slice(1);
      return said ?? '';
    },
    stored: async () => messages,
    compact: async (summary) => {
      messages = [{ role: 'assistant', content: summary }];
    },
  };
}

function partOf(part: AnswerPart): Exclude<Output, string>[number] {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return { type: 'input_image', detail: 'auto', image_url: `data:${part.mediaType};base64,${part.data}` };
    case 'file': {
      const data = Buffer.from(part.text).toString('base64');
      return { type: 'input_file', filename: part.name, file_data: `data:${part.mediaType};base64,${data}` };
    }
    case 'link':
      return { type: 'input_text', text: JSON.stringify({ ...part, type: 'resource_link' }) };
  }
}

function outputOf(answer: Answer): Output {
  switch (answer.type) {
    case 'text':
      return answer.text;
    case 'json':
      return JSON.stringify(answer.value);
    case 'parts':
      return answer.parts.map(partOf);
  }
}

/** Older versions of the package do not provide the combined text of a streamed response. */
function saidIn({ output }: Response): string {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  return parts.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
}

function responsesTool({ name, description, parameters }: ScenarioTool) {
  return { type: 'function' as const, name, description, parameters: { ...schemaOf(parameters) }, strict: false };
}

/** A simple loop: call the model, run its tool calls, until it makes none. */
async function startResponses(setup: Setup, isHeld: boolean): Promise<Agent> {
  const { client, tools, check } = partsOf(setup, responsesTool, true);
  let history = (setup.stored ?? []) as readonly Item[];
  let previous: string | undefined;
  // The text that a user would be shown while the answer arrives.
  let streamed = '';

  async function ask(input: readonly Item[]): Promise<Response> {
    const held = previous === undefined ? {} : { previous_response_id: previous };
    const body = { model: 'scripted', instructions: setup.system, tools, input: [...input], ...held };
    if (!setup.stream) return client.responses.create(body);
    const stream = client.responses.stream(body);
    streamed = '';
    stream.on('response.output_text.delta', ({ delta }) => {
      streamed += delta;
      setup.onPiece?.(delta);
    });
    return stream.finalResponse();
  }

  async function outputOfCall(call: OpenAI.Responses.ResponseFunctionToolCall): Promise<Output> {
    const tool = setup.tools.find(({ name }) => name === call.name);
    if (tool === undefined) return `There is no tool ${call.name}.`;
    const decision = await check?.(call);
    if (decision !== undefined && decision.outcome !== 'allow') return decision.result;
    return outputOf(answerOf(tool, JSON.parse(call.arguments) as Record<string, unknown>));
  }

  return {
    async say(text) {
      let fresh: readonly Item[] = [{ role: 'user', content: text }];
      for (;;) {
        const response = await ask(isHeld ? fresh : [...history, ...fresh]);
        previous = isHeld ? response.id : undefined;
        history = [...history, ...fresh, ...(response.output as Item[])];
        const calls = response.output.filter((item) => item.type === 'function_call');
        if (calls.length === 0) return setup.stream ? streamed : saidIn(response);
        fresh = await Promise.all(
          calls.map(async (call) => {
            return { type: 'function_call_output' as const, call_id: call.call_id, output: await outputOfCall(call) };
          }),
        );
      }
    },
    stored: async () => history,
    compact: async (summary) => {
      history = [{ role: 'assistant', content: summary }];
    },
  };
}

/** The `openai` package, over chat completions. */
export const openaiChat: Driver = {
  name: 'openai chat',
  format: 'chat',
  impossible: {
    parts: 'A result in chat completions is text alone, and runTools makes text of whatever a tool gives.',
    'held-state': 'With chat completions the history is sent whole every time.',
    'no-execute':
      'runTools fails with a tool that has no function. In a loop of your own no tool has one: see the column of responses.',
    'provider-code':
      'The provider runs no code in chat completions, only a search, of which the answer has the addresses.',
  },
  start: startChat,
  pruned: (messages: readonly ChatMessage[]) =>
    messages
      .filter(({ role, content }) => role !== 'tool' && content !== null)
      .map(({ role, content }) => ({ role, content })),
};

/** The `openai` package, over responses. */
export const openaiResponses: Driver = {
  name: 'openai responses',
  format: 'responses',
  impossible: {},
  start: (setup) => startResponses(setup, false),
  pruned: (items: readonly Item[]) => items.filter(({ type }) => !String(type).startsWith('function_call')),
  startHeld: (setup) => startResponses(setup, true),
};
