import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, errors, Pool } from 'undici';
import { type AddressRules, hostOf } from './address.ts';
import { UpstreamError } from './failure.ts';
import { checkedHeaders } from './header.ts';

export interface GuardedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Milliseconds without a byte of the body. */
  readonly idle?: number;
}

export interface GuardedResponse {
  readonly status: number;
  /** One that was sent twice is joined by a comma. */
  header(name: string): string | undefined;
  /** Read to its end, or given up, or discarded: otherwise the connection stays open until the signal. */
  readonly body: AsyncIterable<Uint8Array>;
  discard(): void;
}

/** Requests to addresses that the rules allow, and to no others. Follows no redirect, sends nothing of its own. */
export interface GuardedFetch {
  (url: string, request: GuardedRequest): Promise<GuardedResponse>;
  close(): Promise<void>;
}

export interface FetchOptions {
  /** Milliseconds. @default 10_000 */
  readonly connectTimeout?: number;
  /** Milliseconds until the head of an answer: a tool may take its time. @default 300_000 */
  readonly headersTimeout?: number;
  /** Milliseconds without a byte of the body. @default 300_000 */
  readonly idleTimeout?: number;
  /** Certificates to trust beside the system's, as PEM. */
  readonly ca?: string;
}

const MAX_HEADER_BYTES = 16 * 1024;
/** Connections to one origin. A stream keeps its own. */
const MAX_CONNECTIONS = 256;

/** Resolves, checks, and hands on what was checked: a name that leads elsewhere a moment later changes nothing. */
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
      // No name is looked up for these.
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
    return new UpstreamError('timeout', 'The server took too long: try again later.', cause);
  if (cause instanceof errors.HeadersOverflowError)
    return new UpstreamError('oversized', 'The server sent more headers than the gateway takes.', cause);
  return new UpstreamError('unreachable', 'The server cannot be reached: see that it runs, and its URL.', cause);
}

async function* chunksOf(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw failureOf(cause, signal);
  }
}

export function createFetch(rules: AddressRules, options: FetchOptions = {}): GuardedFetch {
  const { headersTimeout = 300_000, idleTimeout = 300_000 } = options;
  const agent = new Agent({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout,
    bodyTimeout: idleTimeout,
    connections: MAX_CONNECTIONS,
    factory: (origin, given) => new Pool(origin, { ...given, connect: connectorFor(rules, new URL(origin), options) }),
  });
  const request = async (
    text: string,
    { method, headers, body, signal, idle = idleTimeout }: GuardedRequest,
  ): Promise<GuardedResponse> => {
    const url = rules.checkUrl(text);
    const sent = checkedHeaders(headers);
    signal.throwIfAborted();
    const { origin, pathname, search } = url;
    const target = { origin, path: pathname + search, method, headers: sent, signal, bodyTimeout: idle };
    try {
      const answer = await agent.request(body === undefined ? target : { ...target, body });
      return {
        status: answer.statusCode,
        header: (name) => [answer.headers[name] ?? []].flat().join(', ') || undefined,
        body: chunksOf(answer.body, signal),
        // The body says that it was given up: nobody waits for that.
        discard: () => void answer.body.on('error', () => undefined).destroy(),
      };
    } catch (cause) {
      throw failureOf(cause, signal);
    }
  };
  return Object.assign(request, { close: () => agent.destroy() });
}

/** The whole of a body, which must be UTF-8 and not longer than allowed. */
export async function textOf({ body, discard }: GuardedResponse, longest: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > longest) {
      discard();
      throw new UpstreamError('oversized', 'The server sent a longer answer than the gateway takes.');
    }
    text += decodedBy(decoder, chunk);
  }
  return text + decodedBy(decoder);
}

function decodedBy(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new UpstreamError('content', 'The server sent bytes that are no UTF-8.', cause);
  }
}

interface StandardRequest {
  readonly method?: string | undefined;
  readonly headers?: Iterable<readonly [string, string]> | Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

const MAX_DOCUMENT_LENGTH = 1024 * 1024;
const DOCUMENT_TIMEOUT = 10_000;

/** The same as a standard `fetch`, for libraries that get small documents: keys and tokens. */
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
      throw new UpstreamError('content', 'The server compressed its answer without being asked to.');
    }
    const text = await textOf(answer, MAX_DOCUMENT_LENGTH);
    const isBodiless = answer.status === 204 || answer.status === 304;
    return new Response(isBodiless ? null : text, {
      status: answer.status,
      headers: { 'content-type': answer.header('content-type') ?? 'text/plain' },
    });
  };
}
