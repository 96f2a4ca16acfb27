// An MCP server on SDK v1 with every feature of the protocol up to 2025-11-25.
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ListToolsRequestSchema,
  type ListToolsResult,
  RootsListChangedNotificationSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { endWithInput, INSTRUCTIONS, MAIL, tell, wait } from './fixture/texts.ts';
import { addTalk } from './fixture/v1-talk.ts';
import { addTools } from './fixture/v1-tools.ts';

const PAGE = 5;
const TTL = 60_000;

const server = new McpServer(
  { name: 'fixture', title: 'A fixture for all tests', version: '1.0.0' },
  {
    instructions: INSTRUCTIONS,
    capabilities: {
      logging: {},
      resources: { subscribe: true, listChanged: true },
      tools: { listChanged: true },
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    },
    taskStore: new InMemoryTaskStore(),
    taskMessageQueue: new InMemoryTaskMessageQueue(),
  },
);
addTools(server);
addTalk(server);

server.experimental.tasks.registerToolTask(
  'report',
  {
    description: 'Writes a report in the background.',
    inputSchema: { topic: z.string() },
    execution: { taskSupport: 'required' },
  },
  {
    createTask: async ({ topic }, { taskStore }) => {
      const task = await taskStore.createTask({ ttl: TTL, pollInterval: 20 });
      void (async () => {
        await taskStore.updateTaskStatus(task.taskId, 'working', 'The report is being written.');
        await wait(60);
        const text = `The report on ${topic} is ready to read.`;
        await taskStore.storeTaskResult(task.taskId, 'completed', { content: [{ type: 'text', text }] });
      })();
      return { task };
    },
    getTask: (_, { taskId, taskStore }) => taskStore.getTask(taskId),
    getTaskResult: async (_, { taskId, taskStore }) => {
      const { content } = await taskStore.getTaskResult(taskId);
      return { content: content as { type: 'text'; text: string }[] };
    },
  },
);

server.registerResource(
  'minutes',
  'note://minutes',
  { title: 'Minutes', description: 'What was said last Friday.', mimeType: 'text/plain' },
  ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text: MAIL }] }),
);
server.registerResource(
  'numbered',
  new ResourceTemplate('note://numbered/{id}', {
    list: undefined,
    complete: { id: (value) => [`${value}1`, `${value} of the old notes`] },
  }),
  { description: 'A note by its number.' },
  ({ href }) => ({ contents: [{ uri: href, blob: 'AAEC' }] }),
);
server.registerPrompt(
  'review',
  {
    title: 'Review',
    description: 'Asks for a review of code.',
    argsSchema: {
      language: completable(z.string(), (value) => ['typescript', 'tcl'].filter((name) => name.startsWith(value))),
    },
  },
  ({ language }) => ({
    description: 'A review by a colleague.',
    messages: [
      { role: 'user', content: { type: 'text', text: `Please review this ${language} code.` } },
      { role: 'assistant', content: { type: 'resource', resource: { uri: 'note://minutes', text: MAIL } } },
    ],
  }),
);

server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
server.server.setNotificationHandler(RootsListChangedNotificationSchema, () => tell('roots changed'));

// McpServer lists all tools at once: its own handler is asked, and its answer cut into pages.
type Listing = (request: unknown, extra: unknown) => Promise<ListToolsResult>;
const { _requestHandlers } = server.server as unknown as { _requestHandlers: Map<string, Listing> };
const listAll = _requestHandlers.get('tools/list') as Listing;
server.server.setRequestHandler(ListToolsRequestSchema, async (request, extra) => {
  const { tools } = await listAll(request, extra);
  const start = Number(request.params?.cursor ?? 0);
  const next = start + PAGE;
  return { tools: tools.slice(start, next), ...(next < tools.length ? { nextCursor: `${next}` } : {}) };
});

endWithInput();
await server.connect(new StdioServerTransport());
