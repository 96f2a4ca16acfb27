import { answerIn } from '@sallyport/mcp-proxy';
import { type Context, Hono } from 'hono';
import { codeOf } from '../operate/log.ts';
import { Trace } from '../operate/trace.ts';
import type { Approvals } from '../store/approvals.ts';
import type { Caller } from '../store/keys.ts';
import type { UpstreamAnswer } from '../upstream/answer.ts';
import { UpstreamError } from '../upstream/failure.ts';
import { readBody } from './body.ts';
import { Exchange, relay } from './exchange.ts';
import { protocolHeaders } from './headers.ts';
import type { Premises } from './premises.ts';
import type { Reached, ReachRequest } from './reached.ts';
import { Reply } from './reply.ts';
import type { SessionContent, SessionOwner, Sessions } from './session.ts';

export interface McpOptions {
  readonly sessions: Sessions;
  readonly approvals: Approvals;
  readonly premisesFor: (caller: Caller) => Promise<Premises>;
  /** Undefined where the workspace has no such server. */
  readonly reach: (workspace: string, server: string) => Promise<Reached | undefined>;
  /** Told of what nobody expected, without content. */
  readonly onError: (cause: unknown) => void;
  /** Work that a drain waits for. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
}

export interface McpEnvironment {
  Variables: { caller: Caller };
}

const SESSION = 'mcp-session-id';
const CONVERSATION = 'sallyport-conversation';
const FORM = /^sallyport-([0-9a-f-]{36})$/;

interface Said {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> };
}

function said(text: string): Said {
  try {
    return (JSON.parse(text) ?? {}) as Said;
  } catch {
    return {};
  }
}

function isModern({ method, params }: Said): boolean {
  return method === 'server/discover' || params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
}

function refusal(status: 400 | 404 | 405 | 406 | 502 | 503, message: string): Response {
  // Below 500 the caller has to change something, above it has not.
  const code = status < 500 ? -32600 : -32603;
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}

function conversationIn(headers: Headers): string | undefined {
  const id = headers.get(CONVERSATION) ?? '';
  return /^[ -~]{1,256}$/.test(id) ? id : undefined;
}

function statusOf(cause: unknown): Response {
  return UpstreamError.isInstance(cause)
    ? refusal(502, cause.message)
    : refusal(503, 'The gateway cannot judge at the moment, so nothing passes: try again later.');
}

/** One request to a server, with all that belongs to it. */
interface Visit {
  readonly owner: SessionOwner;
  readonly session: SessionContent | undefined;
  readonly reached: Reached;
  readonly premises: Premises;
}

/** Streamable HTTP, of both eras, before every server of a workspace: `/mcp/{server}`. */
export function mcpRoutes(options: McpOptions): Hono<McpEnvironment> {
  const { sessions, approvals, premisesFor, reach, onError, track } = options;

  /** What the request is about, or why it goes no further. */
  async function visit(context: Context<McpEnvironment>): Promise<Visit | { readonly refused: Response }> {
    const caller = context.get('caller');
    const server = context.req.param('server') ?? '';
    const owner = { workspace: caller.workspace, principal: caller.principal, server };
    const id = context.req.header(SESSION);
    const session = id === undefined ? undefined : sessions.open(id, owner);
    if (id !== undefined && session === undefined)
      return { refused: refusal(404, 'There is no such session: initialize again.') };
    const reached = await reach(caller.workspace, server);
    if (reached === undefined) return { refused: refusal(404, 'The workspace has no server of that name.') };
    return { owner, session, reached, premises: await premisesFor(caller) };
  }

  function requestOf({ session, owner }: Visit, headers: Record<string, string>, signal: AbortSignal): ReachRequest {
    const upstream = session?.upstream === undefined ? {} : { session: session.upstream };
    return { ...upstream, headers, signal, caller: owner.principal };
  }

  /** The answer to a form of ours: it is for the one whose call is held, and goes no further. */
  async function takeForm({ id, result }: Said, caller: Caller): Promise<boolean> {
    const approval = typeof id === 'string' ? FORM.exec(id)?.[1] : undefined;
    if (approval === undefined) return false;
    const answer = answerIn(result);
    // With a key of an agent's nobody approves what the agent does.
    if (answer !== undefined && caller.scopes.has('approve'))
      await approvals
        .answerOwn(caller, approval, answer === 'declined' ? 'denied' : 'approved')
        .catch((cause: unknown) => onError(cause));
    return true;
  }

  async function post(context: Context<McpEnvironment>): Promise<Response> {
    const body = await readBody(context.req.raw);
    if (body.type === 'refused')
      return new Response(body.message, { status: body.status, headers: { connection: 'close' } });
    const message = said(body.text);
    if (message.method === undefined && (await takeForm(message, context.get('caller'))))
      return new Response(null, { status: 202 });
    const { workspace } = context.get('caller');
    const server = context.req.param('server') ?? '';
    const trace = new Trace({ workspace, server, headers: context.req.raw.headers, message });
    return trace.run(async () => {
      const place = await visit(context);
      return 'refused' in place ? trace.answered(place.refused) : exchange(context, place, body.text, message, trace);
    });
  }

  async function exchange(
    context: Context<McpEnvironment>,
    place: Visit,
    text: string,
    message: Said,
    trace: Trace,
  ): Promise<Response> {
    const { owner, session, reached, premises } = place;
    const { headers, signal } = context.req.raw;
    const gone = new AbortController();
    // Until 2025 a client that is gone may come back for the answer. Since then it has cancelled by that.
    const leave = (): void => (isModern(message) ? gone.abort() : undefined);
    signal.addEventListener('abort', leave, { once: true });
    const guard = await premises.guardFor(owner.server);
    const conversation = conversationIn(headers);
    const showsForms = context.get('caller').scopes.has('approve');
    const proxy = guard.connect({ canElicit: session?.canElicit === true, conversation, showsForms });
    const reply: Reply = new Reply({
      acceptsStream: /text\/event-stream|\*\/\*/.test(headers.get('accept') ?? ''),
      isLast: () => proxy.isSettled,
      onGone: leave,
      onSend: (sent) => trace.sent(sent),
    });
    const upstream = {
      post: (leaving: string) => {
        const said = { ...protocolHeaders(leaving, headers), ...trace.headers };
        return reached.post(trace.handOn(leaving), requestOf(place, said, gone.signal));
      },
    };
    const onAnswer = ({ session: given }: UpstreamAnswer): void => {
      if (message.method !== 'initialize') return;
      const content = { canElicit: proxy.canElicit, ...(given === undefined ? {} : { upstream: given }) };
      reply.headers[SESSION] = sessions.seal(owner, content);
    };
    void track(
      new Exchange({ proxy, upstream, reply, onAnswer })
        .run(text)
        .catch((cause: unknown) => {
          onError(cause);
          trace.fail(codeOf(cause));
          reply.refuse(503, 'The gateway cannot judge at the moment, so nothing passes: try again later.');
        })
        .finally(() => {
          trace.end();
          signal.removeEventListener('abort', leave);
          // What a server says behind its answer is not for this request.
          gone.abort();
        }),
    );
    return reply.response;
  }

  async function listen(context: Context<McpEnvironment>): Promise<Response> {
    const place = await visit(context);
    if ('refused' in place) return place.refused;
    const { headers } = context.req.raw;
    if (!/text\/event-stream|\*\/\*/.test(headers.get('accept') ?? ''))
      return refusal(406, 'Accept text/event-stream.');
    const { reached, premises, owner, session } = place;
    const gone = new AbortController();
    const lastEventId = headers.get('last-event-id');
    const request = requestOf(place, protocolHeaders('{}', headers), gone.signal);
    // Before anything is opened that would have to be closed.
    const guard = await premises.guardFor(owner.server);
    const answer = await reached.listen({ ...request, ...(lastEventId === null ? {} : { lastEventId }) });
    if (!answer.isStream) return refusal(answer.status === 404 ? 404 : 405, 'The server has nothing to say by itself.');
    const proxy = guard.connect({ canElicit: session?.canElicit === true });
    const reply: Reply = new Reply({ acceptsStream: true, isLast: () => false, onGone: () => gone.abort() });
    const toServer = (text: string): void => void reached.post(text, request).catch(onError);
    void track(
      relay(answer, proxy, reply, toServer)
        .catch((cause: unknown) => (gone.signal.aborted ? undefined : onError(cause)))
        .finally(() => gone.abort()),
    );
    return reply.response;
  }

  async function end(context: Context<McpEnvironment>): Promise<Response> {
    const place = await visit(context);
    if ('refused' in place) return place.refused;
    const upstream = place.session?.upstream;
    if (upstream === undefined) return new Response(null, { status: 204 });
    const request = requestOf(place, protocolHeaders('{}', context.req.raw.headers), context.req.raw.signal);
    const status = await place.reached.end({ ...request, session: upstream });
    return new Response(null, { status: status === 405 ? 405 : 204 });
  }

  const guarded =
    (work: (context: Context<McpEnvironment>) => Promise<Response>) =>
    async (context: Context<McpEnvironment>): Promise<Response> => {
      try {
        return await work(context);
      } catch (cause) {
        onError(cause);
        return statusOf(cause);
      }
    };

  return new Hono<McpEnvironment>()
    .post('/:server', guarded(post))
    .get('/:server', guarded(listen))
    .delete('/:server', guarded(end));
}
