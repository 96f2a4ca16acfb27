import type { Middleware } from '@anthropic-ai/sdk';
import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from './fields.ts';
import { heard } from './reply.ts';
import { hear, show } from './show.ts';

const MESSAGES = /\/v1\/messages(?:\/count_tokens)?\/?(?:[?#]|$)/;
const BATCHES = /\/v1\/messages\/batches\/?(?:[?#]|$)/;

function readBody(body: unknown): Fields {
  const read: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  if (!isFields(read)) throw new Error('The boundary reads messages as JSON text, and this request has another body.');
  return read;
}

/** Frames what goes to the model. Runs once for each attempt; whatever fails here fails the request. */
export function framing(conversation: Conversation): Middleware {
  // A request that comes by twice, because the middleware was given twice, is framed already.
  const framed = new WeakMap<object, string>();
  return async (request, next, context) => {
    const { url, headers, body } = request;
    if (body === undefined || body === null || framed.get(headers) === body) return next(request);
    if (BATCHES.test(url))
      throw new Error('A batch holds many conversations, and this client has the boundary of one. Use another client.');
    if (!MESSAGES.test(url)) return next(request);
    const read = readBody(body);
    const shown = JSON.stringify(await show(conversation, read));
    framed.set(headers, shown);
    const response = await next({ ...request, body: shown });
    return heard(response, context, (blocks) => hear(conversation, read, blocks));
  };
}
