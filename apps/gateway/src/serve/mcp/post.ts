import { answerIn } from '@sallyport/mcp-proxy';
import type { UpstreamAnswer } from '@sallyport/mcp-proxy/http';
import type { Context } from 'hono';
import { codeOf } from '../../operate/log.ts';
import { Trace } from '../../operate/trace.ts';
import type { Approvals } from '../../store/approvals.ts';
import type { Caller } from '../../store/secrets/keys.ts';
import type { AdmittedEnvironment } from '../auth/admission.ts';
import type { Sessions } from '../auth/session.ts';
import { readBody } from '../body.ts';
import type { Cancellations } from '../cancellations.ts';
import { Exchange } from '../exchange.ts';
import { protocolHeaders } from '../headers.ts';
import type { UploadExcess } from '../load.ts';
import { excessIn } from '../message-limits.ts';
import { Reply } from '../reply.ts';
import { ThreadError } from '../thread/guard-thread.ts';
import { acceptsStream, type ClientMessage, conversationIn, isModern, parseMessage } from './message.ts';
import { type Entered, type McpRequest, type McpRequests, refusal, SESSION, upstreamRequest } from './request.ts';

export interface PostOptions {
  readonly requests: McpRequests;
  readonly sessions: Sessions;
  readonly approvals: Approvals;
  readonly cancellations: Cancellations;
  /** Aborts when the replica stops: held calls are then answered without waiting for a person. */
  readonly stopping: AbortSignal;
  /** Called when a message is refused because of its size or shape. */
  readonly onLimit: (limit: UploadExcess | 'values') => void;
  /** Called with each unexpected failure. Its message must not be logged: it may quote content. */
  readonly onError: (cause: unknown) => void;
  /** Registers work that the replica waits for before it stops. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
}

interface Posted {
  readonly text: string;
  readonly message: ClientMessage;
}

/** Checks that a caller may answer held calls of their own. */
const mayApprove = ({ scopes }: Caller): boolean => scopes.has('approve:own') || scopes.has('approve:any');

const FORM_ID = /^sallyport-([0-9a-f-]{36})$/;

/** The answer of a client while the gateway cannot check anything. */
export const UNAVAILABLE = 'The gateway cannot check requests at the moment, so none is forwarded: try again later.';

/** Answers `POST /mcp/{server}`: one message of a client. */
export class PostHandler {
  readonly #options: PostOptions;

  constructor(options: PostOptions) {
    this.#options = options;
  }

  async handle(context: Context<AdmittedEnvironment>): Promise<Response> {
    const entered = this.#options.requests.enter(context.get('caller'));
    if ('refused' in entered) return entered.refused;
    try {
      const posted = await this.#read(context, entered);
      if (!('answered' in posted)) return await this.#open(context, entered, posted);
      entered.leave();
      return posted.answered;
    } catch (cause) {
      entered.leave();
      throw cause;
    }
  }

  /** The message of a request, or the answer to it if nothing is sent to the server. */
  async #read(
    context: Context<AdmittedEnvironment>,
    { upload }: Entered,
  ): Promise<Posted | { readonly answered: Response }> {
    const { onLimit } = this.#options;
    const count = (bytes: number): UploadExcess | undefined => {
      const excess = upload.add(bytes);
      if (excess !== undefined) onLimit(excess);
      return excess;
    };
    const body = await readBody(context.req.raw, { count });
    upload.arrived();
    if (body.type === 'refused') {
      const wait = body.status === 503 ? { 'retry-after': '1' } : {};
      const headers = { connection: 'close', ...wait };
      return { answered: new Response(body.message, { status: body.status, headers }) };
    }
    const { text } = body;
    const excess = excessIn(text);
    if (excess !== undefined) {
      onLimit('values');
      return { answered: refusal(400, excess) };
    }
    const message = parseMessage(text);
    // Only one version of the protocol had batches, and every limit counts requests.
    if (Array.isArray(message))
      return { answered: refusal(400, 'Batches are not supported: send each message by itself.') };
    if (message.method === undefined && (await this.#takeFormAnswer(message, context.get('caller'))))
      return { answered: new Response(null, { status: 202 }) };
    return { text, message };
  }

  async #open(context: Context<AdmittedEnvironment>, entered: Entered, posted: Posted): Promise<Response> {
    const { text, message } = posted;
    const { workspace } = context.get('caller');
    const server = context.req.param('server') ?? '';
    const trace = new Trace({ workspace, server, headers: context.req.raw.headers, message });
    return trace.run(async () => {
      const counted = { isCounted: message.id !== undefined, length: text.length };
      const request = await this.#options.requests.open(context, entered, counted);
      if ('refused' in request) return trace.finish(request.refused);
      return this.#exchange(context, request, posted, trace);
    });
  }

  /** Takes the answer to an approval form, which the gateway sent itself. It is not forwarded to the server. */
  async #takeFormAnswer({ id, result }: ClientMessage, caller: Caller): Promise<boolean> {
    const { approvals, onError } = this.#options;
    const approval = typeof id === 'string' ? FORM_ID.exec(id)?.[1] : undefined;
    if (approval === undefined) return false;
    const answer = answerIn(result);
    // An agent's key without such a scope must not approve the agent's own calls.
    if (answer !== undefined && mayApprove(caller))
      await approvals
        .answerOwn(caller, approval, answer === 'declined' ? 'denied' : 'approved')
        .catch((cause: unknown) => onError(cause));
    return true;
  }

  async #exchange(
    context: Context<AdmittedEnvironment>,
    request: McpRequest,
    { text, message }: Posted,
    trace: Trace,
  ): Promise<Response> {
    const { server, guard, currentGuard } = request;
    const { headers, signal } = context.req.raw;
    const abandoned = new AbortController();
    // Before the protocol of 2026 a client that disconnects may return for the answer. Since then it cancels by that.
    const abandon = (): void => (isModern(message) ? abandoned.abort() : undefined);
    const proxy = guard.connect({
      canElicit: request.session?.canElicit === true,
      conversation: conversationIn(headers),
      showsForms: mayApprove(context.get('caller')),
      isCurrent: () =>
        currentGuard().then(
          (now) => now?.revision === guard.revision,
          // Fail closed: if it cannot be checked, the call does not leave.
          () => false,
        ),
    });
    const { stopping } = this.#options;
    const settle = (): void => proxy.settle();
    const reply: Reply = new Reply({
      acceptsStream: acceptsStream(headers),
      isLast: () => proxy.isSettled,
      onGone: abandon,
      onSend: (sent) => trace.recordSent(sent),
    });
    const upstream = {
      post: (outgoing: string) => {
        const sent = { ...protocolHeaders(outgoing, headers), ...trace.headers };
        return server.post(trace.withContext(outgoing), upstreamRequest(request, sent, abandoned.signal));
      },
    };
    const onAnswer = (answer: UpstreamAnswer): void => {
      if (message.method === 'initialize') this.#startSession(request, proxy.canElicit, answer, reply);
    };
    const exchange = new Exchange({ proxy, upstream, reply, onAnswer });
    signal.addEventListener('abort', abandon, { once: true });
    stopping.addEventListener('abort', settle, { once: true });
    this.#run(exchange, request, { text, message }, trace, reply, () => {
      signal.removeEventListener('abort', abandon);
      stopping.removeEventListener('abort', settle);
      // Messages that the server sends after its answer do not belong to this request.
      abandoned.abort();
    });
    return reply.response;
  }

  #startSession({ owner }: McpRequest, canElicit: boolean, { session }: UpstreamAnswer, reply: Reply): void {
    const content = { canElicit, ...(session === undefined ? {} : { upstream: session }) };
    reply.headers[SESSION] = this.#options.sessions.seal(owner, content);
  }

  #run(
    exchange: Exchange,
    request: McpRequest,
    { text, message }: Posted,
    trace: Trace,
    reply: Reply,
    onEnd: () => void,
  ): void {
    const { onError, track } = this.#options;
    const unsubscribe = this.#followCancellation(request, message, exchange);
    void track(
      exchange
        .run(text)
        .catch((cause: unknown) => {
          onError(cause);
          trace.fail(codeOf(cause));
          reply.refuse(503, cause instanceof ThreadError ? cause.message : UNAVAILABLE);
          reply.end();
        })
        .finally(() => {
          unsubscribe();
          request.release();
          trace.end();
          onEnd();
        }),
    );
  }

  /** A client cancels a request by another one, which may reach another replica. Request ids are unique within a session. */
  #followCancellation({ owner, sessionId }: McpRequest, message: ClientMessage, exchange: Exchange): () => void {
    const { cancellations, onError } = this.#options;
    if (sessionId === undefined) return () => undefined;
    const session = { ...owner, session: sessionId };
    if (message.method === 'notifications/cancelled')
      void cancellations.publish({ ...session, request: message.params?.requestId });
    if (message.id === undefined) return () => undefined;
    return cancellations.subscribe(
      { ...session, request: message.id },
      () => void exchange.cancel(message.id).catch(onError),
    );
  }
}
