import type { Guard } from '@sallyport/mcp-proxy';
import type { Context } from 'hono';
import type { Caller } from '../store/secrets/keys.ts';
import type { AdmittedEnvironment } from './auth/admission.ts';
import type { Callers } from './auth/auth.ts';
import type { SessionContent, SessionOwner, Sessions } from './auth/session.ts';
import { Crowd } from './concurrency-limit.ts';
import type { Premises } from './guard/principal-guards.ts';
import type { Reached, ReachRequest } from './upstream-server.ts';

export interface VisitOptions {
  readonly sessions: Sessions;
  readonly callers: Callers;
  readonly premisesFor: (caller: Caller) => Promise<Premises>;
  /** Undefined where the workspace has no such server. */
  readonly reach: (workspace: string, server: string) => Promise<Reached | undefined>;
}

/** One request to a server, with all that it is judged by. */
export interface Visit {
  readonly owner: SessionOwner;
  readonly session: SessionContent | undefined;
  /** As the client names it. */
  readonly sessionId: string | undefined;
  readonly reached: Reached;
  readonly guard: Guard;
  /** What the same request would be judged by now: the guard itself where nothing has changed, undefined where it would not be let in. */
  readonly guardNow: () => Promise<Guard | undefined>;
  /** To be called at its end. */
  readonly leave: () => void;
}

export const SESSION = 'mcp-session-id';
/** Requests and streams that one principal has open in one replica. */
const MAX_OPEN = 200;

export function refusal(status: 400 | 404 | 405 | 406 | 429 | 502 | 503, message: string): Response {
  // Below 500 the caller has to change something, above it has not.
  const code = status < 500 ? -32600 : -32603;
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

/** What goes to the server with a message of this visit. */
export function requestOf(
  { session, sessionId, owner }: Visit,
  headers: Record<string, string>,
  signal: AbortSignal,
): ReachRequest {
  const upstream = session?.upstream === undefined ? {} : { session: session.upstream };
  // Ids of requests count within a session.
  return { ...upstream, headers, signal, caller: JSON.stringify([owner.principal, sessionId ?? '']) };
}

/** Finds out what a request is about. */
export class Visits {
  readonly #options: VisitOptions;
  readonly #crowd = new Crowd(MAX_OPEN);

  constructor(options: VisitOptions) {
    this.#options = options;
  }

  /** What the request is about, or why it goes no further. One that ends others is let in however many there are. */
  async begin(
    context: Context<AdmittedEnvironment>,
    isCounted = true,
  ): Promise<Visit | { readonly refused: Response }> {
    const { sessions, reach, premisesFor } = this.#options;
    const caller = context.get('caller');
    const server = context.req.param('server') ?? '';
    const owner = { workspace: caller.workspace, principal: caller.principal, server };
    const sessionId = context.req.header(SESSION);
    const session = sessionId === undefined ? undefined : sessions.open(sessionId, owner);
    if (sessionId !== undefined && session === undefined)
      return { refused: refusal(404, 'There is no such session: initialize again.') };
    const reached = await reach(caller.workspace, server);
    if (reached === undefined) return { refused: refusal(404, 'The workspace has no server of that name.') };
    const premises = await premisesFor(caller);
    const guard = await premises.guardFor(server);
    const who = JSON.stringify([caller.workspace, caller.principal]);
    const leave = isCounted ? this.#crowd.enter(who) : () => undefined;
    if (leave === undefined) return { refused: refusal(429, 'Too many requests are open: end some of them first.') };
    const authorization = context.req.header('authorization') ?? null;
    const guardNow = async (): Promise<Guard | undefined> => {
      const isAdmitted = await this.#isAdmitted(authorization, caller);
      const isThere = (await reach(caller.workspace, server)) === reached;
      return isAdmitted && isThere ? (await premisesFor(caller)).guardFor(server) : undefined;
    };
    return { owner, session, sessionId, reached, guard, leave, guardNow };
  }

  async #isAdmitted(authorization: string | null, { workspace, principal }: Caller): Promise<boolean> {
    const found = await this.#options.callers.identify(authorization);
    if (found.type !== 'caller' || !found.caller.scopes.has('mcp')) return false;
    return found.caller.workspace === workspace && found.caller.principal === principal;
  }
}
