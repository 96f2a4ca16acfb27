import type { Server as HttpServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '@hono/node-server';

/** Milliseconds until the head of a request must have arrived. The body has a limit of its own. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 60_000;
/** Milliseconds that an idle connection stays open: longer than balancers keep one, or they would use one that is being closed. */
const KEEP_ALIVE_TIMEOUT = 75_000;
/** Milliseconds to send the last answers when the replica stops. */
const SENDING_TIME = 1000;
const CHECK_EVERY = 10;

/** The HTTP server of a replica. */
export class Listener {
  readonly #fetch: (request: Request) => Response | Promise<Response>;
  #server: HttpServer | undefined;
  #isClosed = false;

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
      server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;
      this.#server = server;
    });
  }

  /** Accepts no more connections. */
  stop(): void {
    this.#server?.close(() => {
      this.#isClosed = true;
    });
  }

  /** Ends the connections that are still open, after answers that were given have had a moment to be sent. */
  async closeConnections(): Promise<void> {
    const end = performance.now() + SENDING_TIME;
    while (this.#server !== undefined && !this.#isClosed && performance.now() < end) {
      this.#server.closeIdleConnections();
      await pause(CHECK_EVERY);
    }
    this.#server?.closeAllConnections();
  }
}
