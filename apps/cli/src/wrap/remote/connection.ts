import { setTimeout as delay } from 'node:timers/promises';
import { type HttpUpstream, type UpstreamAnswer, UpstreamError } from '@sallyport/mcp-proxy/http';
import { headersOf, type Id, type Outline, ParameterHeaders, readOutline } from './message.ts';
import { BROKEN, failureText, type Receiver, type Transport } from './transport.ts';

const FIRST_PAUSE = 1000;
const MAX_PAUSE = 30_000;
/** Attempts to get the rest of an answer whose stream broke. */
const MAX_RESUMES = 5;
/** Milliseconds that a server has to close a stream after its last answer. */
const STREAM_GRACE = 1000;
const CLOSE_TIMEOUT = 1000;

/** How far a stream was read, to continue there. */
interface Position {
  id?: string | undefined;
  retry?: number | undefined;
}

/** A message on its way, and the requests in it that have no answer yet. */
interface Exchange {
  readonly text: string;
  readonly outline: Outline;
  readonly left: Set<Id>;
  readonly stop: AbortController;
  readonly signal: AbortSignal;
}

function pauseAfter(attempt: number, asked: number | undefined): number {
  return Math.min(asked ?? FIRST_PAUSE * 2 ** attempt, MAX_PAUSE);
}

/** Distinguishes a broken stream from one with unacceptable content. */
function isBreak(cause: unknown): boolean {
  return !UpstreamError.isInstance(cause) || cause.code === 'unreachable';
}

export interface ConnectionOptions {
  readonly server: HttpUpstream;
  readonly receiver: Receiver;
  /** Tries the transport of 2024 when the server does not know this one. */
  readonly older: () => Promise<Transport | undefined>;
}

/** A session with a server over Streamable HTTP. */
export class HttpConnection implements Transport {
  readonly #options: ConnectionOptions;
  readonly #parameters = new ParameterHeaders();
  readonly #ended = new AbortController();
  /** Open requests of the protocol of 2026, which are cancelled by the end of their connection. */
  readonly #cancellable = new Map<Id, AbortController>();
  #older: Transport | undefined;
  #session: string | undefined;
  #version: string | undefined;
  #initialize: string | undefined;
  #initialized: string | undefined;
  #reopening: Promise<boolean> | undefined;
  /** Settles when the server has taken the last notification: what follows must not overtake it. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  async send(text: string): Promise<void> {
    const outline = readOutline(text);
    const cancelled = outline.method === 'notifications/cancelled' ? outline.params.requestId : undefined;
    const open = this.#cancellable.get(cancelled as Id);
    if (open !== undefined) return open.abort();
    const isFree = outline.requests.length > 0 && outline.method !== 'initialize';
    const done = this.#turn.then(() => this.#older?.send(text) ?? this.#exchange(text, outline));
    if (!isFree) this.#turn = done;
    return done;
  }

  async close(): Promise<void> {
    await this.#older?.close();
    const session = this.#session;
    if (session !== undefined)
      await this.#options.server
        .end({ session, headers: this.#versionHeader(), signal: AbortSignal.timeout(CLOSE_TIMEOUT) })
        // The server may have ended the session already.
        .catch(() => undefined);
    this.#ended.abort();
  }

  #versionHeader(): Record<string, string> {
    return this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version };
  }

  #sessionOption(): { readonly session?: string } {
    return this.#session === undefined ? {} : { session: this.#session };
  }

  async #exchange(text: string, outline: Outline): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#ended.signal]);
    const exchange: Exchange = { text, outline, left: new Set(outline.requests), stop, signal };
    const [only] = outline.requests;
    const isCancellable = outline.version !== undefined && only !== undefined;
    if (isCancellable) this.#cancellable.set(only, stop);
    const failure = await this.#post(exchange).catch(failureText);
    if (isCancellable) this.#cancellable.delete(only);
    if (signal.aborted) return;
    for (const id of exchange.left) await this.#options.receiver.failed(id, failure);
  }

  /** Sends a message and passes the answer on. Returns why a request would stay without an answer. */
  async #post(exchange: Exchange, isAgain = false): Promise<string> {
    const { text, outline, left, signal } = exchange;
    const isFirst = outline.method === 'initialize';
    const isReady = outline.method === 'notifications/initialized';
    if (isFirst) this.#startOver(text);
    if (isReady) this.#initialized = text;
    const headers = { ...this.#versionHeader(), ...headersOf(outline), ...this.#parameters.headersOf(outline) };
    const session = this.#sessionOption();
    const answer = await this.#options.server.post(text, { ...session, headers, signal });
    const { status } = answer;
    if (status === 404 && session.session !== undefined && !isAgain && (await this.#reopened()))
      return this.#post(exchange, true);
    if (isFirst && [400, 404, 405].includes(status) && (await this.#fallBack(text))) {
      left.clear();
      return '';
    }
    if (isFirst && status < 300) this.#session = answer.session;
    await this.#receive(answer, exchange);
    if (isReady && status < 300) void this.#listen();
    return status < 300 ? BROKEN : `The server answered with the HTTP status ${status}.`;
  }

  #startOver(text: string): void {
    this.#initialize = text;
    this.#initialized = undefined;
    this.#session = undefined;
    this.#version = undefined;
  }

  async #fallBack(text: string): Promise<boolean> {
    this.#older = await this.#options.older();
    await this.#older?.send(text);
    return this.#older !== undefined;
  }

  /** Reads an answer, and continues where its stream broke. */
  async #receive(first: UpstreamAnswer, exchange: Exchange): Promise<void> {
    const { left, signal } = exchange;
    const position: Position = {};
    let answer = first;
    for (let attempt = 0; ; attempt++) {
      await this.#read(answer, position, exchange).catch((cause: unknown) => {
        if (left.size > 0 && (signal.aborted || position.id === undefined || !isBreak(cause))) throw cause;
      });
      if (left.size === 0 || !answer.isStream || position.id === undefined || attempt >= MAX_RESUMES) return;
      await delay(pauseAfter(attempt, position.retry), undefined, { signal });
      answer = await this.#resume(position, signal);
    }
  }

  #resume({ id }: Position, signal: AbortSignal): Promise<UpstreamAnswer> {
    const lastEventId = id === undefined ? {} : { lastEventId: id };
    return this.#options.server.listen({
      ...this.#sessionOption(),
      headers: this.#versionHeader(),
      ...lastEventId,
      signal,
    });
  }

  /** Passes the messages of an answer on. An error without the id of a request is not passed on: it answers nothing. */
  async #read({ messages, status }: UpstreamAnswer, position: Position, exchange?: Exchange): Promise<void> {
    let grace: NodeJS.Timeout | undefined;
    try {
      for await (const { text, id, retry } of messages) {
        position.id = id ?? position.id;
        position.retry = retry ?? position.retry;
        if (text === '') continue;
        const { answers, negotiated } = readOutline(text);
        if (status >= 300 && !answers.some((each) => exchange?.left.has(each))) continue;
        this.#version ??= negotiated;
        this.#parameters.learn(text);
        for (const each of answers) exchange?.left.delete(each);
        await this.#options.receiver.message(text);
        if (exchange !== undefined && exchange.left.size === 0)
          grace ??= setTimeout(() => exchange.stop.abort(), STREAM_GRACE);
      }
    } finally {
      clearTimeout(grace);
    }
  }

  /** Reads what the server sends by itself, until the session ends. */
  async #listen(): Promise<void> {
    const session = this.#session;
    const position: Position = {};
    const { signal } = this.#ended;
    for (let attempt = 0; !signal.aborted && session === this.#session; attempt++) {
      try {
        const answer = await this.#resume(position, signal);
        // The server does not offer such a stream, or the session is over.
        if (!answer.isStream) return;
        attempt = 0;
        await this.#read(answer, position);
      } catch {
        // The connection broke: it is opened again after a pause.
      }
      await delay(pauseAfter(attempt, position.retry), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Starts a new session in place of one that the server no longer knows. The client does not notice. */
  #reopened(): Promise<boolean> {
    this.#reopening ??= this.#reopen()
      .catch(() => false)
      .finally(() => {
        this.#reopening = undefined;
      });
    return this.#reopening;
  }

  async #reopen(): Promise<boolean> {
    const [initialize, initialized] = [this.#initialize, this.#initialized];
    if (initialize === undefined) return false;
    const { server } = this.#options;
    const { signal } = this.#ended;
    const answer = await server.post(initialize, { headers: {}, signal });
    if (answer.status >= 300) return false;
    for await (const { text } of answer.messages) if (readOutline(text).answers.length > 0) break;
    this.#session = answer.session;
    if (initialized === undefined) return true;
    await server.post(initialized, { ...this.#sessionOption(), headers: this.#versionHeader(), signal });
    void this.#listen();
    return true;
  }
}
