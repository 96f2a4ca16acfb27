import type { UpstreamAnswer } from '@sallyport/mcp-proxy/http';
import type { Context } from 'hono';
import type { AdmittedEnvironment } from '../auth/admission.ts';
import { relay } from '../exchange.ts';
import { protocolHeaders } from '../headers.ts';
import { Reply } from '../reply.ts';
import type { RemoteGuard } from '../thread/remote-principal.ts';
import type { RemoteProxy } from '../thread/remote-proxy.ts';
import { acceptsStream } from './message.ts';
import type { PostOptions } from './post.ts';
import { type McpRequest, refusal, upstreamRequest } from './request.ts';

type ListenOptions = Pick<PostOptions, 'requests' | 'onError' | 'track' | 'stopping'>;

/** Answers `GET /mcp/{server}`: the stream of messages that the server sends by itself. */
export async function handleListen(context: Context<AdmittedEnvironment>, options: ListenOptions): Promise<Response> {
  const { headers } = context.req.raw;
  if (!acceptsStream(headers)) return refusal(406, 'The Accept header must include text/event-stream.');
  const entered = options.requests.enter(context.get('caller'));
  if ('refused' in entered) return entered.refused;
  const request = await options.requests.open(context, entered);
  if ('refused' in request) return request.refused;
  const disconnected = new AbortController();
  const lastEventId = headers.get('last-event-id');
  try {
    const sent = upstreamRequest(request, protocolHeaders('{}', headers), disconnected.signal);
    const answer = await request.server.listen({ ...sent, ...(lastEventId === null ? {} : { lastEventId }) });
    if (answer.isStream) {
      const toServer = (text: string): void => void request.server.post(text, sent).catch(options.onError);
      return stream(answer, request, { ...options, disconnected, toServer });
    }
    request.release();
    return refusal(answer.status === 404 ? 404 : 405, 'The server sends no messages by itself.');
  } catch (cause) {
    request.release();
    throw cause;
  }
}

interface StreamOptions extends ListenOptions {
  readonly disconnected: AbortController;
  readonly toServer: (text: string) => void;
}

function stream(answer: UpstreamAnswer, request: McpRequest, options: StreamOptions): Promise<Response> {
  const { disconnected, toServer, track, onError, stopping } = options;
  const end = (): void => disconnected.abort();
  stopping.addEventListener('abort', end, { once: true });
  const { session, currentGuard, release } = request;
  const connect = (guard: RemoteGuard): RemoteProxy => guard.connect({ canElicit: session?.canElicit === true });
  const reply: Reply = new Reply({ acceptsStream: true, isLast: () => false, onGone: () => disconnected.abort() });
  void track(
    relay(answer, { currentGuard, connect, reply, toServer })
      .catch((cause: unknown) => (disconnected.signal.aborted ? undefined : onError(cause)))
      .finally(() => {
        release();
        stopping.removeEventListener('abort', end);
        disconnected.abort();
      }),
  );
  return reply.response;
}
