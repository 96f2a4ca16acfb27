import { type GuardedFetch, readEvents, type ServerEvent } from '@sallyport/mcp-proxy/http';
import { type Id, readOutline } from './message.ts';
import { BROKEN, failureText, type Receiver, type Transport } from './transport.ts';

export interface SseOptions {
  readonly url: URL;
  readonly fetch: GuardedFetch;
  readonly headers: () => Promise<Record<string, string>>;
  readonly receiver: Receiver;
  readonly maxBytes: number;
}

const ENDPOINT_TIMEOUT = 10_000;

/** The address to send messages to. Another origin must not receive the credentials. */
function endpointIn({ event, data }: ServerEvent, url: URL): URL | undefined {
  if (event !== 'endpoint' || !URL.canParse(data, url.href)) return undefined;
  const endpoint = new URL(data, url);
  return endpoint.origin === url.origin ? endpoint : undefined;
}

/** A session over HTTP with SSE, the transport of the protocol 2024-11-05: one stream for all messages of the server. */
class SseConnection implements Transport {
  readonly #options: SseOptions;
  readonly #endpoint: URL;
  readonly #ended: AbortController;
  readonly #open = new Set<Id>();

  constructor(options: SseOptions, endpoint: URL, events: AsyncIterator<ServerEvent>, ended: AbortController) {
    this.#options = options;
    this.#endpoint = endpoint;
    this.#ended = ended;
    void this.#read(events);
  }

  async send(text: string): Promise<void> {
    const { requests } = readOutline(text);
    for (const id of requests) this.#open.add(id);
    const failure = this.#ended.signal.aborted ? BROKEN : await this.#post(text).catch(failureText);
    if (failure !== undefined) await this.#fail(requests, failure);
  }

  async close(): Promise<void> {
    this.#ended.abort();
  }

  async #post(text: string): Promise<string | undefined> {
    const { fetch, headers } = this.#options;
    const given = { ...(await headers()), 'content-type': 'application/json' };
    const { signal } = this.#ended;
    const answer = await fetch(this.#endpoint.href, { method: 'POST', headers: given, body: text, signal });
    answer.discard();
    return answer.status < 300 ? undefined : `The server answered with the HTTP status ${answer.status}.`;
  }

  async #read(events: AsyncIterator<ServerEvent>): Promise<void> {
    try {
      for (let next = await events.next(); next.done !== true; next = await events.next()) {
        const { data, event = 'message' } = next.value;
        if (event !== 'message' || data === '') continue;
        for (const id of readOutline(data).answers) this.#open.delete(id);
        await this.#options.receiver.message(data);
      }
    } catch {
      // The requests below are told that the connection ended.
    }
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    await this.#fail([...this.#open], BROKEN);
  }

  async #fail(ids: readonly Id[], failure: string): Promise<void> {
    for (const id of ids) if (this.#open.delete(id)) await this.#options.receiver.failed(id, failure);
  }
}

/** Opens the older transport; undefined if the server does not offer it. */
export async function openSse(options: SseOptions): Promise<Transport | undefined> {
  const { url, fetch, headers, maxBytes } = options;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), ENDPOINT_TIMEOUT);
  try {
    const given = { ...(await headers()), accept: 'text/event-stream' };
    const answer = await fetch(url.href, { method: 'GET', headers: given, signal: ended.signal });
    const isStream = (answer.header('content-type') ?? '').toLowerCase().startsWith('text/event-stream');
    if (answer.status !== 200 || !isStream) {
      answer.discard();
      return undefined;
    }
    const events = readEvents(answer.body, maxBytes);
    const first = await events.next();
    const endpoint = first.done === true ? undefined : endpointIn(first.value, url);
    if (endpoint !== undefined) return new SseConnection(options, endpoint, events, ended);
    ended.abort();
  } catch {
    // The answer to the first request says what is wrong.
  } finally {
    clearTimeout(timer);
  }
  return undefined;
}
