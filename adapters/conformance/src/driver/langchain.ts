import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  RemoveMessage,
  type StoredMessage,
} from '@langchain/core/messages';
import {
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  REMOVE_ALL_MESSAGES,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { type HeldCall, protect } from '@sallyport/langchain';
import * as langchainModule from 'langchain';
import {
  createAgent,
  createMiddleware,
  HumanMessage,
  type StructuredTool,
  SystemMessage,
  ToolMessage,
  tool,
} from 'langchain';
import type { Agent, Answer, AnswerPart, Driver, ScenarioTool, Setup } from './driver.ts';

/** An error of a tool is shown to the model. Before version 1.5 that needed a custom middleware. */
const tellsErrors =
  langchainModule.toolErrorMiddleware?.({ onError: (error) => String(error) }) ??
  createMiddleware({
    name: 'TellsErrors',
    wrapToolCall: async (request, handler) => {
      try {
        return await handler(request);
      } catch (error) {
        // A graph pauses by throwing.
        if ((error as Error).name === 'GraphInterrupt') throw error;
        const { id = '', name } = request.toolCall;
        return new ToolMessage({ tool_call_id: id, name, status: 'error', content: String(error) });
      }
    },
  });

function partOf(part: AnswerPart): unknown {
  switch (part.type) {
    case 'text':
      return part;
    case 'image':
      return { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
    case 'file':
      return {
        type: 'file',
        source_type: 'text',
        mime_type: part.mediaType,
        text: part.text,
        metadata: { name: part.name },
      };
    case 'link': {
      const { name, description } = part;
      return { type: 'file', source_type: 'url', url: part.uri, metadata: { name, description } };
    }
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

function toolsOf(tools: readonly ScenarioTool[]): StructuredTool[] {
  return tools.map(({ name, description, parameters, run }) =>
    tool(async (given: unknown) => outputOf(run(given as Readonly<Record<string, unknown>>)), {
      name,
      description,
      schema: {
        type: 'object',
        properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' as const }])),
      },
    }),
  );
}

function modelOf(url: string): ChatOpenAI {
  return new ChatOpenAI({
    model: 'scripted',
    apiKey: 'none',
    configuration: { baseURL: `${url}/v1` },
  });
}

const CONFIG = { configurable: { thread_id: 'scenario' } };

interface State {
  readonly values: { readonly messages?: BaseMessage[] };
  readonly tasks: readonly { readonly interrupts: readonly { readonly value?: unknown }[] }[];
}

/** The common part of agents and graphs. */
interface Graph {
  run(input: { messages: BaseMessage[] } | Command): Promise<void>;
  getState(): Promise<State>;
  update(messages: BaseMessage[]): Promise<unknown>;
}

async function agentOf(graph: Graph, { person, stored }: Setup): Promise<Agent> {
  const messages = async (): Promise<BaseMessage[]> => (await graph.getState()).values.messages ?? [];
  if (stored !== undefined) await graph.update(mapStoredMessagesToChatMessages(stored as StoredMessage[]));
  return {
    async say(text) {
      let input: Parameters<Graph['run']>[0] = { messages: [new HumanMessage(text)] };
      for (;;) {
        await graph.run(input);
        const { tasks } = await graph.getState();
        const held = tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value as HeldCall));
        if (held.length === 0) return (await messages()).at(-1)?.text ?? '';
        input = new Command({ resume: Object.fromEntries(held.map(({ id, tool: name }) => [id, person(name)])) });
      }
    },
    stored: async () => mapChatMessagesToStoredMessages(await messages()),
    // As summarizationMiddleware does.
    compact: async (summary) => {
      const message = new HumanMessage({ content: summary, additional_kwargs: { lc_source: 'summarization' } });
      await graph.update([new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), message]);
    },
  };
}

async function consume(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** The model and the tools of a scenario, behind the boundary or without it, and the tool that the application adds. */
function wired({ url, conversation, tools, declare, added }: Setup): { model: ChatOpenAI; tools: StructuredTool[] } {
  const bare = { model: modelOf(url), tools: toolsOf(tools) };
  const { model, tools: set } = conversation === undefined ? bare : protect(conversation, { ...bare, declare });
  return { model, tools: added === undefined ? set : [...set, ...toolsOf([added])] };
}

async function start(setup: Setup): Promise<Agent> {
  const { system, stream } = setup;
  const agent = createAgent({
    ...wired(setup),
    systemPrompt: system,
    checkpointer: new MemorySaver(),
    middleware: [tellsErrors],
  });
  const graph: Graph = {
    run: async (input) => {
      if (stream) await consume(await agent.stream(input as never, { ...CONFIG, streamMode: 'messages' }));
      else await agent.invoke(input as never, CONFIG);
    },
    getState: async () => (await agent.graph.getState(CONFIG)) as unknown as State,
    update: (messages) => agent.graph.updateState(CONFIG, { messages } as never),
  };
  return agentOf(graph, setup);
}

async function startGraph(setup: Setup): Promise<Agent> {
  const { system, stream } = setup;
  const { model, tools } = wired(setup);
  const bound = model.bindTools(tools);
  const compiled = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({
      messages: [await bound.invoke([new SystemMessage(system), ...messages])],
    }))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer: new MemorySaver() });
  const graph: Graph = {
    run: async (input) => {
      if (stream) await consume(await compiled.stream(input as never, { ...CONFIG, streamMode: 'messages' }));
      else await compiled.invoke(input as never, CONFIG);
    },
    getState: async () => (await compiled.getState(CONFIG)) as State,
    update: (messages) => compiled.updateState(CONFIG, { messages }),
  };
  return agentOf(graph, setup);
}

const impossible = { 'held-state': 'LangChain keeps the history in the state of its graph and sends all of it.' };

/** An agent of LangChain, over chat completions. */
export const langchain: Driver = { name: 'langchain', format: 'chat', impossible, start };

/** A LangGraph graph of one's own. */
export const langgraph: Driver = { name: 'langgraph', format: 'chat', impossible, start: startGraph };
