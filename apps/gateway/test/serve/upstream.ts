import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { bodyOf, type Local, serve } from '../upstream/rig.ts';

export interface MailServer extends Local {
  /** What was sent. */
  readonly sent: string[];
  /** What the tool `read` answers. */
  mail: string;
  /** The description of the tool `send`, for sessions that begin later. */
  about: string;
  /** What the tool `send` answers. @default names the recipient */
  receipt?: string;
  /** Headers of the requests that arrived. */
  readonly headers: Record<string, unknown>[];
}

/** An SDK server over HTTP with sessions: `read` returns the mail, `send` records the recipient. */
export async function mailServer(tools: readonly string[] = ['read', 'send']): Promise<MailServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const state: Omit<MailServer, keyof Local> = { sent: [], mail: 'Nothing new.', about: 'Sends.', headers: [] };
  const build = (): McpServer => {
    const server = new McpServer({ name: 'mail', version: '1.0.0' });
    if (tools.includes('read'))
      server.registerTool('read', { description: 'Reads the mail.', inputSchema: {} }, async () => ({
        content: [{ type: 'text', text: state.mail }],
      }));
    if (tools.includes('send'))
      server.registerTool('send', { description: state.about, inputSchema: { to: z.string() } }, async ({ to }) => {
        state.sent.push(to);
        return { content: [{ type: 'text', text: state.receipt ?? `Sent to ${to}, as you wished` }] };
      });
    return server;
  };
  const local = await serve(async (request, response) => {
    state.headers.push({ ...request.headers });
    const text = request.method === 'POST' ? await bodyOf(request) : undefined;
    const id = String(request.headers['mcp-session-id'] ?? '');
    let transport = transports.get(id);
    if (transport === undefined && text?.includes('"initialize"')) {
      const made: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (session) => void transports.set(session, made),
      });
      transport = made;
      await build().connect(made as never);
    }
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handleRequest(request, response, text === undefined ? undefined : JSON.parse(text));
  });
  return Object.assign(state, local);
}
