import type { Middleware } from '@anthropic-ai/sdk';
import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { checkOffered } from './offered.ts';
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

/** What the middleware of one client knows. */
interface Wiring {
  readonly conversation: Conversation;
  /** The names of the tools that were given to `protect()`. */
  readonly names: ReadonlySet<string>;
  readonly rawOutput: boolean;
}

/** Frames what the model is sent, and sanitizes what it answers. Runs once per attempt; an error here fails the request. */
export function boundaryOf({ conversation, names, rawOutput }: Wiring): Middleware {
  return async (request, next, context) => {
    const { url, body } = request;
    if (body === undefined || body === null) return next(request);
    if (BATCHES.test(url))
      throw new Error(
        'A batch contains many conversations, and this client has the boundary of one. Use a client that is not protected.',
      );
    if (!MESSAGES.test(url)) return next(request);
    const read = readBody(body);
    checkOffered(read, names);
    const response = await next({ ...request, body: JSON.stringify(await show(conversation, read)) });
    return readReply(response, context, {
      onBlocks: (blocks) => recordReply(conversation, read, blocks),
      sanitize: rawOutput ? undefined : conversation,
    });
  };
}
