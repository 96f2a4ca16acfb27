import type { Timer } from '@sallyport/core/stages';
import type { Line } from '@sallyport/mcp-proxy';
import { platformTimer } from '../timer.ts';
import type { UpstreamMessage } from './answer.ts';
import { UpstreamError } from './failure.ts';
import { jsonAt } from './place.ts';
import { type ServerCommand, ServerProcess } from './process.ts';
import { MessageQueue } from './queue.ts';
import { errorText, Waiting } from './waiting.ts';

export interface SharedOptions extends ServerCommand {
  /** The protocol that the child speaks: servers settle on one with the first message, and stay with it. */
  readonly era: 'legacy' | 'modern';
  /** @default the platform's */
  readonly timer?: Timer;
  onLog(line: string): void;
}

export interface SharedRequest {
  readonly signal: AbortSignal;
  /** Whose request it is: only the same one can take it back. */
  readonly caller?: string;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  // No capabilities: nobody would answer for all who share the child.
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'sallyport', version: '0.1.0' } },
});
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const START_TIMEOUT = 30_000;
const MAX_WAITING = 1000;
const MAX_MESSAGES = 1000;
const FIRST_PAUSE = 100;
const MAX_PAUSE = 30_000;
/** A child that ran for so long has not failed at its start. */
const SETTLED = 60_000;
/** The modern protocol keeps nothing in the child, so nobody misses it. */
const MODERN_IDLE = 60_000;

const ENDED = 'The server ended before it answered. Whether it acted is not known: look before you repeat the call.';

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const heard = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: heard.signal });
  });
  return Promise.race([work, aborted]).finally(() => heard.abort());
}

/** A child process that callers share. It is started when somebody needs it, and again, after a pause, when it has ended. */
export class SharedChild {
  readonly #options: SharedOptions;
  readonly #timer: Timer;
  readonly #clock: () => number;
  readonly #waiting = new Waiting();
  readonly #listeners = new Set<MessageQueue>();
  #process: ServerProcess | undefined;
  #ready: Promise<string> | undefined;
  #failures = 0;
  #startedAt = 0;
  #starting = 0;
  #isClosed = false;
  #idle: unknown;

  constructor(options: SharedOptions) {
    this.#options = options;
    this.#timer = options.timer ?? platformTimer;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** What the child said when it was initialized: the result, as JSON. Empty for the modern protocol. */
  async opened(signal: AbortSignal): Promise<string> {
    if (this.#starting + this.#waiting.size >= MAX_WAITING)
      throw new UpstreamError('busy', 'Too many requests wait for this server: try again later.');
    this.#starting++;
    this.#ready ??= this.#start();
    return unlessAborted(this.#ready, signal).finally(() => this.#starting--);
  }

  /** Sends a request; gives what belongs to it, its answer last. */
  async request(text: string, { signal, caller }: SharedRequest): Promise<AsyncIterable<UpstreamMessage>> {
    await this.opened(signal);
    this.#timer.clear(this.#idle);
    return this.#ask(text, signal, caller);
  }

  /** Sends a notification, where there is somebody to read it. */
  tell(text: string): void {
    this.#process?.write(text);
  }

  /** Takes back what a caller has asked. */
  cancel(caller: string | undefined, id: string | undefined, reason: string | undefined): boolean {
    const number = this.#waiting.numberOf(caller, id);
    if (number === undefined) return false;
    this.#tellCancelled(number, reason);
    return true;
  }

  async listen(signal: AbortSignal): Promise<AsyncIterable<UpstreamMessage>> {
    await this.opened(signal);
    const queue = new MessageQueue(MAX_MESSAGES, () => this.#listeners.delete(queue));
    this.#listeners.add(queue);
    const left = (): void => {
      this.#listeners.delete(queue);
      queue.end();
    };
    signal.addEventListener('abort', left, { once: true });
    queue.onEnd(() => signal.removeEventListener('abort', left));
    return queue;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#detach()?.stop();
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.#timer.set(resolve, milliseconds));
  }

  async #start(): Promise<string> {
    // 0, 100, 200, 400 ... milliseconds: a child that dies at once must not be all that the machine does.
    if (this.#failures > 0) await this.#pause(Math.min(FIRST_PAUSE * 2 ** (this.#failures - 1), MAX_PAUSE));
    if (this.#isClosed) throw new UpstreamError('closed', 'The gateway is closing: try again in a moment.');
    this.#startedAt = this.#clock();
    try {
      const child: ServerProcess = new ServerProcess(this.#options, {
        onLine: (line) => this.#take(line),
        onLog: (line) => this.#options.onLog(line),
        onGone: () => {
          if (this.#process === child) this.#fail();
        },
      });
      this.#process = child;
      return this.#options.era === 'legacy' ? await this.#initialize(child) : '';
    } catch (cause) {
      this.#process?.kill();
      this.#fail();
      throw UpstreamError.isInstance(cause)
        ? cause
        : new UpstreamError('process', 'The server cannot be started: see its command and its log.', cause);
    }
  }

  async #initialize(child: ServerProcess): Promise<string> {
    const signal = AbortSignal.timeout(START_TIMEOUT);
    for await (const { text } of this.#ask(INITIALIZE, signal)) {
      const result = jsonAt(text, 'result');
      if (result === undefined) break;
      child.write(INITIALIZED);
      return result;
    }
    throw new UpstreamError('process', 'The server did not start as an MCP server: see its command and its log.');
  }

  #ask(text: string, signal: AbortSignal, caller?: string): AsyncIterable<UpstreamMessage> {
    const queue: MessageQueue = new MessageQueue(MAX_MESSAGES, () => this.#leave(sent.number));
    const sent = this.#waiting.add(text, caller, queue);
    if (this.#process?.write(sent.text) !== true) {
      this.#waiting.remove(sent.number);
      throw new UpstreamError('process', 'The server does not read what it is sent: try again later.');
    }
    const aborted = (): void => {
      if (!this.#waiting.has(sent.number)) return;
      this.#leave(sent.number);
      queue.fail(signal.reason);
    };
    signal.addEventListener('abort', aborted, { once: true });
    queue.onEnd(() => signal.removeEventListener('abort', aborted));
    return queue;
  }

  #tellCancelled(number: number, reason: string | undefined): void {
    const params = `{"requestId":${number}${reason === undefined ? '' : `,"reason":${reason}`}}`;
    this.#process?.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
  }

  /** Nobody waits for this any more. A modern server is told: a legacy client that is gone may still want it done. */
  #leave(number: number): void {
    if (!this.#waiting.has(number)) return;
    this.#waiting.remove(number);
    if (this.#options.era === 'modern') this.#tellCancelled(number, undefined);
    this.#rest();
  }

  #take(line: Line): void {
    if (line.type === 'refused') {
      const what = line.reason === 'oversized' ? 'longer than the gateway takes' : 'no UTF-8';
      this.#waiting.refuse(line.beginning, line.ending, `The answer of the server was ${what}.`);
      this.#options.onLog(`(a line that is ${what})`);
    } else if (!this.#isMessage(line.text)) this.#options.onLog(line.text);
    this.#rest();
  }

  /** False for what is no message, or could be two. */
  #isMessage(text: string): boolean {
    try {
      const message: unknown = JSON.parse(text);
      if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
      return this.#route(text, message);
    } catch {
      return false;
    }
  }

  #route(text: string, message: { readonly id?: unknown; readonly method?: unknown }): boolean {
    const { id, method } = message;
    if (method === undefined) this.#waiting.answer(text);
    else if (typeof method !== 'string' || 'result' in message || 'error' in message) return false;
    else if (id !== undefined) this.#reply(text, method);
    else if (!this.#waiting.notify(method, text)) this.#spread(text);
    return true;
  }

  /** A request of the child's: there is no one client to ask. */
  #reply(text: string, method: string): void {
    const id = jsonAt(text, 'id') ?? 'null';
    const isPing = method === 'ping';
    const answer = isPing ? `{"jsonrpc":"2.0","id":${id},"result":{}}` : errorText(id, 'Method not found', -32601);
    this.#process?.write(answer);
  }

  #spread(text: string): void {
    for (const queue of this.#listeners) {
      if (!queue.isFull) queue.push(text);
      else {
        this.#listeners.delete(queue);
        queue.fail(new UpstreamError('busy', 'The server says more than was read: listen again.'));
      }
    }
  }

  /** The child has ended, or does not do what it should. */
  #fail(): void {
    const hasRun = this.#clock() - this.#startedAt > SETTLED;
    this.#failures = hasRun ? 1 : Math.min(this.#failures + 1, 20);
    this.#detach();
  }

  /** Everybody who waits is told, and the next one gets a new child. */
  #detach(): ServerProcess | undefined {
    const child = this.#process;
    this.#process = undefined;
    this.#ready = undefined;
    this.#timer.clear(this.#idle);
    for (const { id, queue } of this.#waiting.takeAll()) {
      queue.push(errorText(id, ENDED));
      queue.end();
    }
    for (const queue of this.#listeners) queue.end();
    this.#listeners.clear();
    return child;
  }

  #rest(): void {
    this.#timer.clear(this.#idle);
    if (this.#options.era === 'legacy' || this.#waiting.size > 0 || this.#process === undefined) return;
    this.#idle = this.#timer.set(() => void this.#detach()?.stop(), MODERN_IDLE);
  }
}
