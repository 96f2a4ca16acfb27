import type { UpstreamAnswer, UpstreamMessage } from './answer.ts';
import { readEvents } from './events.ts';
import { UpstreamError } from './failure.ts';
import { type GuardedFetch, type GuardedRequest, type GuardedResponse, textOf } from './fetch.ts';
import { isVisibleText } from './header.ts';

export interface HttpUpstreamOptions {
  readonly url: string;
  readonly fetch: GuardedFetch;
  /** What the gateway presents itself with. Asked for each request. */
  readonly headers: () => Promise<Record<string, string>>;
  /** Called when the server refuses the credentials. True where there are new ones, so that it is worth a second try. */
  readonly renew?: () => Promise<boolean>;
  /** Bytes of one message. @default 16 MiB */
  readonly longest?: number;
}

export interface HttpRequest {
  readonly session?: string;
  /** Of the caller's: those of the protocol go on, the others stay here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const MAX_LENGTH = 16 * 1024 * 1024;
/** A stream of which nothing comes for so long is opened anew. */
const LISTEN_IDLE = 600_000;
/** What a caller's request may say to the server in headers, and the gateway's trace. Everything else is the gateway's to say, credentials first. */
const PASSED = /^(?:mcp-(?:protocol-version|method|name|param-[\w-]{1,100})|trace(?:parent|state))$/;

function mediaTypeOf(answer: GuardedResponse): string {
  return (answer.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function passedOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(named.filter(([name]) => PASSED.test(name)));
}

function sessionOf(answer: GuardedResponse): string | undefined {
  const session = answer.header('mcp-session-id');
  if (session === undefined || isVisibleText(session)) return session;
  answer.discard();
  throw new UpstreamError('header', 'The server gave a session id that the protocol does not allow.');
}

async function* none(): AsyncGenerator<UpstreamMessage> {
  // Nothing was said.
}

async function* whole(answer: GuardedResponse, longest: number): AsyncGenerator<UpstreamMessage> {
  const text = await textOf(answer, longest);
  if (text.trim() !== '') yield { text };
}

async function* streamed(answer: GuardedResponse, longest: number): AsyncGenerator<UpstreamMessage> {
  for await (const { data, id, event = 'message', retry } of readEvents(answer.body, longest)) {
    if (event !== 'message') continue;
    // An id that no header can hold is one that nobody can come back with.
    const isUsable = id !== undefined && isVisibleText(id);
    yield { text: data, ...(isUsable ? { id } : {}), ...(retry === undefined ? {} : { retry }) };
  }
}

/** A server that speaks Streamable HTTP. */
export class HttpUpstream {
  readonly #options: HttpUpstreamOptions;
  readonly #longest: number;

  constructor(options: HttpUpstreamOptions) {
    this.#options = options;
    this.#longest = options.longest ?? MAX_LENGTH;
  }

  /** Sends one message. The messages of the answer are read from the connection as they are asked for. */
  async post(text: string, { session, headers, signal }: HttpRequest): Promise<UpstreamAnswer> {
    const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return this.#answer(
      await this.#send({ method: 'POST', headers: { ...headers }, body: text, signal }, own, session),
    );
  }

  /** What the server says by itself, or what was missed since an event. */
  async listen(request: HttpRequest & { readonly lastEventId?: string }): Promise<UpstreamAnswer> {
    const { session, lastEventId, headers, signal } = request;
    if (lastEventId !== undefined && !isVisibleText(lastEventId))
      throw new UpstreamError('header', 'The id of the last event has characters that no id has.');
    const own = { accept: 'text/event-stream', ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
    return this.#answer(await this.#send({ method: 'GET', headers, signal, idle: LISTEN_IDLE }, own, session));
  }

  /** Ends a session; gives the status. */
  async end({ session, headers, signal }: HttpRequest & { readonly session: string }): Promise<number> {
    const answer = await this.#send({ method: 'DELETE', headers, signal }, {}, session);
    answer.discard();
    return answer.status;
  }

  async #send(request: GuardedRequest, own: Record<string, string>, session?: string): Promise<GuardedResponse> {
    if (session !== undefined && !isVisibleText(session))
      throw new UpstreamError('header', 'The session id has characters that no session id has.');
    const { url, fetch, headers, renew } = this.#options;
    const attempt = async (): Promise<GuardedResponse> => {
      const given = await headers();
      const passed = passedOf(request.headers);
      const ofSession = session === undefined ? {} : { 'mcp-session-id': session };
      return fetch(url, { ...request, headers: { ...given, ...passed, ...own, ...ofSession } });
    };
    const answer = await attempt();
    if (answer.status !== 401 || renew === undefined) return answer;
    answer.discard();
    // Whoever refuses the credentials has not acted. Once: the next credentials may be wrong too.
    return (await renew()) ? attempt() : answer;
  }

  #answer(answer: GuardedResponse): UpstreamAnswer {
    const { status } = answer;
    this.#check(answer);
    const session = sessionOf(answer);
    const type = mediaTypeOf(answer);
    const isSuccess = status >= 200 && status < 300;
    if (isSuccess && type === 'text/event-stream')
      return { status, session, isStream: true, messages: streamed(answer, this.#longest) };
    if (type === 'application/json' && status !== 202 && status !== 204)
      return { status, session, isStream: false, messages: whole(answer, this.#longest) };
    answer.discard();
    if (isSuccess && status !== 202 && status !== 204 && answer.header('content-length') !== '0')
      throw new UpstreamError(
        'content',
        'The server answered with something that is no MCP: see that the URL is right.',
      );
    return { status, session, isStream: false, messages: none() };
  }

  #check(answer: GuardedResponse): void {
    const isRedirect = answer.status >= 300 && answer.status < 400;
    const isEncoded = !['', 'identity'].includes(answer.header('content-encoding')?.toLowerCase() ?? '');
    if (!isRedirect && !isEncoded) return;
    answer.discard();
    if (isRedirect)
      throw new UpstreamError(
        'redirect',
        'The server sends elsewhere: register the URL that it leads to, if it is right.',
      );
    throw new UpstreamError('content', 'The server compressed its answer without being asked to.');
  }
}
