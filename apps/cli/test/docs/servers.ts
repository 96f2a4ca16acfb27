import { bodyOf, json, type Local, serve } from '../../../gateway/test/upstream/rig.ts';

export interface ToolServer extends Local {
  /** What a call of each tool answers, by name. */
  readonly answers: Record<string, string>;
  /** The descriptions of tools, where a test chooses them. */
  readonly about: Record<string, string>;
}

/** An MCP server over HTTP at any path, without sessions. */
export async function toolServer(answers: Record<string, string>): Promise<ToolServer> {
  const about: Record<string, string> = {};
  const local = await serve(async (request, response) => {
    const text = await bodyOf(request);
    const { id, method, params } = text === '' ? { method: request.method } : JSON.parse(text);
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      },
      'tools/list': {
        tools: Object.keys(answers).map((name) => ({
          name,
          description: about[name] ?? 'A tool of this server.',
          inputSchema: { type: 'object' },
        })),
      },
      'tools/call': { content: [{ type: 'text', text: answers[params?.name] }] },
    };
    if (id === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else json(response, { jsonrpc: '2.0', id, result: results[method] ?? {} });
  });
  return Object.assign(local, { answers, about });
}

/** The metadata of an OpenID provider, which has no users. */
export async function loginServer(): Promise<Local> {
  const local: Local = await serve((_, response) =>
    json(response, {
      issuer: local.origin,
      authorization_endpoint: `${local.origin}/authorize`,
      token_endpoint: `${local.origin}/token`,
      jwks_uri: `${local.origin}/jwks`,
    }),
  );
  return local;
}

export interface Receiver extends Local {
  readonly bodies: string[];
}

/** A server that keeps what it is sent. */
export async function receiver(): Promise<Receiver> {
  const bodies: string[] = [];
  const local = await serve(async (request, response) => {
    bodies.push(await bodyOf(request));
    response.end('ok');
  });
  return Object.assign(local, { bodies });
}
