import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WIRES, type WireFormat } from './wire/formats.ts';
import type { Json, ProvidedTool, Reply, ShownResult, Wire } from './wire/wire.ts';

/**
 * One answer of a scripted model: tool calls, a text, or both. An empty step is the text `done`.
 *
 * @example
 * ```ts
 * const step: Step = { calls: [{ name: 'send_mail', arguments: { to: 'eve@evil.example' } }] };
 * ```
 */
export interface Step {
  /** Calls of the provider's native tool use. @default none */
  readonly calls?: readonly { readonly name: string; readonly arguments: Json }[];
  /** @default empty if there are calls, otherwise `done` */
  readonly text?: string;
  /** Tools that the provider runs itself, whose results precede the text and the calls. @default none */
  readonly provided?: readonly ProvidedTool[];
  /** The number of requests that get the provider's overload error before this step is answered. @default 0 */
  readonly failures?: number;
  /** Milliseconds before each piece of a streamed text, to measure or to show a stream. @default 0 */
  readonly pause?: number;
}

/**
 * Makes the answer when the request arrives, for a model that people talk to in any order.
 *
 * @example
 * ```ts
 * const script: Script = (body) => ({ text: `You sent ${Object.keys(body).length} fields.` });
 * ```
 */
export type Script = (body: Json) => Step;

/**
 * A request that the scripted model received.
 *
 * @example
 * ```ts
 * const shown: ReceivedRequest | undefined = model.requests.at(-1);
 * console.log(shown?.system, shown?.results);
 * ```
 */
export interface ReceivedRequest {
  readonly body: Json;
  /** The body as it arrived. */
  readonly bytes: string;
  /** The text of the system message. */
  readonly system: string;
  /** The messages one by one, as JSON. */
  readonly messages: readonly string[];
  /** The tool results, as they were sent to the model. */
  readonly results: readonly ShownResult[];
}

/** Reads the fields when they are first used: a request may have a form that these readers do not know. */
function receivedOf(wire: Wire, bytes: string): ReceivedRequest {
  const body = JSON.parse(bytes) as Json;
  return {
    body,
    bytes,
    get system() {
      return wire.systemIn(body);
    },
    get messages() {
      return wire.messagesIn(body);
    },
    get results() {
      return wire.resultsIn(body);
    },
  };
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  // The SDKs retry an overload; the two headers make them do so at once.
  const headers = { 'content-type': 'application/json', 'retry-after-ms': '1', 'retry-after': '0' };
  response.writeHead(status, headers).end(JSON.stringify({ type: 'error', error: { type, message } }));
}

/**
 * A local server with a provider's wire format, which answers from a script in place of a model. An agent talks to it
 * through its real framework and SDK, so that a test covers all of your code, costs nothing, and gives the same result
 * each time.
 *
 * @example
 * ```ts
 * const model = new ScriptedModel('chat');
 * const baseURL = `${await model.start()}/v1`;
 * model.script([{ calls: [{ name: 'read_mail', arguments: {} }] }, { text: 'No news.' }]);
 * await runAgent(new OpenAI({ baseURL, apiKey: 'none' }));
 * await model.stop();
 * ```
 */
export class ScriptedModel {
  /** Every request for an answer, in the order of arrival. */
  readonly requests: ReceivedRequest[] = [];
  readonly #server: Server;
  readonly #wire: Wire;
  #steps: Step[] = [];
  #script: Script | undefined;
  #count = 0;
  #failures = 0;

  /** @param format the provider's API that the agent calls */
  constructor(format: WireFormat) {
    if (!Object.hasOwn(WIRES, format))
      throw new TypeError(`\`format\` must be one of ${Object.keys(WIRES).join(', ')}; received ${String(format)}.`);
    this.#wire = WIRES[format];
    this.#server = createServer((request, response) => this.#receive(request, response));
  }

  /**
   * Sets the answers, step by step, in place of the rest of an earlier script. After the last step the model answers
   * `done`. A function makes each answer instead.
   */
  script(steps: readonly Step[] | Script): void {
    this.#script = typeof steps === 'function' ? steps : undefined;
    this.#steps = typeof steps === 'function' ? [] : [...steps];
    this.#failures = 0;
  }

  /** Listens on a free port of this machine. Resolves to the address, without a path. */
  async start(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes the server and its connections. Without it, the process does not end. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      if (!this.#wire.matches(path.split('?')[0] ?? ''))
        return sendError(response, 404, 'not_found_error', `The scripted model has no path ${path}.`);
      let received: ReceivedRequest;
      try {
        received = receivedOf(this.#wire, Buffer.concat(chunks).toString());
      } catch {
        return sendError(response, 400, 'invalid_request_error', 'The request is not valid JSON.');
      }
      this.requests.push(received);
      this.#answer(path, received.body, response);
    });
  }

  #answer(path: string, body: Json, response: ServerResponse): void {
    const reply = this.#script === undefined ? this.#next() : this.#replyOf(this.#script(body), body);
    if (reply === undefined) sendError(response, this.#wire.overloaded, 'overloaded_error', 'overloaded');
    else if (this.#wire.isStream(path, body)) void this.#wire.stream(response, reply, body);
    else this.#wire.reply(response, reply, body);
  }

  /** Makes a reply. The ids of its calls depend on the history alone: none occurs twice in it, even after a restart. */
  #replyOf({ calls: given = [], text = '', provided = [], pause = 0 }: Step, body: Json): Reply {
    const at = this.#wire.messagesIn(body).length;
    return { provided, calls: given.map((call, index) => ({ ...call, id: `call_${at}_${index}` })), text, pause };
  }

  /** The reply of the next step; undefined if this request fails. */
  #next(): Reply | undefined {
    const step = this.#steps[0] ?? {};
    if (this.#failures < (step.failures ?? 0)) {
      this.#failures++;
      return undefined;
    }
    this.#failures = 0;
    this.#steps.shift();
    this.#count++;
    const calls = (step.calls ?? []).map((call, index) => ({ ...call, id: `call_${this.#count}_${index}` }));
    const text = step.text ?? (calls.length > 0 ? '' : 'done');
    return { provided: step.provided ?? [], calls, text, pause: step.pause ?? 0 };
  }
}
