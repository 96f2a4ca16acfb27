import { CONSOLE_PATH } from '@sallyport/console';
import { type Context, Hono } from 'hono';
import type { Rates } from '../../cache/rates.ts';
import type { GroupRoles } from '../../operate/identity.ts';
import { requestOrigin } from '../../request-origin.ts';
import type { Scope } from '../../store/secrets/keys.ts';
import type { Logins } from '../../store/secrets/logins.ts';
import { type AdmittedEnvironment, problem, retryAfter, WAIT } from '../auth/admission.ts';
import { cookieIn, cookieText, isFromOwnPage, SESSION_COOKIE, sessionIn } from '../auth/cookie.ts';
import { rolesOf } from '../auth/groups.ts';
import { networkOf } from '../client-address.ts';
import { escaped, page } from '../page.ts';
import { ATTEMPT_COOKIE, ATTEMPT_SECONDS, type Attempt, openAttempt, sealAttempt } from './attempt.ts';
import { type LoginProvider, LoginRefused, type Person } from './provider.ts';

export interface LoginOptions {
  readonly provider: LoginProvider;
  readonly logins: Logins;
  readonly rates: Rates;
  readonly groups: GroupRoles;
  /** The keys that attempts are sealed with. The first is used for new ones. */
  readonly keys: readonly Uint8Array[];
  readonly publicUrl: string;
  /** The id of the workspace of that name. */
  readonly workspaceOf: (name: string) => Promise<string | undefined>;
  readonly onError: (cause: unknown) => void;
  /** Called when a person has no access. `missing`: the name of the workspace that does not exist, if their groups have a role there. */
  readonly onNoRole: (person: Person, missing: string | undefined) => void;
}

interface WorkspaceRole {
  readonly name: string;
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
}

type LoginContext = Context<AdmittedEnvironment>;

/** Requests of one client's network to begin or end a login. Many people may share one. */
const RATE = { burst: 300, perSecond: 10 };
const MAX_PATH_LENGTH = 1000;
const AGAIN = 'Open /login again.';
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Checks that a path leads to this host. A browser reads `//host` and `/\host` as another one. */
function isOwnPath(path: string, publicUrl: string): boolean {
  if (!/^\/(?![/\\])[^\\\p{C}]*$/u.test(path)) return false;
  return URL.canParse(path, publicUrl) && new URL(path, publicUrl).origin === new URL(publicUrl).origin;
}

/** A path as a header can have it. Nothing else is changed: a URL parser would turn `/.//host` into `//host`. */
function encodedPath(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

function redirect(to: string, cookies: readonly string[]): Response {
  const headers = new Headers({ ...HEADERS, location: to });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

const acceptsPages = ({ req }: LoginContext): boolean => req.header('accept')?.includes('text/html') === true;

/** A refusal as a page, if a browser asked. */
async function shown(context: LoginContext, response: Response): Promise<Response> {
  if (response.status < 400 || !acceptsPages(context)) return response;
  const { error, next } = (await response.json()) as { readonly error: string; readonly next: string };
  const wait = response.headers.get('retry-after');
  return page(
    response.status,
    `<h1>You are not logged in</h1><p>${escaped(error)}</p><p>${escaped(next)}</p><p><a href="/login">Log in</a></p>`,
    wait === null ? {} : { 'retry-after': wait },
  );
}

/** Asks a person for one of their workspaces. */
function whichWorkspace(context: LoginContext, names: readonly string[], to: string): Response {
  if (!acceptsPages(context))
    return problem(
      409,
      `You have access to several workspaces: ${names.join(', ')}.`,
      'Open /login?workspace=NAME.',
      HEADERS,
    );
  const links = names.map((name) => {
    const query = new URLSearchParams({ workspace: name, to });
    return `<li><a href="/login?${escaped(query.toString())}">${escaped(name)}</a></li>`;
  });
  return page(200, `<h1>Which workspace?</h1><ul>${links.join('')}</ul>`);
}

/** A person has no role in a workspace that exists. `missing` is the name of one that does not, if their groups have a role there. */
function withoutRole(missing: string | undefined): Response {
  if (missing === undefined)
    return problem(403, 'None of your groups gives you access.', 'Ask the operator for a group that does.', HEADERS);
  return problem(
    403,
    `Your groups give you access to a workspace that does not exist: ${missing}.`,
    `Ask the operator to create it with \`sallyport gateway workspace ${missing}\`, then open /login again.`,
    HEADERS,
  );
}

/** The login of people at the organisation's provider: `/login`, `/login/callback` and `/logout`. */
export function loginRoutes(options: LoginOptions): Hono<AdmittedEnvironment> {
  const { provider, logins, rates, groups, keys, publicUrl, workspaceOf, onError, onNoRole } = options;
  const ownOrigin = new URL(publicUrl).origin;

  async function begin(context: LoginContext): Promise<Response> {
    const { to: wanted = `${CONSOLE_PATH}/`, workspace } = context.req.query();
    const to = isOwnPath(wanted, publicUrl) ? encodedPath(wanted) : undefined;
    if (to === undefined || to.length > MAX_PATH_LENGTH)
      return problem(400, `\`to\` must be a path of the gateway, of at most ${MAX_PATH_LENGTH} characters.`, AGAIN);
    const { url, proof } = await provider.begin();
    const until = Date.now() + ATTEMPT_SECONDS * 1000;
    const attempt: Attempt = { ...proof, to, until, ...(workspace === undefined ? {} : { workspace }) };
    const sealed = sealAttempt(attempt, keys);
    return redirect(url, [cookieText(ATTEMPT_COOKIE, sealed, ATTEMPT_SECONDS)]);
  }

  /** The roles of a person's groups in the workspaces that exist, and the names of those that do not. */
  async function rolesIn(person: Person): Promise<{ roles: readonly WorkspaceRole[]; missing: readonly string[] }> {
    const found = await Promise.all(
      [...rolesOf(groups, person.groups)].map(async ([name, scopes]) => ({
        name,
        id: await workspaceOf(name),
        scopes,
      })),
    );
    const roles = found.flatMap(({ name, id, scopes }) => (id === undefined ? [] : [{ name, id, scopes }]));
    return { roles, missing: found.flatMap(({ name, id }) => (id === undefined ? [name] : [])) };
  }

  async function finish(context: LoginContext): Promise<Response> {
    const cookies = context.req.header('cookie');
    const attempt = openAttempt(cookieIn(cookies, ATTEMPT_COOKIE) ?? '', keys, Date.now());
    if (attempt === undefined)
      return problem(400, 'This login has expired, or another browser has begun it.', AGAIN, HEADERS);
    const person = await provider.finish(attempt, new URL(context.req.url).searchParams);
    const principal = `sub:${person.subject}`;
    const { roles, missing } = await rolesIn(person);
    // Roles that were taken away end with this login, in every browser.
    await logins.endChanged(principal, new Map(roles.map(({ id, scopes }) => [id, scopes])));
    const { workspace } = attempt;
    const chosen = workspace === undefined ? roles : roles.filter(({ name }) => name === workspace);
    const [role, ...others] = chosen;
    if (role === undefined) {
      const absent = missing.find((name) => name === (workspace ?? name));
      onNoRole(person, absent);
      return withoutRole(absent);
    }
    if (others.length > 0) {
      const names = chosen.map(({ name }) => name);
      return whichWorkspace(context, names, attempt.to);
    }
    const before = sessionIn(context.req);
    if (before !== undefined) await logins.end(before);
    const { text, seconds } = await logins.start(role.id, principal, role.scopes);
    return redirect(attempt.to, [cookieText(SESSION_COOKIE, text, seconds), cookieText(ATTEMPT_COOKIE, '', 0)]);
  }

  async function logOut(context: LoginContext): Promise<Response> {
    if (!isFromOwnPage(context.req, ownOrigin))
      return problem(
        403,
        'This request does not come from a page of the gateway.',
        'Log out on a page of the gateway.',
      );
    const session = sessionIn(context.req);
    if (session !== undefined) await logins.end(session);
    return new Response(null, {
      status: 204,
      headers: { ...HEADERS, 'set-cookie': cookieText(SESSION_COOKIE, '', 0) },
    });
  }

  const guarded = (work: (context: LoginContext) => Promise<Response>) => async (context: LoginContext) => {
    try {
      return await work(context);
    } catch (cause) {
      if (cause instanceof LoginRefused) return problem(401, cause.message, AGAIN, HEADERS);
      onError(cause);
      return problem(503, 'People cannot log in at the moment.', 'Try again later.', { 'retry-after': '5' });
    }
  };
  const limited = (work: (context: LoginContext) => Promise<Response>) => async (context: LoginContext) => {
    const { isAllowed, wait } = await rates.take('', `login ${networkOf(requestOrigin()?.address)}`, RATE);
    const refused = (): Response => problem(429, 'Too many logins came from this address.', WAIT, retryAfter(wait));
    return shown(context, isAllowed ? await work(context) : refused());
  };
  const routes = new Hono<AdmittedEnvironment>();
  routes.get('/login', limited(guarded(begin)));
  routes.get('/login/callback', limited(guarded(finish)));
  routes.post('/logout', guarded(logOut));
  return routes;
}
