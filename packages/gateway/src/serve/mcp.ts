import { answerIn, type Guard, type McpProxy } from '@sallyport/mcp-proxy';
import { type Context, Hono } from 'hono';
import type { Bus } from '../cache/bus.ts';
import { codeOf } from '../operate/log.ts';
import { Trace } from '../operate/trace.ts';
import type { Approvals } from '../store/approvals.ts';
import type { Caller } from '../store/secrets/keys.ts';
import type { UpstreamAnswer } from '../upstream/answer.ts';
import { UpstreamError } from '../upstream/failure.ts';
import type { AdmittedEnvironment } from './auth/admission.ts';
import { readBody } from './body.ts';
import { Cancels } from './cancels.ts';
import { Exchange, relay } from './exchange.ts';
import { protocolHeaders } from './headers.ts';
import { Reply } from './reply.ts';
import { refusal, requestOf, SESSION, type Visit, type VisitOptions, Visits } from './visit.ts';

export interface McpOptions extends VisitOptions {
  readonly approvals: Approvals;
  readonly bus: Bus;
  /** Told of what nobody expected, without content. */
  readonly onError: (cause: unknown) => void;
  /** Work that a drain waits for. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
}

const CONVERSATION = 'sallyport-conversation';
const FORM = /^sallyport-([0-9a-f-]{36})$/;

interface Said {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>>; readonly requestId?: unknown };
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

function conversationIn(headers: Headers): string | undefined {
  const id = headers.get(CONVERSATION) ?? '';
  return /^[ -~]{1,256}$/.test(id) ? id : undefined;
}

function takesStream(headers: Headers): boolean {
  return /text\/event-stream|\*\/\*/.test(headers.get('accept') ?? '');
}

function statusOf(cause: unknown): Response {
  return UpstreamError.isInstance(cause)
    ? refusal(502, cause.message)
    : refusal(503, 'The gateway cannot judge at the moment, so nothing passes: try again later.');
}

/** Streamable HTTP, of both eras, before every server of a workspace: `/mcp/{server}`. */
export function mcpRoutes(options: McpOptions): Hono<AdmittedEnvironment> {
  const { sessions, approvals, bus, onError, track } = options;
  const visits = new Visits(options);
  const cancels = new Cancels(bus);

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

  async function post(context: Context<AdmittedEnvironment>): Promise<Response> {
    const body = await readBody(context.req.raw);
    if (body.type === 'refused')
      return new Response(body.message, { status: body.status, headers: { connection: 'close' } });
    const message = said(body.text);
    // The protocol had them for one version, and everything that is counted is counted by requests.
    if (Array.isArray(message)) return refusal(400, 'Batches are not taken: send each message by itself.');
    if (message.method === undefined && (await takeForm(message, context.get('caller'))))
      return new Response(null, { status: 202 });
    const { workspace } = context.get('caller');
    const server = context.req.param('server') ?? '';
    const trace = new Trace({ workspace, server, headers: context.req.raw.headers, message });
    return trace.run(async () => {
      const visit = await visits.begin(context, message.id !== undefined);
      return 'refused' in visit ? trace.answered(visit.refused) : exchange(context, visit, body.text, message, trace);
    });
  }

  async function exchange(
    context: Context<AdmittedEnvironment>,
    visit: Visit,
    text: string,
    message: Said,
    trace: Trace,
  ): Promise<Response> {
    const { owner, session, sessionId, reached, guard, guardNow, leave } = visit;
    const { headers, signal } = context.req.raw;
    const gone = new AbortController();
    // Until 2025 a client that is gone may come back for the answer. Since then it has cancelled by that.
    const giveUp = (): void => (isModern(message) ? gone.abort() : undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    const conversation = conversationIn(headers);
    const isCurrent = (): Promise<boolean> =>
      guardNow().then(
        (now) => now === guard,
        () => false,
      );
    const showsForms = context.get('caller').scopes.has('approve');
    const proxy = guard.connect({ canElicit: session?.canElicit === true, conversation, showsForms, isCurrent });
    const reply: Reply = new Reply({
      acceptsStream: takesStream(headers),
      isLast: () => proxy.isSettled,
      onGone: giveUp,
      onSend: (sent) => trace.sent(sent),
    });
    const upstream = {
      post: (leaving: string) => {
        const said = { ...protocolHeaders(leaving, headers), ...trace.headers };
        return reached.post(trace.handOn(leaving), requestOf(visit, said, gone.signal));
      },
    };
    const onAnswer = ({ session: given }: UpstreamAnswer): void => {
      if (message.method !== 'initialize') return;
      const content = { canElicit: proxy.canElicit, ...(given === undefined ? {} : { upstream: given }) };
      reply.headers[SESSION] = sessions.seal(owner, content);
    };
    const going = new Exchange({ proxy, upstream, reply, onAnswer });
    const stop = heedCancels(visit, sessionId, message, going);
    void track(
      going
        .run(text)
        .catch((cause: unknown) => {
          onError(cause);
          trace.fail(codeOf(cause));
          reply.refuse(503, 'The gateway cannot judge at the moment, so nothing passes: try again later.');
        })
        .finally(() => {
          stop();
          leave();
          trace.end();
          signal.removeEventListener('abort', giveUp);
          // What a server says behind its answer is not for this request.
          gone.abort();
        }),
    );
    return reply.response;
  }

  /** A client gives up a request in another one, which may have come to another replica. Ids count within a session. */
  function heedCancels({ owner }: Visit, session: string | undefined, message: Said, going: Exchange): () => void {
    if (session === undefined) return () => undefined;
    if (message.method === 'notifications/cancelled')
      void cancels.tell({ ...owner, session, request: message.params?.requestId });
    if (message.id === undefined) return () => undefined;
    return cancels.on({ ...owner, session, request: message.id }, () => void going.cancel(message.id).catch(onError));
  }

  async function listen(context: Context<AdmittedEnvironment>): Promise<Response> {
    const { headers } = context.req.raw;
    if (!takesStream(headers)) return refusal(406, 'Accept text/event-stream.');
    const visit = await visits.begin(context);
    if ('refused' in visit) return visit.refused;
    const { reached, session, guardNow, leave } = visit;
    const gone = new AbortController();
    const lastEventId = headers.get('last-event-id');
    const request = requestOf(visit, protocolHeaders('{}', headers), gone.signal);
    try {
      const answer = await reached.listen({ ...request, ...(lastEventId === null ? {} : { lastEventId }) });
      if (!answer.isStream) {
        leave();
        return refusal(answer.status === 404 ? 404 : 405, 'The server has nothing to say by itself.');
      }
      const connect = (guard: Guard): McpProxy => guard.connect({ canElicit: session?.canElicit === true });
      const reply: Reply = new Reply({ acceptsStream: true, isLast: () => false, onGone: () => gone.abort() });
      const toServer = (text: string): void => void reached.post(text, request).catch(onError);
      void track(
        relay(answer, { guardNow, connect, reply, toServer })
          .catch((cause: unknown) => (gone.signal.aborted ? undefined : onError(cause)))
          .finally(() => {
            leave();
            gone.abort();
          }),
      );
      return reply.response;
    } catch (cause) {
      leave();
      throw cause;
    }
  }

  async function end(context: Context<AdmittedEnvironment>): Promise<Response> {
    const visit = await visits.begin(context, false);
    if ('refused' in visit) return visit.refused;
    try {
      const upstream = visit.session?.upstream;
      if (upstream === undefined) return new Response(null, { status: 204 });
      const request = requestOf(visit, protocolHeaders('{}', context.req.raw.headers), context.req.raw.signal);
      const status = await visit.reached.end({ ...request, session: upstream });
      return new Response(null, { status: status === 405 ? 405 : 204 });
    } finally {
      visit.leave();
    }
  }

  const guarded =
    (work: (context: Context<AdmittedEnvironment>) => Promise<Response>) =>
    async (context: Context<AdmittedEnvironment>): Promise<Response> => {
      try {
        return await work(context);
      } catch (cause) {
        onError(cause);
        return statusOf(cause);
      }
    };

  return new Hono<AdmittedEnvironment>()
    .post('/:server', guarded(post))
    .get('/:server', guarded(listen))
    .delete('/:server', guarded(end));
}
