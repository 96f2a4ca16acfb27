import { UpstreamError } from '@sallyport/mcp-proxy/http';
import { Hono } from 'hono';
import { StoreError } from '../../store/errors.ts';
import type { Connections } from './connections.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  // Another page can neither show this one in a frame nor send its form for the person.
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'x-frame-options': 'DENY',
};
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => REFERENCES[character] ?? '');
}

function page(status: number, body: string): Response {
  const html = `<!doctype html><html lang="en"><title>Sallyport</title><body>${body}</body></html>\n`;
  return new Response(html, { status, headers: HEADERS });
}

function failure(cause: unknown, onError: (cause: unknown) => void): Response {
  if (cause instanceof StoreError || UpstreamError.isInstance(cause))
    return page(400, `<h1>Not connected</h1><p>${escaped(cause.message)}</p>`);
  onError(cause);
  return page(503, '<h1>Not connected</h1><p>The gateway cannot answer at the moment: try again later.</p>');
}

/** Asks the person who has logged in whether the account is meant for this principal: otherwise a link could take an account from its owner. */
function question(connections: Connections, answer: URLSearchParams): Response {
  const { server, principal } = connections.personOf(answer);
  return page(
    200,
    `<h1>Connect your account?</h1>
<p>Calls of <b>${escaped(principal)}</b> to the server <b>${escaped(server)}</b> will use the account that you have just logged in with.</p>
<p>If you are not ${escaped(principal)}, or did not begin this yourself, close this page.</p>
<form method="post"><button>Connect</button></form>`,
  );
}

/** Where authorization servers send people back to: `/oauth/callback`. It needs no key; the sealed `state` says whom it is for. */
export function callbackRoutes(connections: Connections, onError: (cause: unknown) => void): Hono {
  return new Hono()
    .get('/', async (context) => {
      try {
        return question(connections, new URL(context.req.url).searchParams);
      } catch (cause) {
        return failure(cause, onError);
      }
    })
    .post('/', async (context) => {
      try {
        // The form has no fields: it is sent to the address of the page, which has the answer.
        await connections.finish(new URL(context.req.url).searchParams);
        return page(200, '<h1>Connected</h1><p>You can close this page.</p>');
      } catch (cause) {
        return failure(cause, onError);
      }
    });
}
