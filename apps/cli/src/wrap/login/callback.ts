import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The page that the browser shows at the end. It repeats nothing of the request. */
const PAGE = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Sallyport</title><p>${text} You can close this window.</p>`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
};

/** The browser's answer at the end of a login. */
interface Callback {
  readonly code: string | undefined;
  readonly issuer: string | undefined;
}

export interface CallbackListener {
  readonly url: string;
  /** Resolves with the first request that carries the right state. */
  readonly received: Promise<Callback>;
  close(): void;
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Waits on this machine for the browser to return from a login. Requests without the right state change nothing, so that another
 * program that finds the port can neither end the login nor finish it with a code of its own.
 */
export async function listenForCallback(state: string, port = 0): Promise<CallbackListener> {
  let settle: (callback: Callback) => void = () => undefined;
  const received = new Promise<Callback>((resolve) => {
    settle = resolve;
  });
  const reply = (response: ServerResponse, status: number, text: string): unknown =>
    response.writeHead(status, { ...HEADERS, connection: 'close' }).end(PAGE(text));
  const handle = ({ method, url = '', headers }: IncomingMessage, response: ServerResponse): unknown => {
    const { port: own } = server.address() as AddressInfo;
    // Another name that leads here is a page that had its own name point to this machine.
    if (headers.host !== `127.0.0.1:${own}`) return reply(response, 421, 'This is not the address of a login.');
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    if (method !== 'GET' || pathname !== '/callback') return reply(response, 404, 'There is nothing here.');
    if (!isSame(searchParams.get('state') ?? '', state))
      return reply(response, 400, 'This is not the login that Sallyport waits for.');
    const code = searchParams.get('code') ?? undefined;
    settle({ code, issuer: searchParams.get('iss') ?? undefined });
    return reply(response, 200, code === undefined ? 'The login was not completed.' : 'The login is complete.');
  };
  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 10_000 }, handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    received,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
