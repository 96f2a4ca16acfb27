import { UpstreamError } from '@sallyport/mcp-proxy/http';
import { type Context, Hono } from 'hono';
import type { Bus } from '../../cache/bus.ts';
import type { AdmittedEnvironment } from '../auth/admission.ts';
import { Cancellations } from '../cancellations.ts';
import { isTemporary } from '../exchange.ts';
import { ThreadError } from '../thread/guard-thread.ts';
import { handleEnd } from './end.ts';
import { handleListen } from './listen.ts';
import { PostHandler, type PostOptions, UNAVAILABLE } from './post.ts';
import { type McpRequestOptions, McpRequests, refusal } from './request.ts';

export interface McpOptions extends McpRequestOptions, Omit<PostOptions, 'requests' | 'cancellations'> {
  readonly bus: Bus;
}

type Handler = (context: Context<AdmittedEnvironment>) => Promise<Response>;

/** Answers a failure: 502 if the server could not be reached, 503 if the gateway or the server has too much to do. Nothing is forwarded in either case. */
function withFailures(handle: Handler, onError: (cause: unknown) => void): Handler {
  return async (context) => {
    try {
      return await handle(context);
    } catch (cause) {
      onError(cause);
      if (UpstreamError.isInstance(cause)) return refusal(isTemporary(cause) ? 503 : 502, cause.message);
      return refusal(503, cause instanceof ThreadError ? cause.message : UNAVAILABLE);
    }
  };
}

/** Streamable HTTP in both versions of the protocol, for every server of a workspace: `/mcp/{server}`. */
export function mcpRoutes(options: McpOptions): Hono<AdmittedEnvironment> {
  const { bus, onError } = options;
  const services = { ...options, requests: new McpRequests(options), cancellations: new Cancellations(bus) };
  const post = new PostHandler(services);
  return new Hono<AdmittedEnvironment>()
    .post(
      '/:server',
      withFailures((context) => post.handle(context), onError),
    )
    .get(
      '/:server',
      withFailures((context) => handleListen(context, services), onError),
    )
    .delete(
      '/:server',
      withFailures((context) => handleEnd(context, services), onError),
    );
}
