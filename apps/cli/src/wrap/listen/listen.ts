import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { fieldsOf } from '@sallyport/core/adapter';
import { isLoopback } from '../../address.ts';
import type { Io } from '../../io.ts';
import { CommandError, printable } from '../../terminal-text.ts';
import { type OpenServer, Session, versionOf } from './session.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SESSIONS = 64;
/** Milliseconds after which a session that is not used ends: its client may have gone without a word. */
const IDLE = 30 * 60_000;

/** Where to listen. */
interface Listen {
  readonly host: string;
  readonly port: number;
}

/** Reads `127.0.0.1:8000`, `[::1]:8000` or `8000`, which is a port of this machine. */
export function listenAddress(text: string): Listen {
  const [, given = '127.0.0.1', port = ''] = /^(?:(\[[\da-f:]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw new CommandError(
      `not an address to listen on: ${printable(text, 60)}`,
      'use a host and a port, for example: --listen 127.0.0.1:8000',
      2,
    );
  return { host: given, port: Number(port) };
}

/** Checks that a request was meant for this server. A web page can point its own name here, but not an address. */
export function isForUs({ headers: { host = '', origin } }: Pick<IncomingMessage, 'headers'>, named: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  const bare = hostname.replace(/^\[|\]$/g, '');
  const isKnown = isLoopback({ hostname }) || isIP(bare) !== 0 || hostname === named.toLowerCase();
  return isKnown && (origin === undefined || origin === `http://${host}`);
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Answered with a parse error.
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32600, message } };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(error));
}

/** The sessions of clients that speak HTTP with a server that speaks stdio. */
class Sessions {
  readonly #open: OpenServer;
  readonly #sessions = new Map<string, Session>();
  /** For requests of the protocol of 2026, which has no sessions. */
  #shared: Session | undefined;

  constructor(open: OpenServer) {
    this.#open = open;
  }

  async post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request);
    const message = text === undefined ? undefined : parsed(text);
    if (text === undefined || Array.isArray(message) || message === undefined)
      return refuse(response, text === undefined ? 413 : 400, 'The body must be one JSON-RPC message.');
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const session = this.#sessions.get(id);
      return session === undefined ? refuse(response, 404, 'The session has ended.') : session.send(text, response);
    }
    if (versionOf(message) !== undefined) return this.#stateless().send(text, response);
    if (fieldsOf(message).method !== 'initialize') return refuse(response, 400, 'The session id is missing.');
    this.#endIdle();
    if (this.#sessions.size >= MAX_SESSIONS) return refuse(response, 503, 'Too many sessions are open.');
    const [name, session] = [randomUUID(), new Session(this.#open)];
    this.#sessions.set(name, session);
    void session.ended.finally(() => this.#sessions.delete(name));
    response.setHeader('mcp-session-id', name);
    return session.send(text, response);
  }

  get({ headers }: IncomingMessage, response: ServerResponse): void {
    const session = this.#sessions.get(String(headers['mcp-session-id']));
    if (session !== undefined) session.listen(response);
    else refuse(response, headers['mcp-session-id'] === undefined ? 405 : 404, 'The session has ended.');
  }

  delete({ headers }: IncomingMessage, response: ServerResponse): void {
    const session = this.#sessions.get(String(headers['mcp-session-id']));
    session?.close();
    response.writeHead(session === undefined ? 404 : 204).end();
  }

  close(): void {
    for (const session of [...this.#sessions.values(), this.#shared]) session?.close();
  }

  #stateless(): Session {
    if (this.#shared !== undefined) return this.#shared;
    const session = new Session(this.#open);
    void session.ended.finally(() => {
      this.#shared = undefined;
    });
    this.#shared = session;
    return session;
  }

  #endIdle(): void {
    for (const session of this.#sessions.values())
      if (session.isIdle && Date.now() - session.usedAt > IDLE) session.close();
  }
}

/** Serves a wrapped server over Streamable HTTP, until a signal ends it. */
export async function listen(io: Io, text: string, open: OpenServer): Promise<number> {
  const { host, port } = listenAddress(text);
  const sessions = new Sessions(open);
  const server = createServer((request, response) => {
    if (!isForUs(request, host)) return refuse(response, 403, 'The headers Host and Origin must name this server.');
    if (request.method === 'POST') return void sessions.post(request, response).catch(() => response.destroy());
    if (request.method === 'GET') return sessions.get(request, response);
    if (request.method === 'DELETE') return sessions.delete(request, response);
    return refuse(response, 405, 'Use POST, GET or DELETE.');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host.replace(/^\[|\]$/g, ''), resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(`cannot listen on ${text} (${cause.code}).`, 'choose another address or port.');
  });
  const address = server.address();
  const used = typeof address === 'object' && address !== null ? address.port : port;
  io.stderr(`sallyport: listening on http://${host}:${used}/mcp\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  sessions.close();
  server.close();
  server.closeAllConnections();
  return 0;
}
