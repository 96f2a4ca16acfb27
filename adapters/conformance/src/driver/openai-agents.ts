import {
  Agent,
  type AgentInputItem,
  assistant,
  codeInterpreterTool,
  MemorySession,
  type ModelProvider,
  OpenAIProvider,
  Runner,
  RunState,
  type Tool,
  tool,
  webSearchTool,
} from '@openai/agents';
import { protect } from '@sallyport/openai-agents';
import type {
  Answer,
  AnswerPart,
  Driver,
  PersonAnswer,
  Agent as ScenarioAgent,
  ScenarioTool,
  Setup,
} from './driver.ts';

function partOf(part: AnswerPart): unknown {
  switch (part.type) {
    case 'text':
      return part;
    case 'image':
      return { type: 'image', image: { data: part.data, mediaType: part.mediaType } };
    case 'file': {
      const data = Buffer.from(part.text).toString('base64');
      return { type: 'file', file: { data, mediaType: part.mediaType, filename: part.name } };
    }
    case 'link':
      return { type: 'text', text: JSON.stringify({ ...part, type: 'resource_link' }) };
  }
}

function outputOf(answer: Answer): unknown {
  switch (answer.type) {
    case 'text':
      return answer.text;
    case 'json':
      return answer.value;
    case 'parts':
      return answer.parts.map(partOf);
  }
}

function toolsOf(tools: readonly ScenarioTool[]): Tool[] {
  return tools.map(({ name, description, parameters, run }) =>
    tool({
      name,
      description,
      strict: false,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' }])),
        required: [],
        additionalProperties: true,
      },
      execute: async (given) => outputOf(run(given as Record<string, unknown>)),
      // By default the SDK does not show the message of an error to the model.
      errorFunction: (_, error) => String(error),
    }),
  );
}

function providedTools({ provided }: Setup): Tool[] {
  if (provided === undefined) return [];
  return [provided.type === 'search' ? webSearchTool() : codeInterpreterTool()];
}

/** Where the history is stored: in a session of this process, or at the provider. */
type Kept = { readonly session: MemorySession } | { readonly conversationId: string };

async function startWith(setup: Setup, useResponses: boolean, kept: Kept): Promise<ScenarioAgent> {
  const { url, conversation, system, declare, judge, added, stream, person } = setup;
  const bare: ModelProvider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: 'none', useResponses });
  const own = { provider: bare, tools: [...toolsOf(setup.tools), ...providedTools(setup)] };
  const guarded = conversation === undefined ? undefined : protect(conversation, { ...own, declare, judge });
  const { provider } = setup.forgotten === 'model' ? own : (guarded ?? own);
  const { tools } = setup.forgotten === 'tools' ? own : (guarded ?? own);
  const runner = new Runner({ modelProvider: provider, tracingDisabled: true });
  const all = added === undefined ? tools : [...tools, ...toolsOf([added])];
  const agent = new Agent({ name: 'helper', instructions: system, model: 'scripted', tools: all });
  // The text that a user would be shown while the answer arrives.
  let streamed = '';

  async function run(input: string | RunState<unknown, typeof agent>) {
    if (!stream) return runner.run(agent, input, kept);
    const result = await runner.run(agent, input, { ...kept, stream: true });
    streamed = '';
    for await (const piece of result.toTextStream()) {
      streamed += piece;
      setup.onPiece?.(piece);
    }
    await result.completed;
    return result;
  }

  type Ended = Awaited<ReturnType<typeof run>>;
  let last: Ended | undefined;

  function answer(state: RunState<unknown, typeof agent>, answerOf: (tool: string) => PersonAnswer): void {
    for (const item of state.getInterruptions())
      if (answerOf(String(item.name)) === 'approve') state.approve(item);
      else state.reject(item);
  }

  async function runToEnd(input: Parameters<typeof run>[0]): Promise<string> {
    last = await run(input);
    while (last.interruptions.length > 0 && person !== undefined) {
      answer(last.state, person);
      last = await run(last.state);
    }
    return stream ? streamed : last.interruptions.length > 0 ? '' : String(last.finalOutput);
  }

  return {
    say: runToEnd,
    paused: async () => ({ state: last?.state.toString(), kept }),
    async resume(given) {
      const state = await RunState.fromString(agent, String((setup.paused as { state: unknown }).state));
      await guarded?.restore(state);
      answer(state, () => given);
      return runToEnd(state);
    },
    stored: async () => ('session' in kept ? kept.session.getItems() : []),
    compact: async (summary) => {
      if (!('session' in kept)) return;
      await kept.session.clearSession();
      await kept.session.addItems([assistant(summary)]);
    },
  };
}

function startOver(useResponses: boolean): Driver['start'] {
  return (setup) => {
    const session = new MemorySession({ initialItems: (setup.stored ?? []) as AgentInputItem[] });
    const paused = setup.paused as { readonly kept: Kept } | undefined;
    return startWith(setup, useResponses, paused?.kept ?? { session });
  };
}

function pruned(items: readonly AgentInputItem[]): readonly AgentInputItem[] {
  return items.filter(({ type }) => !String(type).startsWith('function_call'));
}

const impossible = { 'no-execute': 'A function of this SDK always runs in it: `execute` is required.' };

/** The OpenAI Agents SDK, over responses. */
export const openaiAgents: Driver = {
  name: 'openai-agents',
  format: 'responses',
  impossible,
  start: startOver(true),
  pruned,
  startHeld: (setup) => startWith(setup, true, { conversationId: 'conv_1' }),
};

/** The same over chat completions, which other providers support. */
export const openaiAgentsChat: Driver = {
  name: 'openai-agents over chat completions',
  format: 'chat',
  impossible: {
    ...impossible,
    parts:
      'Over chat completions the SDK keeps the texts of a result, joins them into one, and drops images and files.',
    'held-state': 'Chat completions hold no state, and the SDK sends the whole history.',
    ...Object.fromEntries(
      ['provider-code', 'provider-search', 'provider-undeclared'].map((id) => [
        id,
        'The SDK has tools that the provider runs over responses alone: over chat completions it refuses them.',
      ]),
    ),
  },
  start: startOver(false),
  pruned,
};
