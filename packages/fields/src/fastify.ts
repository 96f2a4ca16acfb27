import type { FastifyInstance } from 'fastify';
import { claim, isJson, responseTagger, type TagResponsesOptions } from './response-tagger.ts';

/** The body that Fastify is about to send, as text. */
async function textOf(payload: unknown): Promise<string> {
  if (payload === undefined || payload === null) return '';
  if (typeof payload === 'string') return payload;
  if (payload instanceof Uint8Array) return Buffer.from(payload).toString('utf8');
  const chunks: Uint8Array[] = [];
  for await (const chunk of payload as AsyncIterable<string | Uint8Array>) chunks.push(Buffer.from(chunk as string));
  return Buffer.concat(chunks).toString('utf8');
}

async function register(app: FastifyInstance, options: TagResponsesOptions = {}): Promise<void> {
  const tag = responseTagger(options);
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isJson(reply.getHeader('content-type')) || !claim(request)) return payload;
    const path = request.url.split('?', 1)[0] as string;
    const served = { body: await textOf(payload), encoding: reply.getHeader('content-encoding') };
    const { type, body } = tag({ method: request.method, path }, served);
    if (body === '') return payload;
    if (type === 'failed') reply.code(500);
    for (const name of ['content-length', 'content-encoding', 'etag']) reply.removeHeader(name);
    return body;
  });
}

/**
 * A plugin for Fastify that tags what others wrote in every JSON response. It applies to the instance that registers it, and to
 * everything in it. Register it before the routes, and before compression.
 *
 * @example
 * ```ts
 * await app.register(tagResponses, { fields: ['/title', '/comments'] });
 * ```
 */
// The symbol tells Fastify that the hook belongs to the instance that registers the plugin, as `fastify-plugin` does.
export const tagResponses: typeof register = Object.assign(register, { [Symbol.for('skip-override')]: true });
