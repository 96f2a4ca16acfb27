import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Installation, Replica } from '../fixture/replica.ts';

/** A server over stdio that keeps one note in its memory. */
export const NOTES = fileURLToPath(new URL('./fixture/notes.mjs', import.meta.url));

/** Commands for a workspace: a process for each principal, and one for all. */
export function notesCommands(workspace: string): Record<'notes' | 'shared', Record<string, unknown>> {
  const notes = { command: process.execPath, args: [NOTES], workspaces: [workspace] };
  return { notes, shared: { ...notes, args: [NOTES, 'shared-'], stateless: true } };
}

const TOOLS = ['put', 'get', 'wait', 'pid', 'read'];
const prefixOf = (server: string): string => (server === 'shared' ? 'shared-' : '');

export interface Person {
  readonly client: Client;
  /** What the server told this person's client by itself. */
  readonly heard: string[];
  call(name: string, given?: Record<string, unknown>): Promise<string>;
}

/** An SDK client of a principal, connected to a server. */
export async function connectAs(replica: Replica, key: string, server: string): Promise<Person> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const heard: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema as never, ({ params }: { params: unknown }) => {
    heard.push(JSON.stringify(params));
  });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const url = new URL(`${replica.origin}/mcp/${server}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never);
  await client.listTools();
  return {
    client,
    heard,
    call: async (name, given = {}) => {
      const { content } = (await client.callTool({ name: `${prefixOf(server)}${name}`, arguments: given })) as {
        content: { text: string }[];
      };
      return content.map(({ text }) => text).join('\n');
    },
  };
}

/** The process that answers a person. */
export async function pidOf({ call }: Person): Promise<number> {
  const answer = await call('pid');
  const [, pid] = /pid=(\d+)\./.exec(answer) ?? [];
  if (pid === undefined) throw new Error(answer);
  return Number(pid);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A workspace whose servers of these names are child processes, with all tools of the notes server declared. */
export async function notesWorkspace(
  installation: Installation,
  name: string,
  servers: readonly string[],
): Promise<string> {
  const workspace = await installation.workspace(name);
  const toolsOf = (server: string): unknown =>
    Object.fromEntries(TOOLS.map((tool) => [`${prefixOf(server)}${tool}`, { effect: 'read' }]));
  for (const server of servers)
    await installation.server(workspace, server, { kind: 'stdio', command: server, args: [], env: {} });
  const rules = servers.map((each) => [each, { tools: toolsOf(each) }] as const);
  await installation.policy(workspace, { servers: Object.fromEntries(rules) });
  return workspace;
}
