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
import type { Agent, Answer, AnswerPart, Driver, PersonAnswer, ScenarioTool, Setup } from './driver.ts';

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
  return tools.map(({ name, description, parameters, run, isElsewhere = false }) => {
    const schema = {
      type: 'object' as const,
      properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' as const }])),
    };
    if (isElsewhere) return { type: 'function', function: { name, description, parameters: schema } } as never;
    return tool(async (given: unknown) => outputOf(run(given as Readonly<Record<string, unknown>>)), {
      name,
      description,
      schema,
    });
  });
}

function modelOf(url: string, useResponsesApi: boolean): ChatOpenAI {
  return new ChatOpenAI({
    useResponsesApi,
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

async function agentOf(graph: Graph, saver: MemorySaver, { person, stored }: Setup): Promise<Agent> {
  const messages = async (): Promise<BaseMessage[]> => (await graph.getState()).values.messages ?? [];
  if (stored !== undefined) await graph.update(mapStoredMessagesToChatMessages(stored as StoredMessage[]));

  const held = async (): Promise<HeldCall[]> =>
    (await graph.getState()).tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value as HeldCall));

  function answered(calls: readonly HeldCall[], answerOf: (tool: string) => PersonAnswer): Command {
    return new Command({ resume: Object.fromEntries(calls.map(({ id, tool: name }) => [id, answerOf(name)])) });
  }

  async function runToEnd(first: Parameters<Graph['run']>[0]): Promise<string> {
    let input = first;
    for (;;) {
      await graph.run(input);
      const calls = await held();
      if (calls.length === 0 || person === undefined) return (await messages()).at(-1)?.text ?? '';
      input = answered(calls, person);
    }
  }

  return {
    say: (text) => runToEnd({ messages: [new HumanMessage(text)] }),
    paused: async () => saver,
    resume: async (given) => runToEnd(answered(await held(), () => given)),
    stored: async () => mapChatMessagesToStoredMessages(await messages()),
    // As summarizationMiddleware does.
    compact: async (summary) => {
      const message = new HumanMessage({ content: summary, additional_kwargs: { lc_source: 'summarization' } });
      await graph.update([new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), message]);
    },
  };
}

/** Where the graph is stored. A paused run is resumed from the same store. */
function saverOf({ paused }: Setup): MemorySaver {
  return (paused as MemorySaver | undefined) ?? new MemorySaver();
}

/** Reads a stream in the mode `messages`: pairs of a piece and its metadata. */
async function consume(stream: AsyncIterable<unknown>, { onPiece }: Setup): Promise<void> {
  for await (const pair of stream) {
    const [message] = pair as [BaseMessage];
    if (message.type === 'ai') onPiece?.(message.text);
  }
}

/** Tools of OpenAI's responses. */
const PROVIDED = {
  search: { type: 'web_search' },
  code: { type: 'code_interpreter', container: { type: 'auto' } },
} as const;

/** The model and the tools of a scenario, behind the boundary or without it, and the tool that the application adds. */
function wired(setup: Setup, useResponses: boolean): { model: ChatOpenAI; tools: StructuredTool[] } {
  const { url, conversation, tools, declare, judge, added, provided } = setup;
  const theirs = provided === undefined ? [] : [PROVIDED[provided.type] as object as StructuredTool];
  const bare = { model: modelOf(url, useResponses), tools: [...toolsOf(tools), ...theirs] };
  const behind = conversation === undefined ? bare : protect(conversation, { ...bare, declare, judge });
  const { model } = setup.forgotten === 'model' ? bare : behind;
  const { tools: set } = setup.forgotten === 'tools' ? bare : behind;
  return { model, tools: added === undefined ? set : [...set, ...toolsOf([added])] };
}

async function start(setup: Setup, useResponses = false): Promise<Agent> {
  const { system, stream } = setup;
  const saver = saverOf(setup);
  const agent = createAgent({
    ...wired(setup, useResponses),
    systemPrompt: system,
    checkpointer: saver,
    middleware: [tellsErrors],
  });
  const graph: Graph = {
    run: async (input) => {
      if (stream) await consume(await agent.stream(input as never, { ...CONFIG, streamMode: 'messages' }), setup);
      else await agent.invoke(input as never, CONFIG);
    },
    getState: async () => (await agent.graph.getState(CONFIG)) as unknown as State,
    update: (messages) => agent.graph.updateState(CONFIG, { messages } as never),
  };
  return agentOf(graph, saver, setup);
}

async function startGraph(setup: Setup, useResponses = false): Promise<Agent> {
  const { system, stream } = setup;
  const { model, tools } = wired(setup, useResponses);
  const bound = model.bindTools(tools);
  const saver = saverOf(setup);
  const compiled = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({
      messages: [await bound.invoke([new SystemMessage(system), ...messages])],
    }))
    .addNode('tools', new ToolNode(tools.filter((each) => 'invoke' in each)))
    .addEdge(START, 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer: saver });
  const graph: Graph = {
    run: async (input) => {
      if (stream) await consume(await compiled.stream(input as never, { ...CONFIG, streamMode: 'messages' }), setup);
      else await compiled.invoke(input as never, CONFIG);
    },
    getState: async () => (await compiled.getState(CONFIG)) as State,
    update: (messages) => compiled.updateState(CONFIG, { messages }),
  };
  return agentOf(graph, saver, setup);
}

const impossible = { 'held-state': 'LangChain keeps the history in the state of its graph and sends all of it.' };

function pruned(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const said = messages.filter(({ type, data }) => type !== 'tool' && data.content !== '');
  return said.map(({ type, data: { content, role, name, tool_call_id } }) => {
    return { type, data: { content, role, name, tool_call_id } };
  });
}

/** An agent of LangChain, over chat completions. */
export const langchain: Driver = {
  name: 'langchain',
  format: 'chat',
  impossible,
  start: (setup) => start(setup),
  pruned,
  providing: { format: 'responses', start: (setup) => start(setup, true) },
};

/** A LangGraph graph of one's own. */
export const langgraph: Driver = {
  name: 'langgraph',
  format: 'chat',
  impossible,
  start: (setup) => startGraph(setup),
  pruned,
  providing: { format: 'responses', start: (setup) => startGraph(setup, true) },
};
