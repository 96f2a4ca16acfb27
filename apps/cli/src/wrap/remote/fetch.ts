import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  checkedHeaders,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
  UpstreamError,
} from '@sallyport/mcp-proxy/http';

/** Bytes of request bodies that may wait to be sent before the client is read no further. */
const MAX_UNSENT = 1024 * 1024;
const CONNECT_TIMEOUT = 30_000;
const KEEP_ALIVE = 30_000;
const MAX_REDIRECTS = 3;

/** A fetch whose caller can wait until what it sent has left this process. */
export type RemoteFetch = GuardedFetch & { drained(): Promise<void> };

function responseFrom(message: IncomingMessage): GuardedResponse {
  return {
    status: message.statusCode ?? 0,
    header: (name) => {
      const value = message.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: message,
    discard: () => message.destroy(),
  };
}

/** The URL to ask instead. Undefined for other answers and for other origins, which must not receive the credentials. */
function redirectOf(url: URL, method: string, answer: GuardedResponse): URL | undefined {
  const isKept =
    answer.status === 307 || answer.status === 308 || (method === 'GET' && [301, 302].includes(answer.status));
  const location = isKept ? answer.header('location') : undefined;
  if (location === undefined || !URL.canParse(location, url.href)) return undefined;
  const next = new URL(location, url);
  return next.origin === url.origin ? next : undefined;
}

/**
 * Requests to one server, over the connections of Node.js: without a limit on how long a tool may take, and read only as fast as
 * the client reads.
 */
export function createRemoteFetch(): RemoteFetch {
  let unsent = 0;
  let waiting: (() => void)[] = [];
  const sent = (bytes: number): void => {
    unsent -= bytes;
    if (unsent >= MAX_UNSENT) return;
    for (const resume of waiting) resume();
    waiting = [];
  };

  const once = (url: URL, { method, headers, body = '', signal }: GuardedRequest): Promise<GuardedResponse> =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.byteLength(body);
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const given = { ...checkedHeaders(headers), ...(body === '' ? {} : { 'content-length': String(bytes) }) };
      const request = send(url, { method, headers: { 'accept-encoding': 'identity', ...given }, signal });
      unsent += bytes;
      let isCounted = true;
      const counted = (): void => {
        if (isCounted) sent(bytes);
        isCounted = false;
      };
      request.on('socket', (socket) => {
        // Notices a connection that broke without a word, as after a change of networks.
        socket.setKeepAlive(true, KEEP_ALIVE);
        if (socket.connecting)
          socket.setTimeout(CONNECT_TIMEOUT, () => socket.destroy()).once('connect', () => socket.setTimeout(0));
      });
      request.on('response', (message) => {
        counted();
        resolve(responseFrom(message));
      });
      request.on('error', (cause) => {
        counted();
        reject(
          signal.aborted
            ? cause
            : new UpstreamError(
                'unreachable',
                'The server cannot be reached: check that it is running, and its URL.',
                cause,
              ),
        );
      });
      request.end(body, counted);
    });

  const follow = async (text: string, request: GuardedRequest): Promise<GuardedResponse> => {
    let url = new URL(text);
    for (let count = 0; ; count++) {
      const answer = await once(url, request);
      const next = count < MAX_REDIRECTS ? redirectOf(url, request.method, answer) : undefined;
      if (next === undefined) return answer;
      answer.discard();
      url = next;
    }
  };

  return Object.assign(follow, {
    drained: async (): Promise<void> => {
      if (unsent >= MAX_UNSENT) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    close: async (): Promise<void> => undefined,
  });
}
