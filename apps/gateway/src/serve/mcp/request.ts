import { digestText } from '@sallyport/core/adapter';
import type { Context } from 'hono';
import { ConcurrencyLimit } from '../../concurrency-limit.ts';
import { addToOrigin } from '../../request-origin.ts';
import type { Caller } from '../../store/secrets/keys.ts';
import type { AdmittedEnvironment } from '../auth/admission.ts';
import type { Callers } from '../auth/auth.ts';
import type { SessionContent, SessionOwner, Sessions } from '../auth/session.ts';
import type { Load, Upload } from '../load.ts';
import type { RemoteGuard } from '../thread/remote-principal.ts';
import type { UpstreamRequest, UpstreamServer } from '../upstream-server.ts';

export interface McpRequestOptions {
  readonly sessions: Sessions;
  readonly callers: Callers;
  /** The guard that checks a message of this length. Undefined if the policy gives the server to groups that the caller is not in. */
  readonly guardFor: (caller: Caller, server: string, length?: number) => Promise<RemoteGuard | undefined>;
  /** Writes to the audit that a caller did not reach a server. */
  readonly recordRefusal: (caller: Caller, server: string) => Promise<void>;
  readonly load: Load;
  /** Undefined if the workspace has no server of that name. */
  readonly findServer: (workspace: string, server: string) => Promise<UpstreamServer | undefined>;
}

/** One HTTP request to a server, with its session, its guard and the server itself. */
export interface McpRequest {
  readonly owner: SessionOwner;
  readonly session: SessionContent | undefined;
  /** The sealed id that the client sent. */
  readonly sessionId: string | undefined;
  readonly server: UpstreamServer;
  readonly guard: RemoteGuard;
  /**
   * The guard that the same request would get now. It has the same revision as `guard` if nothing has changed; undefined if
   * the request would be refused.
   */
  readonly currentGuard: () => Promise<RemoteGuard | undefined>;
  /** Call it when the request has ended, or has failed. A second call changes nothing. */
  readonly release: () => void;
}

export const SESSION = 'mcp-session-id';
const NOT_REACHED =
  'The policy of the workspace gives this server to other groups: ask an administrator to add yours, or use a key that has one.';
/** Requests and streams that one principal may have open in one replica. */
const MAX_OPEN = 200;
/** Further requests whose bodies are read: they may cancel one of the others. */
const SPARE = 10;
const TOO_MANY = `More than ${MAX_OPEN} requests are open: wait until some have ended.`;

/** A request that counts as open, before anything of its body is read. */
export interface Entered {
  readonly principal: string;
  readonly upload: Upload;
  /** From now on the request does not count as open. */
  readonly uncount: () => void;
  /** Call it when the request has ended, or has failed. A second call changes nothing. */
  readonly leave: () => void;
}

interface OpenOptions {
  /** Counts it against the limit of open requests. @default true */
  readonly isCounted?: boolean;
  /** Characters of its message. @default 0 */
  readonly length?: number;
}

/** A JSON-RPC error for a request that goes no further. */
export function refusal(status: 400 | 403 | 404 | 405 | 406 | 429 | 502 | 503, message: string): Response {
  // -32600 (invalid request) below 500, -32603 (internal error) from 500 on.
  const code = status < 500 ? -32600 : -32603;
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

/** The request to the server for a message of this one. */
export function upstreamRequest(
  { session, sessionId, owner }: McpRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
): UpstreamRequest {
  const upstream = session?.upstream === undefined ? {} : { session: session.upstream };
  // Request ids are unique within a session only.
  const { workspace, principal } = owner;
  const countsFor = JSON.stringify([workspace, principal]);
  return { ...upstream, headers, signal, principal, countsFor, caller: JSON.stringify([principal, sessionId ?? '']) };
}

/** Finds the session, server and guard of each request. */
export class McpRequests {
  readonly #options: McpRequestOptions;
  readonly #openRequests = new ConcurrencyLimit(MAX_OPEN + SPARE);

  constructor(options: McpRequestOptions) {
    this.#options = options;
  }

  /** Counts a request as open until it leaves. */
  enter({ workspace, principal }: Caller): Entered | { readonly refused: Response } {
    const key = JSON.stringify([workspace, principal]);
    const uncount = this.#openRequests.enter(key);
    if (uncount === undefined) return { refused: refusal(429, TOO_MANY) };
    const upload = this.#options.load.upload(key);
    const leave = (): void => {
      uncount();
      upload.end();
    };
    return { principal: key, upload, uncount, leave };
  }

  /**
   * The request, or the refusal to answer it with: then it has left. One that only ends others is not counted against the
   * limit.
   */
  async open(
    context: Context<AdmittedEnvironment>,
    entered: Entered,
    options: OpenOptions = {},
  ): Promise<McpRequest | { readonly refused: Response }> {
    const opened = await this.#open(context, entered, options).catch((cause: unknown) => {
      entered.leave();
      throw cause;
    });
    if ('refused' in opened) entered.leave();
    return opened;
  }

  async #open(
    context: Context<AdmittedEnvironment>,
    { principal, uncount, leave: release }: Entered,
    { isCounted = true, length = 0 }: OpenOptions,
  ): Promise<McpRequest | { readonly refused: Response }> {
    const { sessions, findServer, guardFor, recordRefusal } = this.#options;
    if (!isCounted) uncount();
    else if (this.#openRequests.count(principal) > MAX_OPEN) return { refused: refusal(429, TOO_MANY) };
    const caller = context.get('caller');
    const name = context.req.param('server') ?? '';
    const owner = { workspace: caller.workspace, principal: caller.principal, server: name };
    const sessionId = context.req.header(SESSION);
    const session = sessionId === undefined ? undefined : sessions.open(sessionId, owner);
    if (sessionId !== undefined && session === undefined)
      return { refused: refusal(404, 'The session does not exist: send `initialize` again.') };
    // The id itself would let a reader of the log continue the session, together with a key.
    if (sessionId !== undefined) addToOrigin({ session: digestText(sessionId) });
    const server = await findServer(caller.workspace, name);
    if (server === undefined) return { refused: refusal(404, 'The workspace has no server of that name.') };
    const guard = await guardFor(caller, name, length);
    if (guard === undefined) {
      await recordRefusal(caller, name);
      return { refused: refusal(403, NOT_REACHED) };
    }
    const authorization = context.req.header('authorization') ?? null;
    const currentGuard = async (): Promise<RemoteGuard | undefined> => {
      const isAdmitted = await this.#isAdmitted(authorization, caller);
      const isSameServer = (await findServer(caller.workspace, name)) === server;
      return isAdmitted && isSameServer ? guardFor(caller, name) : undefined;
    };
    return { owner, session, sessionId, server, guard, release, currentGuard };
  }

  async #isAdmitted(authorization: string | null, { workspace, principal }: Caller): Promise<boolean> {
    const found = await this.#options.callers.identify(authorization);
    if (found.type !== 'caller' || !found.caller.scopes.has('mcp')) return false;
    return found.caller.workspace === workspace && found.caller.principal === principal;
  }
}
