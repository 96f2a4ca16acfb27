import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import {
  checkedHeaders,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
  textOf,
  UpstreamError,
} from '@sallyport/mcp-proxy/http';
import { Agent, buildConnector, type Dispatcher, errors, Pool } from 'undici';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { type AddressRules, hostOf } from './address.ts';

/** Numbers of calls and of streams. */
interface Open {
  readonly calls: number;
  readonly streams: number;
}

/** A guarded fetch that says how much is open. */
export type CountedFetch = GuardedFetch & { readonly open: () => Open };

export interface FetchOptions {
  /** Milliseconds until a connection must be established. @default 10_000 */
  readonly connectTimeout?: number;
  /** Milliseconds until the head of an answer must arrive. It is long because a tool may be slow. @default 300_000 */
  readonly headersTimeout?: number;
  /** Milliseconds without a byte of the body after which a request fails. @default 300_000 */
  readonly idleTimeout?: number;
  /** Calls and streams that may be open to one origin at a time. @default 256 calls and 4096 streams */
  readonly max?: Open;
  /** Those of them that one principal may have. @default 64 calls and 256 streams */
  readonly share?: Open;
  /** Called when a request is refused because too many are open. */
  readonly onBusy?: () => void;
  /** Certificates to trust in place of the system's, as PEM. */
  readonly ca?: string;
}

const MAX_HEADER_BYTES = 16 * 1024;
/** A stream occupies its connection for hours. Clients open one each, so calls have connections of their own. */
const MAX_OPEN = { calls: 256, streams: 4096 };
const SHARE = { calls: 64, streams: 256 };
const FULL = 'Too many requests or streams to this server are open: try again later.';
const SHARE_FULL = 'Too many of your requests or streams to this server are open: wait until some have ended.';

/** Resolves a host and connects only to the addresses that were checked, which prevents DNS rebinding. */
function lookupFor(rules: AddressRules, url: URL): LookupFunction {
  return (_host, options, done) => {
    const failed = (cause: unknown): void => done(cause as Error, []);
    rules.addressesOf(url).then((addresses) => {
      const found: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = found;
      if (options.all === true || first === undefined) done(null, found);
      else done(null, first.address, first.family);
    }, failed);
  };
}

function connectorFor(rules: AddressRules, origin: URL, { connectTimeout = 10_000, ca }: FetchOptions) {
  const connect = buildConnector({
    timeout: connectTimeout,
    lookup: lookupFor(rules, origin),
    ...(ca === undefined ? {} : { ca }),
  });
  return (options: buildConnector.Options, done: buildConnector.Callback): void => {
    try {
      // No lookup happens if the host is an address.
      if (isIP(hostOf(origin)) !== 0) rules.checkAddress(origin, hostOf(origin));
      connect(options, done);
    } catch (cause) {
      done(cause as Error, null);
    }
  };
}

function failureOf(cause: unknown, signal: AbortSignal): unknown {
  if (UpstreamError.isInstance(cause) || signal.aborted) return cause;
  if (
    cause instanceof errors.HeadersTimeoutError ||
    cause instanceof errors.BodyTimeoutError ||
    cause instanceof errors.ConnectTimeoutError
  )
    return new UpstreamError('timeout', 'The server did not answer in time: try again later.', cause);
  if (cause instanceof errors.HeadersOverflowError)
    return new UpstreamError('oversized', `The server sent more than ${MAX_HEADER_BYTES} bytes of headers.`, cause);
  return new UpstreamError(
    'unreachable',
    'The server cannot be reached: check that it is running, and its URL.',
    cause,
  );
}

async function* chunksOf(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw failureOf(cause, signal);
  }
}

/** The connections to all origins, with a limit for each. Beyond it a request fails at once: it could wait for hours. */
class Connections {
  readonly #agent: Agent;
  readonly #pools = new Map<string, Pool>();
  readonly #max: number;
  readonly #shares: ConcurrencyLimit;
  readonly #onBusy: () => void;

  constructor(rules: AddressRules, options: FetchOptions, max: number, share: number) {
    const { headersTimeout = 300_000, idleTimeout = 300_000, onBusy = () => undefined } = options;
    this.#max = max;
    this.#shares = new ConcurrencyLimit(share);
    this.#onBusy = onBusy;
    this.#agent = new Agent({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout,
      bodyTimeout: idleTimeout,
      connections: max,
      factory: (origin, given) => {
        const pool = new Pool(origin, { ...given, connect: connectorFor(rules, new URL(origin), options) });
        this.#pools.set(String(new URL(origin).origin), pool);
        return pool;
      },
    });
  }

  async request(
    target: Dispatcher.RequestOptions & { readonly origin: string },
    countsFor: string | undefined,
  ): Promise<Dispatcher.ResponseData> {
    const stats = this.#pools.get(target.origin)?.stats;
    if (stats !== undefined && stats.size >= this.#max) this.#refuse(FULL);
    if (countsFor === undefined) return this.#agent.request(target);
    const leave = this.#shares.enter(`${target.origin} ${countsFor}`) ?? this.#refuse(SHARE_FULL);
    try {
      const answer = await this.#agent.request(target);
      // It closes when it was read to its end, and when it was given up.
      answer.body.once('close', leave);
      return answer;
    } catch (cause) {
      leave();
      throw cause;
    }
  }

  #refuse(why: string): never {
    this.#onBusy();
    throw new UpstreamError('busy', why);
  }

  /** Requests whose answers have not ended. */
  get open(): number {
    return [...this.#pools.values()].reduce((sum, { stats }) => sum + stats.size, 0);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

export function createFetch(rules: AddressRules, options: FetchOptions = {}): CountedFetch {
  const { idleTimeout = 300_000, max = MAX_OPEN, share = SHARE } = options;
  const calls = new Connections(rules, options, max.calls, share.calls);
  const streams = new Connections(rules, options, max.streams, share.streams);
  const request = async (
    text: string,
    { method, headers, body, signal, idle = idleTimeout, isStream = method === 'GET', countsFor }: GuardedRequest,
  ): Promise<GuardedResponse> => {
    const url = rules.checkUrl(text);
    const sent = checkedHeaders(headers);
    signal.throwIfAborted();
    const { origin, pathname, search } = url;
    const target = { origin, path: pathname + search, method, headers: sent, signal, bodyTimeout: idle };
    try {
      const answer = await (isStream ? streams : calls).request(
        body === undefined ? target : { ...target, body },
        countsFor,
      );
      return {
        status: answer.statusCode,
        header: (name) => [answer.headers[name] ?? []].flat().join(', ') || undefined,
        body: chunksOf(answer.body, signal),
        // Destroying the body emits an error, which is expected here.
        discard: () => void answer.body.on('error', () => undefined).destroy(),
      };
    } catch (cause) {
      throw failureOf(cause, signal);
    }
  };
  return Object.assign(request, {
    open: () => ({ calls: calls.open, streams: streams.open }),
    close: async () => {
      await Promise.all([calls.close(), streams.close()]);
    },
  });
}

interface StandardRequest {
  readonly method?: string | undefined;
  readonly headers?: Iterable<readonly [string, string]> | Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

const MAX_DOCUMENT_LENGTH = 1024 * 1024;
const DOCUMENT_TIMEOUT = 10_000;

/** Adapts a guarded fetch to the standard `fetch`, for libraries that download small documents such as keys and tokens. */
export function standardFetch(
  guarded: GuardedFetch,
): (url: string | URL, request?: StandardRequest) => Promise<Response> {
  return async (url, { method = 'GET', headers = [], body, signal } = {}) => {
    const limit = AbortSignal.timeout(DOCUMENT_TIMEOUT);
    const pairs = Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
    const answer = await guarded(String(url), {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(pairs),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    });
    if (answer.header('content-encoding') !== undefined) {
      answer.discard();
      throw new UpstreamError('content', 'The server sent a compressed answer that was not requested.');
    }
    const text = await textOf(answer, MAX_DOCUMENT_LENGTH);
    const isBodiless = answer.status === 204 || answer.status === 304;
    return new Response(isBodiless ? null : text, {
      status: answer.status,
      headers: { 'content-type': answer.header('content-type') ?? 'text/plain' },
    });
  };
}
