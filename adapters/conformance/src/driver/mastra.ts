import { createOpenAI } from '@ai-sdk/openai';
import { Mastra } from '@mastra/core';
import { type AgentConfig, Agent as MastraAgent, type ToolsInput } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { type MastraDBMessage, MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { defineTool } from '@sallyport/core';
import { protect } from '@sallyport/mastra';
import { z } from 'zod';
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

const MEMORY = { thread: 'thread', resource: 'ann' };
const OF_THREAD = { threadId: MEMORY.thread, resourceId: MEMORY.resource };

function partOf(part: AnswerPart): unknown {
  switch (part.type) {
    case 'text':
      return part;
    case 'image':
      return { type: 'media', mediaType: part.mediaType, data: part.data };
    case 'file':
      return { type: 'file', mediaType: part.mediaType, filename: part.name, data: { type: 'text', text: part.text } };
    case 'link':
      return { type: 'text', text: JSON.stringify({ ...part, type: 'resource_link' }) };
  }
}

function outputOf(answer: Answer): unknown {
  switch (answer.type) {
    case 'text':
      return { type: 'text', value: answer.text };
    case 'json':
      return { type: 'json', value: answer.value };
    case 'parts':
      return { type: 'content', value: answer.parts.map(partOf) };
  }
}

function toolsOf(tools: readonly ScenarioTool[]): ToolsInput {
  return Object.fromEntries(
    tools.map(({ name, description, parameters, run, isElsewhere = false }) => {
      const inputSchema = z.object(Object.fromEntries(parameters.map((each) => [each, z.string()])));
      if (isElsewhere) return [name, createTool({ id: name, description, inputSchema })];
      const own = createTool({
        id: name,
        description,
        inputSchema,
        execute: async (given) => run(given),
        toModelOutput: (output) => outputOf(output as Answer),
      });
      return [name, own];
    }),
  );
}

interface Called {
  readonly payload: { readonly toolName: string; readonly toolCallId: string };
}

interface Ended {
  readonly text: string;
  readonly runId?: string | undefined;
  readonly finishReason?: string | undefined;
  readonly suspendPayload?: { readonly toolCallId: string; readonly toolName: string };
  readonly error?: unknown;
  readonly toolCalls?: readonly Called[];
  readonly toolResults?: readonly Called[];
}

interface Paused {
  readonly storage: InMemoryStore;
  readonly ended: Ended;
}

async function memoryWith(storage: InMemoryStore, stored: unknown): Promise<MockMemory> {
  const memory = new MockMemory({ storage });
  const now = new Date(0);
  await memory.saveThread({
    thread: { id: MEMORY.thread, resourceId: MEMORY.resource, createdAt: now, updatedAt: now },
  });
  const messages = ((stored ?? []) as MastraDBMessage[]).map((message) => ({
    ...message,
    createdAt: new Date(message.createdAt),
  }));
  await memory.saveMessages({ messages });
  return memory;
}

/** Tools of OpenAI's responses. */
const PROVIDED = {
  search: ({ tools }: ReturnType<typeof createOpenAI>) => ({ web_search: tools.webSearch() }),
  code: ({ tools }: ReturnType<typeof createOpenAI>) => ({ code_interpreter: tools.codeInterpreter() }),
};

/** The parts of an agent behind the boundary or without it, and the tool that the application adds. */
function wired(setup: Setup, useResponses: boolean): Pick<AgentConfig, 'model' | 'tools'> {
  const { url, conversation, tools, judge, added, provided } = setup;
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' });
  const model = (useResponses ? openai.responses('scripted') : openai.chat('scripted')) as unknown;
  const theirs = provided === undefined ? {} : PROVIDED[provided.type](openai);
  const declare = { ...setup.declare, ...declarationOf(provided, Object.keys(theirs).join()) };
  const bare = { model: model as MastraModelConfig, tools: { ...toolsOf(tools), ...theirs } as ToolsInput };
  // Mastra adds this tool if an agent has a working memory.
  conversation?.declareTools([defineTool({ name: 'updateWorkingMemory', origin: 'workspace', effect: 'write' })]);
  const behind = conversation === undefined ? bare : protect(conversation, { ...bare, declare, judge });
  const parts = {
    ...behind,
    ...(setup.forgotten === 'model' ? { model: bare.model } : {}),
    ...(setup.forgotten === 'tools' ? { tools: bare.tools } : {}),
  };
  return added === undefined ? parts : { ...parts, tools: { ...parts.tools, ...toolsOf([added]) } };
}

async function start(setup: Setup, useResponses = false): Promise<Agent> {
  const { system, stream, onPiece, person, stored } = setup;
  const paused = setup.paused as Paused | undefined;
  const storage = paused?.storage ?? new InMemoryStore();
  const parts = wired(setup, useResponses);
  const options = { memory: MEMORY, maxSteps: 8 };

  function agentWith(memory: MockMemory): MastraAgent {
    const agent = new MastraAgent({
      ...parts,
      id: 'agent',
      name: 'agent',
      instructions: system,
      maxRetries: 2,
      memory,
    });
    new Mastra({ agents: { agent }, storage, logger: false });
    return agent;
  }

  let memory = paused === undefined ? await memoryWith(storage, stored) : new MockMemory({ storage });
  let agent = agentWith(memory);

  async function read(result: Awaited<ReturnType<MastraAgent['stream']>>): Promise<Ended> {
    for await (const piece of result.textStream) onPiece?.(piece);
    return (await result.getFullOutput()) as Ended;
  }

  async function answer({ runId = '', suspendPayload }: Ended, given: PersonAnswer): Promise<Ended> {
    const toolCallId = suspendPayload?.toolCallId ?? '';
    const isApproved = given === 'approve';
    const call = { runId, toolCallId, ...options };
    if (stream) return read(await (isApproved ? agent.approveToolCall(call) : agent.declineToolCall(call)));
    return (await (isApproved ? agent.approveToolCallGenerate(call) : agent.declineToolCallGenerate(call))) as Ended;
  }

  let last: Ended = { text: '' };

  async function runToEnd(first: Ended): Promise<string> {
    last = first;
    while (last.finishReason === 'suspended' && person !== undefined)
      last = await answer(last, person(last.suspendPayload?.toolName ?? ''));
    return last.text;
  }

  return {
    say: async (text) =>
      runToEnd(
        stream ? await read(await agent.stream(text, options)) : ((await agent.generate(text, options)) as Ended),
      ),
    handedOver: async () =>
      last.finishReason === 'suspended'
        ? []
        : (last.toolCalls ?? [])
            .filter(
              ({ payload: { toolCallId: id } }) => !last.toolResults?.some(({ payload }) => payload.toolCallId === id),
            )
            .map(({ payload }) => payload.toolName),
    paused: async (): Promise<Paused> => ({ storage, ended: last }),
    resume: async (given) => runToEnd(await answer(paused?.ended ?? last, given)),
    stored: async () => JSON.parse(JSON.stringify((await memory.recall({ ...OF_THREAD, perPage: false })).messages)),
    compact: async (summary) => {
      const { messages } = await memory.recall({ ...OF_THREAD, perPage: false });
      await memory.deleteMessages(messages.map(({ id }) => id));
      memory = new MockMemory({ storage, enableWorkingMemory: true });
      await memory.updateWorkingMemory({ ...OF_THREAD, workingMemory: summary });
      agent = agentWith(memory);
    },
  };
}

/** Mastra, over chat completions. */
export const mastra: Driver = {
  name: 'mastra',
  format: 'chat',
  impossible: { 'held-state': 'Mastra keeps the history in its own memory and sends all of it.' },
  start: (setup) => start(setup),
  pruned: (messages: readonly MastraDBMessage[]) =>
    messages.map((message) => {
      const { toolInvocations: _, ...content } = message.content;
      return { ...message, content: { ...content, parts: content.parts.filter(({ type }) => type === 'text') } };
    }),
  providing: { format: 'responses', start: (setup) => start(setup, true) },
};
