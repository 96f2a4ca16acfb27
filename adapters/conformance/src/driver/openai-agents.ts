import {
  Agent,
  type AgentInputItem,
  assistant,
  MemorySession,
  type ModelProvider,
  OpenAIProvider,
  Runner,
  type RunState,
  type Tool,
  tool,
} from '@openai/agents';
import { protect } from '@sallyport/openai-agents';
import type { Answer, AnswerPart, Driver, Agent as ScenarioAgent, ScenarioTool, Setup } from './driver.ts';

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

/** Where the history is stored: in a session of this process, or at the provider. */
type Kept = { readonly session: MemorySession } | { readonly conversationId: string };

async function startWith(setup: Setup, useResponses: boolean, kept: Kept): Promise<ScenarioAgent> {
  const { url, conversation, system, declare, added, stream, person } = setup;
  const bare: ModelProvider = new OpenAIProvider({ baseURL: `${url}/v1`, apiKey: 'none', useResponses });
  const own = { provider: bare, tools: toolsOf(setup.tools) };
  const { provider, tools } = conversation === undefined ? own : protect(conversation, { ...own, declare });
  const runner = new Runner({ modelProvider: provider, tracingDisabled: true });
  const all = added === undefined ? tools : [...tools, ...toolsOf([added])];
  const agent = new Agent({ name: 'helper', instructions: system, model: 'scripted', tools: all });
  // What a user would be shown while the answer arrives.
  let streamed = '';

  async function run(input: string | RunState<unknown, typeof agent>) {
    if (!stream) return runner.run(agent, input, kept);
    const result = await runner.run(agent, input, { ...kept, stream: true });
    streamed = '';
    for await (const piece of result.toTextStream()) streamed += piece;
    await result.completed;
    return result;
  }

  return {
    async say(text) {
      let ended = await run(text);
      while (ended.interruptions.length > 0) {
        for (const item of ended.interruptions)
          if (person(String(item.name)) === 'approve') ended.state.approve(item);
          else ended.state.reject(item);
        ended = await run(ended.state);
      }
      return stream ? streamed : String(ended.finalOutput);
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
    return startWith(setup, useResponses, { session });
  };
}

/** The OpenAI Agents SDK, over responses. */
export const openaiAgents: Driver = {
  name: 'openai-agents',
  format: 'responses',
  impossible: {},
  start: startOver(true),
  startHeld: (setup) => startWith(setup, true, { conversationId: 'conv_1' }),
};

/** The same over chat completions, which other providers support. */
export const openaiAgentsChat: Driver = {
  name: 'openai-agents over chat completions',
  format: 'chat',
  impossible: {
    parts:
      'Over chat completions the SDK keeps the texts of a result, joins them into one, and drops images and files.',
    'held-state': 'Chat completions hold no state, and the SDK sends the whole history.',
  },
  start: startOver(false),
};
