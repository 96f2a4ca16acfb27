import { parseJson } from '@sallyport/core/json';
import type { UpstreamAnswer, UpstreamMessage } from './answer.ts';
import { readEvents } from './events.ts';
import { UpstreamError } from './failure.ts';
import { type GuardedFetch, type GuardedRequest, type GuardedResponse, textOf } from './fetch.ts';
import { isVisibleText } from './header.ts';

export interface HttpUpstreamOptions {
  readonly url: string;
  readonly fetch: GuardedFetch;
  /** The gateway's credentials. Called for each request. */
  readonly headers: () => Promise<Record<string, string>>;
  /**
   * Called when the server refuses the credentials. Returns true if there are new ones; the request is then sent again.
   */
  readonly renew?: () => Promise<boolean>;
  /** Maximum size of one message. @default 16 MiB */
  readonly maxBytes?: number;
}

export interface HttpRequest {
  readonly session?: string;
  /** The caller's headers. Only those of the protocol are forwarded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The caller whose share of the open requests it counts against. @default no share */
  readonly countsFor?: string;
}

const MAX_LENGTH = 16 * 1024 * 1024;
/** Milliseconds without a byte after which a stream ends, so that the client opens it again. */
const LISTEN_IDLE = 600_000;
/**
 * The caller's headers that are forwarded, and the gateway's trace. The gateway sets all others, above all credentials.
 */
const FORWARDED = /^(?:mcp-(?:protocol-version|method|name|param-[\w-]{1,100})|trace(?:parent|state))$/;

const SUBSCRIBE = 'subscriptions/listen';

/**
 * Recognises the request by which a client of protocol version 2026 listens: its answer is a stream that stays open.
 */
function opensStream(text: string): boolean {
  // Most messages need no second reading.
  if (!text.includes('listen')) return false;
  try {
    return (parseJson(text) as { readonly method?: unknown } | null)?.method === SUBSCRIBE;
  } catch {
    return false;
  }
}

function mediaTypeOf(answer: GuardedResponse): string {
  return (answer.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Copies the fields of a request that are sent, since callers pass objects with more. */
function requestOf({ headers, signal, countsFor }: HttpRequest): Omit<GuardedRequest, 'method'> {
  return { headers, signal, ...(countsFor === undefined ? {} : { countsFor }) };
}

function forwardedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(named.filter(([name]) => FORWARDED.test(name)));
}

function sessionOf(answer: GuardedResponse): string | undefined {
  const session = answer.header('mcp-session-id');
  if (session === undefined || isVisibleText(session)) return session;
  answer.discard();
  throw new UpstreamError('header', 'The server sent a session id with characters that the protocol does not allow.');
}

async function* none(): AsyncGenerator<UpstreamMessage> {
  // The answer has no messages.
}

async function* whole(answer: GuardedResponse, maxBytes: number): AsyncGenerator<UpstreamMessage> {
  const text = await textOf(answer, maxBytes);
  if (text.trim() !== '') yield { text };
}

async function* streamed(answer: GuardedResponse, maxBytes: number): AsyncGenerator<UpstreamMessage> {
  for await (const { data, id, event = 'message', retry } of readEvents(answer.body, maxBytes)) {
    if (event !== 'message') continue;
    // A client cannot resume from an id that no header can contain.
    const isUsable = id !== undefined && isVisibleText(id);
    yield { text: data, ...(isUsable ? { id } : {}), ...(retry === undefined ? {} : { retry }) };
  }
}

/**
 * A server that is reached over Streamable HTTP.
 *
 * @example
 * ```ts
 * const server = new HttpUpstream({ url, fetch, headers: async () => ({}) });
 * const { messages } = await server.post(text, { headers: {}, signal });
 * for await (const message of messages) handle(message.text);
 * ```
 */
export class HttpUpstream {
  readonly #options: HttpUpstreamOptions;
  readonly #maxBytes: number;

  constructor(options: HttpUpstreamOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? MAX_LENGTH;
  }

  /** Sends one message. The messages of the answer are read from the connection on demand. */
  async post(text: string, { session, ...request }: HttpRequest): Promise<UpstreamAnswer> {
    const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const open = opensStream(text) ? { isStream: true, idle: LISTEN_IDLE } : {};
    return this.#answer(await this.#send({ method: 'POST', ...requestOf(request), body: text, ...open }, own, session));
  }

  /** The messages that the server sends by itself, or those after `lastEventId`. */
  async listen(request: HttpRequest & { readonly lastEventId?: string }): Promise<UpstreamAnswer> {
    const { session, lastEventId } = request;
    if (lastEventId !== undefined && !isVisibleText(lastEventId))
      throw new UpstreamError('header', 'The Last-Event-ID header contains characters that are not allowed.');
    const own = { accept: 'text/event-stream', ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
    return this.#answer(await this.#send({ method: 'GET', ...requestOf(request), idle: LISTEN_IDLE }, own, session));
  }

  /** Ends a session, and returns the status. */
  async end({ session, ...request }: HttpRequest & { readonly session: string }): Promise<number> {
    const answer = await this.#send({ method: 'DELETE', ...requestOf(request) }, {}, session);
    answer.discard();
    return answer.status;
  }

  async #send(request: GuardedRequest, own: Record<string, string>, session?: string): Promise<GuardedResponse> {
    if (session !== undefined && !isVisibleText(session))
      throw new UpstreamError('header', 'The session id contains characters that are not allowed.');
    const { url, fetch, headers, renew } = this.#options;
    const attempt = async (): Promise<GuardedResponse> => {
      const given = await headers();
      const forwarded = forwardedHeaders(request.headers);
      const ofSession = session === undefined ? {} : { 'mcp-session-id': session };
      return fetch(url, { ...request, headers: { ...given, ...forwarded, ...own, ...ofSession } });
    };
    const answer = await attempt();
    if (answer.status !== 401 || renew === undefined) return answer;
    answer.discard();
    // A server that answers 401 has not acted, so the request can be sent again. Only once: the new credentials may be
    // wrong too.
    return (await renew()) ? attempt() : answer;
  }

  #answer(answer: GuardedResponse): UpstreamAnswer {
    const { status } = answer;
    this.#check(answer);
    const session = sessionOf(answer);
    const type = mediaTypeOf(answer);
    const isSuccess = status >= 200 && status < 300;
    if (isSuccess && type === 'text/event-stream')
      return { status, session, isStream: true, messages: streamed(answer, this.#maxBytes) };
    if (type === 'application/json' && status !== 202 && status !== 204)
      return { status, session, isStream: false, messages: whole(answer, this.#maxBytes) };
    answer.discard();
    if (isSuccess && status !== 202 && status !== 204 && answer.header('content-length') !== '0')
      throw new UpstreamError('content', 'The server did not answer with an MCP message: check the URL.');
    return { status, session, isStream: false, messages: none() };
  }

  #check(answer: GuardedResponse): void {
    const isRedirect = answer.status >= 300 && answer.status < 400;
    const isEncoded = !['', 'identity'].includes(answer.header('content-encoding')?.toLowerCase() ?? '');
    if (!isRedirect && !isEncoded) return;
    answer.discard();
    if (isRedirect)
      throw new UpstreamError('redirect', 'The server redirects to another URL: use that URL if you trust it.');
    throw new UpstreamError('content', 'The server sent a compressed answer that was not requested.');
  }
}
