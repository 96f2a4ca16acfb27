// The clients of both SDKs with all client capabilities, and a diary of the notifications and requests they receive.
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { TestContext } from './test-context.ts';

interface Entry {
  readonly method: string;
  readonly params: unknown;
}

export interface Connected<Client> {
  readonly client: Client;
  /** Requests and notifications of the server, in order. */
  readonly diary: Entry[];
}

const INFO = { name: 'host', version: '1.0.0' };
const CAPABILITIES = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } };
const SAMPLED = { model: 'none', role: 'assistant' as const, content: { type: 'text' as const, text: 'Paris' } };
const ACCEPTED = { action: 'accept' as const, content: { name: 'Bob' } };
const ROOT = 'file:///project';
const rootsAt = (uri: string) => ({ roots: [{ uri, name: 'project' }] });

function newDiary() {
  const diary: Entry[] = [];
  /** A handler that records its message and always returns the same answer. */
  const answering =
    <Answer>(answer: Answer) =>
    ({ method, params }: { method: string; params?: unknown }): Answer => {
      diary.push({ method, params });
      return answer;
    };
  return { diary, answering };
}

/** Lists all tools, as every host does before it calls one: a wrapper holds calls to tools that were never listed. */
async function listAll(client: ClientV1): Promise<void> {
  if (client.getServerCapabilities()?.tools === undefined) return;
  let cursor: string | undefined;
  do cursor = (await client.listTools(cursor === undefined ? {} : { cursor })).nextCursor;
  while (cursor !== undefined);
}

export async function connectV1(context: TestContext, root = ROOT): Promise<Connected<ClientV1>> {
  const client = new ClientV1(INFO, { capabilities: CAPABILITIES });
  const { diary, answering } = newDiary();
  client.setRequestHandler(CreateMessageRequestSchema, answering(SAMPLED));
  client.setRequestHandler(ElicitRequestSchema, answering(ACCEPTED));
  client.setRequestHandler(ListRootsRequestSchema, answering(rootsAt(root)));
  client.fallbackNotificationHandler = answering(Promise.resolve());
  context.opened(client);
  await client.connect(new StdioV1(context.stdio()));
  await listAll(client);
  return { client, diary };
}

export async function connectV2(context: TestContext, mode: 'legacy' | 'auto'): Promise<Connected<ClientV2>> {
  const client = new ClientV2(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
  const { diary, answering } = newDiary();
  client.setRequestHandler('sampling/createMessage', answering(SAMPLED));
  client.setRequestHandler('elicitation/create', answering(ACCEPTED));
  client.setRequestHandler('roots/list', answering(rootsAt(ROOT)));
  client.fallbackNotificationHandler = answering(Promise.resolve());
  context.opened(client);
  await client.connect(new StdioV2(context.stdio()));
  await client.listTools();
  return { client, diary };
}
