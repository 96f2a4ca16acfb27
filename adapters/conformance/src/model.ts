import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, Reply, Wire } from './wire/wire.ts';

/** One step of the scripted model. */
export interface Step {
  readonly calls?: readonly { readonly name: string; readonly arguments: Json }[];
  readonly text?: string;
  /** Overloaded the first time, so that the SDK retries. */
  readonly fails?: boolean;
}

/** A received request, and its bytes. */
export interface Received {
  readonly body: Json;
  readonly bytes: string;
}

/** A server with a provider's wire format that answers from a script. */
export class ScriptedModel {
  readonly requests: Received[] = [];
  readonly #server: Server;
  readonly #wire: Wire;
  #steps: Step[] = [];
  #count = 0;
  #failed = false;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        if (!wire.matches(path.split('?')[0] ?? '')) {
          response.writeHead(404).end(JSON.stringify({ error: { message: `no such path: ${path}` } }));
          return;
        }
        const bytes = Buffer.concat(chunks).toString();
        const body = JSON.parse(bytes) as Json;
        this.requests.push({ body, bytes });
        const reply = this.#next();
        if (reply === undefined)
          response
            .writeHead(wire.overloaded, {
              'content-type': 'application/json',
              'retry-after-ms': '1',
              'retry-after': '0',
            })
            .end(JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'overloaded' } }));
        else if (wire.isStream(path, body)) wire.stream(response, reply, body);
        else wire.reply(response, reply, body);
      });
    });
  }

  /** The model's answers, step by step; after the last step it answers `done`. */
  script(steps: readonly Step[]): void {
    this.#steps = [...steps];
  }

  #next(): Reply | undefined {
    const step = this.#steps[0] ?? { text: 'done' };
    if (step.fails === true && !this.#failed) {
      this.#failed = true;
      return undefined;
    }
    this.#failed = false;
    this.#steps.shift();
    this.#count++;
    const calls = (step.calls ?? []).map((call, index) => ({ ...call, id: `call_${this.#count}_${index}` }));
    return { calls, text: step.text ?? (calls.length > 0 ? '' : 'done') };
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get wire(): Wire {
    return this.#wire;
  }
}
