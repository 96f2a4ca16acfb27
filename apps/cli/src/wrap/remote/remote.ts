import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Serial } from '@sallyport/core/adapter';
import { HttpUpstream } from '@sallyport/mcp-proxy/http';
import type { Upstream, UpstreamLine } from '../upstream.ts';
import { HttpConnection } from './connection.ts';
import { createRemoteFetch, type RemoteFetch } from './fetch.ts';
import { openSse } from './sse.ts';
import type { Receiver } from './transport.ts';

/** The credentials for a server, as headers. */
export interface Credentials {
  headers(): Promise<Record<string, string>>;
  /** Called when the server refuses them, with its challenge. Returns whether there are new ones. */
  renew(challenge: string): Promise<boolean>;
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Milliseconds that open requests have after the client has gone. */
const END_GRACE = 2000;

/** A fetch that keeps the server's last challenge, which says where to log in. */
function keepingChallenge(fetch: RemoteFetch, keep: (challenge: string) => void): RemoteFetch {
  const asked: RemoteFetch = Object.assign(
    async (...args: Parameters<RemoteFetch>) => {
      const answer = await fetch(...args);
      if (answer.status === 401 || answer.status === 403) keep(answer.header('www-authenticate') ?? '');
      return answer;
    },
    { drained: fetch.drained, close: fetch.close },
  );
  return asked;
}

/** A server that is reached over HTTP. */
export function openRemote(url: URL, credentials: Credentials): Upstream {
  let challenge = '';
  const fetch = keepingChallenge(createRemoteFetch(), (text) => {
    challenge = text;
  });
  const headers = (): Promise<Record<string, string>> => credentials.headers();
  const renew = (): Promise<boolean> => credentials.renew(challenge);
  const server = new HttpUpstream({ url: url.href, fetch, headers, renew, maxBytes: MAX_MESSAGE_BYTES });

  let onLine: (line: UpstreamLine) => Promise<void> = async () => undefined;
  // One message at a time, from all streams: a stream is read no further while the client is slow.
  const queue = new Serial();
  const receiver: Receiver = {
    message: (text) => queue.run(() => onLine({ type: 'line', text })),
    failed: (id, message) => queue.run(() => onLine({ type: 'failed', id, message })),
  };
  const older = () => openSse({ url, fetch, headers, receiver, maxBytes: MAX_MESSAGE_BYTES });
  const connection = new HttpConnection({ server, receiver, older });

  const open = new Set<Promise<void>>();
  let finish: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => {
    finish = resolve;
  });
  const end = async (code: number, grace: number): Promise<void> => {
    await Promise.race([Promise.all(open), delay(grace, undefined, { ref: false })]);
    await connection.close();
    finish(code);
  };
  return {
    write: (text) => {
      const sent = connection.send(text).finally(() => open.delete(sent));
      open.add(sent);
    },
    drained: () => fetch.drained(),
    end: () => void end(0, END_GRACE),
    read: async (take) => {
      onLine = take;
      await ended;
    },
    ended,
    kill: (signal) => void end(128 + constants.signals[signal], 0),
  };
}
