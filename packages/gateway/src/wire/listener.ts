import type { Server as HttpServer } from 'node:http';
import { serve } from '@hono/node-server';

/** Milliseconds until the head of a request must have arrived. The body has a limit of its own. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;

/** The HTTP server of a replica. */
export class Listener {
  readonly #fetch: (request: Request) => Response | Promise<Response>;
  #server: HttpServer | undefined;

  constructor(fetch: (request: Request) => Response | Promise<Response>) {
    this.#fetch = fetch;
  }

  /** Resolves with the port. */
  listen(hostname: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const server = serve({ fetch: this.#fetch, hostname, port }, (info) => resolve(info.port)) as HttpServer;
      server.on('error', reject);
      server.headersTimeout = HEADERS_TIMEOUT;
      server.requestTimeout = REQUEST_TIMEOUT;
      this.#server = server;
    });
  }

  /** Accepts no more connections. */
  stop(): void {
    this.#server?.close();
  }

  /** Ends the connections that are still open. */
  closeConnections(): void {
    this.#server?.closeAllConnections();
  }
}
