import type { MiddlewareHandler } from 'hono';
import { claim, isJson, responseTagger, type TagResponsesOptions } from './response-tagger.ts';

/**
 * Middleware for Hono that tags what others wrote in every JSON response, errors included. Mount it before the routes, and
 * compression before it.
 *
 * @example
 * ```ts
 * app.use(tagResponses({ fields: ['/title', '/comments'] }));
 * ```
 */
export function tagResponses(options: TagResponsesOptions = {}): MiddlewareHandler {
  const tag = responseTagger(options);
  return async (context, next) => {
    const isFirst = claim(context.req.raw);
    await next();
    const { res } = context;
    if (!isFirst || res.body === null || !isJson(res.headers.get('content-type'))) return;
    const { method, path } = context.req;
    const encoding = res.headers.get('content-encoding') ?? undefined;
    const { type, body } = tag({ method, path }, { body: await res.text(), encoding });
    const headers = new Headers(res.headers);
    for (const name of ['content-length', 'content-encoding', 'etag']) headers.delete(name);
    context.res = undefined;
    context.res = new Response(body, { status: type === 'failed' ? 500 : res.status, headers });
  };
}
