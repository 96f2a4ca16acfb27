import type { Middleware } from '@anthropic-ai/sdk';
import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { readReply } from './reply.ts';
import { recordReply, show } from './show.ts';

const MESSAGES = /\/v1\/messages(?:\/count_tokens)?\/?(?:[?#]|$)/;
const BATCHES = /\/v1\/messages\/batches\/?(?:[?#]|$)/;

function readBody(body: unknown): Fields {
  const read: unknown = typeof body === 'string' ? parseJson(body) : undefined;
  if (!isFields(read))
    throw new Error('The body of a Messages request must be the text of a JSON object; received another body.');
  return read;
}

/** Frames what the model is sent. Runs once per attempt; an error here fails the request. */
export function framing(conversation: Conversation): Middleware {
  // If the middleware was registered twice, the second one receives a request that is already framed.
  const framed = new WeakMap<object, string>();
  return async (request, next, context) => {
    const { url, headers, body } = request;
    if (body === undefined || body === null || framed.get(headers) === body) return next(request);
    if (BATCHES.test(url))
      throw new Error(
        'A batch contains many conversations, and this client has the boundary of one. Use a client without the middleware.',
      );
    if (!MESSAGES.test(url)) return next(request);
    const read = readBody(body);
    const shown = JSON.stringify(await show(conversation, read));
    framed.set(headers, shown);
    const response = await next({ ...request, body: shown });
    return readReply(response, context, (blocks) => recordReply(conversation, read, blocks));
  };
}
