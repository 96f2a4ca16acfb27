import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';

/** Answers requests to an address of this machine. */
export interface LocalServer {
  readonly port: number;
  close(): void;
}

function requestOf(message: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = message;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const init = {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(hasBody && { body: Readable.toWeb(message), duplex: 'half' }),
  };
  return new Request(new URL(url, `http://${headers.host}`), init as RequestInit);
}

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body as NodeStream), response);
}

/** Starts a server that only programs of this machine can reach. */
export async function serveLocally(
  answer: (request: Request) => Promise<Response>,
  port: number,
): Promise<LocalServer> {
  const server = createServer({ maxHeaderSize: 16 * 1024 }, (message, response) => {
    void (async () => send(response, await answer(requestOf(message))))().catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
