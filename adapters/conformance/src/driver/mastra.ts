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
import type { Agent, Answer, AnswerPart, Driver, ScenarioTool, Setup } from './driver.ts';

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
    tools.map(({ name, description, parameters, run }) => [
      name,
      createTool({
        id: name,
        description,
        inputSchema: z.object(Object.fromEntries(parameters.map((each) => [each, z.string()]))),
        execute: async (given) => run(given),
        toModelOutput: (output) => outputOf(output as Answer),
      }),
    ]),
  );
}

interface Ended {
  readonly text: string;
  readonly runId?: string | undefined;
  readonly finishReason?: string | undefined;
  readonly suspendPayload?: { readonly toolCallId: string; readonly toolName: string };
  readonly error?: unknown;
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

/** The parts of an agent behind the boundary or without it, and the tool that the application adds. */
function wired({ url, conversation, tools, declare, added }: Setup): Pick<AgentConfig, 'model' | 'tools'> {
  const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('scripted') as unknown as MastraModelConfig;
  const bare = { model, tools: toolsOf(tools) };
  // Mastra adds this tool if an agent has a working memory.
  conversation?.declareTools([defineTool({ name: 'updateWorkingMemory', origin: 'workspace', effect: 'write' })]);
  const parts = conversation === undefined ? bare : protect(conversation, { ...bare, declare });
  return added === undefined ? parts : { ...parts, tools: { ...parts.tools, ...toolsOf([added]) } };
}

async function start(setup: Setup): Promise<Agent> {
  const { system, stream, person, stored } = setup;
  const storage = new InMemoryStore();
  const parts = wired(setup);
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

  let memory = await memoryWith(storage, stored);
  let agent = agentWith(memory);

  async function read(result: Awaited<ReturnType<MastraAgent['stream']>>): Promise<Ended> {
    await result.consumeStream();
    return (await result.getFullOutput()) as Ended;
  }

  async function answer({ runId = '', suspendPayload }: Ended): Promise<Ended> {
    const toolCallId = suspendPayload?.toolCallId ?? '';
    const isApproved = person(suspendPayload?.toolName ?? '') === 'approve';
    const call = { runId, toolCallId, ...options };
    if (stream) return read(await (isApproved ? agent.approveToolCall(call) : agent.declineToolCall(call)));
    return (await (isApproved ? agent.approveToolCallGenerate(call) : agent.declineToolCallGenerate(call))) as Ended;
  }

  return {
    async say(text) {
      let ended = stream
        ? await read(await agent.stream(text, options))
        : ((await agent.generate(text, options)) as Ended);
      while (ended.finishReason === 'suspended') ended = await answer(ended);
      return ended.text;
    },
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
  start,
};
