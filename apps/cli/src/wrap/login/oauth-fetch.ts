import { fieldsOf } from '@sallyport/core/adapter';
import { isLoopback } from '../../address.ts';

const TIMEOUT = 15_000;
const MAX_BYTES = 1024 * 1024;
const ERROR_CODE = /^[a-z_]{1,40}$/;

/** Checks an address that the server names for a login. Only a server on this machine may name this machine. */
export function mayContact(url: URL, server: URL): boolean {
  return isLoopback(url) ? isLoopback(server) : url.protocol === 'https:';
}

async function limitedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** An error without what the other side wrote: it may repeat a token, and the library prints it. */
function errorBody(text: string): string {
  try {
    const { error } = fieldsOf(JSON.parse(text));
    if (typeof error === 'string' && ERROR_CODE.test(error)) return JSON.stringify({ error });
  } catch {
    // Not JSON.
  }
  return '{"error":"server_error"}';
}

/** The fetch for the documents and tokens of a login: small, quick, and without redirects. */
export function oauthFetch(server: URL): (address: string | URL, init?: RequestInit) => Promise<Response> {
  return async (address, init = {}) => {
    const url = new URL(address);
    if (!mayContact(url, server))
      throw new Error('The login leads to an address that is not encrypted, or to this machine.');
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const text = await limitedText(response);
    const headers = { 'content-type': response.headers.get('content-type') ?? 'text/plain' };
    const body = response.ok ? text : errorBody(text);
    return new Response([204, 304].includes(response.status) ? null : body, { status: response.status, headers });
  };
}
