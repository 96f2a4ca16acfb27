import { UpstreamError } from '@sallyport/mcp-proxy/http';
import { type Context, Hono } from 'hono';
import { StoreError } from '../../store/errors.ts';
import type { Person } from '../../store/secrets/person-tokens.ts';
import { sessionIn } from '../auth/cookie.ts';
import { escaped, page } from '../page.ts';
import { AGAIN, type Connections } from './connections.ts';

/** Characters of an authorization server's error. */
const MAX_SHOWN = 300;

function failure(cause: unknown, onError: (cause: unknown) => void): Response {
  if (cause instanceof StoreError || UpstreamError.isInstance(cause))
    return page(400, `<h1>Not connected</h1><p>${escaped(cause.message)}</p>`);
  onError(cause);
  return page(503, '<h1>Not connected</h1><p>The gateway cannot answer at the moment: try again later.</p>');
}

/** The page for a refusal of the authorization server. Anyone can write such a link, so its text is quoted. */
function refusal(answer: URLSearchParams): Response {
  const parts = [answer.get('error'), answer.get('error_description')].filter((part) => part);
  const said = parts.join(': ').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
  const shown = said.length > MAX_SHOWN ? `${said.slice(0, MAX_SHOWN)}\u2026` : said;
  return page(
    400,
    `<h1>Not connected</h1><p>The authorization server refused, and says: <q>${escaped(shown)}</q></p><p>To try again, ${escaped(AGAIN)}</p>`,
  );
}

/** Asks the person who has logged in whether the account is meant for this principal: otherwise a link could take an account from its owner. */
function question({ server, principal }: Person): Response {
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
  const answered =
    (work: (answer: URLSearchParams, session: string | undefined) => Promise<Response>) =>
    async ({ req }: Context): Promise<Response> => {
      try {
        return await work(new URL(req.url).searchParams, sessionIn(req));
      } catch (cause) {
        return failure(cause, onError);
      }
    };
  const show = answered(async (answer, session) => {
    const person = await connections.personOf(answer, session);
    return answer.has('error') ? refusal(answer) : question(person);
  });
  // The form has no fields: it is sent to the address of the page, which has the answer.
  const confirm = answered(async (answer, session) => {
    await connections.finish(answer, session);
    return page(200, '<h1>Connected</h1><p>You can close this page.</p>');
  });
  return new Hono().get('/', show).post('/', confirm);
}
