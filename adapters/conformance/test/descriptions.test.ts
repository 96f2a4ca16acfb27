import Anthropic from '@anthropic-ai/sdk';
import { mcpTool } from '@anthropic-ai/sdk/helpers/beta/mcp';
import { mcpToTool } from '@google/genai';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { createTool } from '@mastra/core/tools';
import { getAllMcpTools, type MCPServer, OpenAIProvider } from '@openai/agents';
import { protect as protectAiSdk } from '@sallyport/ai-sdk';
import { protect as protectAnthropic } from '@sallyport/anthropic';
import { type Conversation, createBoundary, type ToolDeclaration } from '@sallyport/core';
import { protect as protectGoogle } from '@sallyport/google-genai';
import { protect as protectLangchain } from '@sallyport/langchain';
import { protect as protectMastra } from '@sallyport/mastra';
import { protect as protectAgents } from '@sallyport/openai-agents';
import { dynamicTool, jsonSchema, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const description = 'Gives the weather of a city.';
const inputSchema = { type: 'object' as const, properties: { city: { type: 'string' as const } } };
const LISTED = { name: 'weather', description, inputSchema };
const SUNNY = { content: [{ type: 'text' as const, text: 'Sunny.' }] };
const CLIENT = { listTools: async () => ({ tools: [LISTED] }), callTool: async () => SUNNY };
const execute = async () => SUNNY;
const MODEL = { specificationVersion: 'v3', provider: 'none', modelId: 'none', supportedUrls: {} } as never;

type Declare = Readonly<Record<'weather', ToolDeclaration>>;

async function agentsTools() {
  const server = {
    name: 'city',
    cacheToolsList: false,
    connect: async () => undefined,
    close: async () => undefined,
    invalidateToolsCache: async () => undefined,
    listTools: async () => [{ ...LISTED, inputSchema: { ...inputSchema, required: [], additionalProperties: false } }],
    callTool: async () => SUNNY.content,
  };
  return getAllMcpTools([server as unknown as MCPServer]);
}

/** Tools as the MCP client of each framework makes them: with that client, or in its shape where it is a package of its own. */
const ROWS: readonly {
  readonly title: string;
  readonly origin: string;
  readonly wire: (conversation: Conversation, declare: Declare) => unknown;
}[] = [
  {
    title: 'ai-sdk, with the schema of the server',
    origin: '@ai-sdk/mcp 2.0.97, toolsFromDefinitions',
    wire: (conversation, declare) => {
      const weather = {
        ...dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute }),
        _meta: undefined,
      };
      protectAiSdk(conversation, { model: MODEL, tools: { weather }, declare });
    },
  },
  {
    title: 'ai-sdk, with a schema of the application',
    origin: '@ai-sdk/mcp 2.0.97, toolsFromDefinitions',
    wire: (conversation, declare) => {
      const weather = {
        ...tool({ description, inputSchema: z.object({ city: z.string() }), execute }),
        _meta: undefined,
      };
      protectAiSdk(conversation, { model: MODEL, tools: { weather }, declare: declare as never });
    },
  },
  {
    title: 'anthropic',
    origin: '@anthropic-ai/sdk/helpers/beta/mcp',
    wire: (conversation, declare) => {
      const tools = [mcpTool(LISTED, CLIENT as never)];
      protectAnthropic(conversation, { client: new Anthropic({ apiKey: 'none' }), tools, declare });
    },
  },
  {
    title: 'openai-agents',
    origin: 'getAllMcpTools() of @openai/agents',
    wire: async (conversation, declare) =>
      protectAgents(conversation, {
        provider: new OpenAIProvider({ apiKey: 'none' }),
        tools: await agentsTools(),
        declare,
      }),
  },
  {
    title: 'langchain',
    origin: '@langchain/mcp-adapters 1.1.4, loadMcpTools',
    wire: (conversation, declare) => {
      const metadata = { annotations: undefined };
      const weather = new DynamicStructuredTool({
        name: 'weather',
        description,
        schema: inputSchema,
        metadata,
        func: execute,
      });
      protectLangchain(conversation, {
        model: new ChatOpenAI({ apiKey: 'none' }),
        tools: [weather] as never[],
        declare,
      });
    },
  },
  {
    title: 'mastra',
    origin: '@mastra/mcp 2.0.0, createTool with mcpMetadata',
    wire: (conversation, declare) => {
      const weather = createTool({
        id: 'weather',
        description,
        inputSchema,
        execute,
        mcpMetadata: { serverName: 'city' },
      });
      protectMastra(conversation, { model: 'openai/gpt-5', tools: { weather }, declare });
    },
  },
  {
    title: 'google-genai',
    origin: 'mcpToTool() of @google/genai',
    wire: (conversation, declare) =>
      protectGoogle(conversation, { client: { apiKey: 'none' }, tools: [mcpToTool(CLIENT as never, {})], declare }),
  },
];

async function readAfter(row: (typeof ROWS)[number], declaration: ToolDeclaration): Promise<readonly unknown[]> {
  const conversation = createBoundary().conversation('c');
  await row.wire(conversation, { weather: declaration });
  await conversation.render([{ type: 'user', content: 'Hello.' }]);
  return conversation.records.filter(({ source }) => source.origin === 'external').map(({ parts }) => parts[0]);
}

describe('a tool of an MCP client', () => {
  it.each(ROWS)('is described by its server: $title', async (row) => {
    const [prose, values] = await readAfter(row, { effect: 'read', origin: 'external' });
    expect(prose).toEqual({ type: 'text', text: description });
    expect(values).toEqual({ type: 'text', text: expect.stringContaining('city') });
  });

  it.each(ROWS)('is described by the application if the declaration says so: $title', async (row) => {
    expect(await readAfter(row, { effect: 'read', origin: 'external', describedBy: 'application' })).toEqual([]);
  });
});
