import { backgroundTimer } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { Timer } from '@sallyport/core/stages';
import type { Line } from '@sallyport/mcp-proxy';
import { UpstreamError, type UpstreamMessage } from '@sallyport/mcp-proxy/http';
import { jsonAt } from './place.ts';
import type { Child, StartChild } from './process.ts';
import { MessageQueue } from './queue.ts';
import { errorText, Waiting } from './waiting.ts';

export interface SharedOptions {
  readonly start: StartChild;
  /** The protocol of the child. A server chooses one with the first message and keeps it. */
  readonly era: 'legacy' | 'modern';
  /** @default the platform's */
  readonly timer?: Timer;
  /** A monotonic clock, in milliseconds. @default performance.now */
  readonly clock?: () => number;
  onLog(line: string): void;
}

export interface SharedRequest {
  readonly signal: AbortSignal;
  /** Identifies the caller: only the same caller can cancel the request. */
  readonly caller?: string;
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  // No capabilities: no single client could answer for all callers of the child.
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'sallyport', version: '0.1.0' } },
});
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const START_TIMEOUT = 30_000;
const MAX_WAITING = 1000;
const MAX_MESSAGES = 1000;
const FIRST_PAUSE = 100;
const MAX_PAUSE = 30_000;
/** Milliseconds after which a child counts as started successfully. */
const SETTLED = 60_000;
/** Milliseconds after which an idle child is stopped. The modern protocol keeps no state in it. */
const MODERN_IDLE = 60_000;

const ENDED =
  'The server ended before it answered. It is not known whether it acted: check before you repeat the call.';

// A child's standard error is content of others, and is not logged.
const BY_HAND = 'run its command by hand, as the same user, to see why.';
const NOT_STARTED = `The server cannot be started: ${BY_HAND}`;
const NO_ANSWER = `The server did not answer \`initialize\` within ${START_TIMEOUT / 1000} seconds: ${BY_HAND}`;

const closedError = (): UpstreamError =>
  new UpstreamError('closed', 'The process of the server is being ended: try again in a moment.');

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const settled = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: settled.signal });
  });
  return Promise.race([work, aborted]).finally(() => settled.abort());
}

/** A child process that callers share. It starts with the first request, and again, after a pause, when it has ended. */
export class SharedChild {
  readonly #options: SharedOptions;
  readonly #timer: Timer;
  readonly #clock: () => number;
  readonly #waiting = new Waiting();
  readonly #listeners = new Set<MessageQueue>();
  #process: Child | undefined;
  /** The attempt to start a child that counts now. */
  #attempt: unknown;
  #ready: Promise<string> | undefined;
  #failures = 0;
  #startedAt = 0;
  #starting = 0;
  #isClosed = false;
  #idle: unknown;

  constructor(options: SharedOptions) {
    this.#options = options;
    this.#timer = options.timer ?? backgroundTimer;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** The child's result of `initialize`, as JSON. Empty for the modern protocol. */
  async opened(signal: AbortSignal): Promise<string> {
    if (this.#starting + this.#waiting.size >= MAX_WAITING)
      throw new UpstreamError('busy', 'Too many requests are pending for this server: try again later.');
    this.#starting++;
    this.#ready ??= this.#start();
    return unlessAborted(this.#ready, signal).finally(() => this.#starting--);
  }

  /** Sends a request, and returns the messages that belong to it, its answer last. */
  async request(text: string, { signal, caller }: SharedRequest): Promise<AsyncIterable<UpstreamMessage>> {
    await this.opened(signal);
    this.#timer.clear(this.#idle);
    return this.#ask(text, signal, caller);
  }

  /** Sends a notification if the child is running. */
  tell(text: string): void {
    this.#process?.write(text);
  }

  /** Cancels a caller's request. Returns whether it was pending. */
  cancel(caller: string | undefined, id: string | undefined, reason: string | undefined): boolean {
    const number = this.#waiting.numberOf(caller, id);
    if (number === undefined) return false;
    this.#tellCancelled(number, reason);
    return true;
  }

  /** The messages that the child sends by itself. It is not started for that: otherwise each client that listens would need one. */
  listen(signal: AbortSignal): AsyncIterable<UpstreamMessage> {
    signal.throwIfAborted();
    if (this.#isClosed) throw closedError();
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
    // 0, 100, 200, 400 ... milliseconds, so that a child that ends at once does not occupy the machine.
    if (this.#failures > 0) await this.#pause(Math.min(FIRST_PAUSE * 2 ** (this.#failures - 1), MAX_PAUSE));
    if (this.#isClosed) throw closedError();
    this.#startedAt = this.#clock();
    const attempt = {};
    this.#attempt = attempt;
    try {
      const child = await this.#options.start({
        onLine: (line) => this.#take(line),
        onLog: (line) => this.#options.onLog(line),
        onGone: () => {
          if (this.#attempt === attempt) this.#fail();
        },
      });
      // Closed meanwhile, or gone already.
      if (this.#attempt !== attempt) {
        child.kill();
        throw this.#isClosed ? closedError() : new UpstreamError('process', NOT_STARTED);
      }
      this.#process = child;
      return this.#options.era === 'legacy' ? await this.#initialize(child) : '';
    } catch (cause) {
      this.#process?.kill();
      // A child that was never started has not failed, so the next request need not wait.
      const isChild = !UpstreamError.isInstance(cause) || cause.code === 'process';
      if (isChild) this.#fail();
      else this.#detach();
      throw UpstreamError.isInstance(cause) ? cause : new UpstreamError('process', NOT_STARTED, cause);
    }
  }

  async #initialize(child: Child): Promise<string> {
    const signal = AbortSignal.timeout(START_TIMEOUT);
    try {
      for await (const { text } of this.#ask(INITIALIZE, signal)) {
        const result = jsonAt(text, 'result');
        if (result === undefined) break;
        child.write(INITIALIZED);
        return result;
      }
    } catch (cause) {
      throw signal.aborted ? new UpstreamError('process', NO_ANSWER, cause) : cause;
    }
    throw new UpstreamError('process', `The server refused \`initialize\`: ${BY_HAND}`);
  }

  #ask(text: string, signal: AbortSignal, caller?: string): AsyncIterable<UpstreamMessage> {
    const queue: MessageQueue = new MessageQueue(MAX_MESSAGES, () => this.#leave(sent.number));
    const sent = this.#waiting.add(text, caller, queue);
    if (this.#process?.write(sent.text) !== true) {
      this.#waiting.remove(sent.number);
      throw new UpstreamError('process', 'The server does not read its input: try again later.');
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

  /** Removes an abandoned request. Only a modern server is told: a legacy client that disconnects may still want the result. */
  #leave(number: number): void {
    if (!this.#waiting.has(number)) return;
    this.#waiting.remove(number);
    if (this.#options.era === 'modern') this.#tellCancelled(number, undefined);
    this.#rest();
  }

  #take(line: Line): void {
    if (line.type === 'refused') {
      const problem = line.reason === 'oversized' ? 'too long' : 'not valid UTF-8';
      this.#waiting.refuse(line.beginning, line.ending, `The answer of the server was ${problem}.`);
      this.#options.onLog(`(a line that is ${problem})`);
    } else if (!this.#isMessage(line.text)) this.#options.onLog(line.text);
    this.#rest();
  }

  /** Routes a line. Returns false if it is not a message, or could be read as two kinds of message. */
  #isMessage(text: string): boolean {
    try {
      const message: unknown = parseJson(text);
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

  /** Answers a request of the child, because several clients share the child. */
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
        queue.fail(new UpstreamError('busy', 'The server sent messages faster than they were read: listen again.'));
      }
    }
  }

  /** The child has ended, or has failed to start. */
  #fail(): void {
    const hasRun = this.#clock() - this.#startedAt > SETTLED;
    this.#failures = hasRun ? 1 : Math.min(this.#failures + 1, 20);
    this.#detach();
  }

  /** Fails all pending requests. The next request starts a new child. */
  #detach(): Child | undefined {
    const child = this.#process;
    this.#attempt = undefined;
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
