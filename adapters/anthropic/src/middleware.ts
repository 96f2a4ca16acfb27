import type { Middleware } from '@anthropic-ai/sdk';
import type { Conversation } from '@sallyport/core';
import { type Fields, isFields, type LatestModel, stringOf, type ToolDescriptions } from '@sallyport/core/adapter';
import { GrowingBody } from '@sallyport/core/json';
import { checkOffered, shownOffers } from './offered.ts';
import { readReply } from './reply.ts';
import { recordReply, show } from './show.ts';

const MESSAGES = /\/v1\/messages(?:\/count_tokens)?\/?(?:[?#]|$)/;
const BATCHES = /\/v1\/messages\/batches\/?(?:[?#]|$)/;

function readBody(bodies: GrowingBody, body: unknown): Fields {
  const read: unknown = typeof body === 'string' ? bodies.parse(body) : undefined;
  if (!isFields(read))
    throw new Error('The body of a Messages request must be the text of a JSON object; received another body.');
  return read;
}

/** The parts that the middleware of one client uses. */
interface Wiring {
  readonly conversation: Conversation;
  readonly latest: LatestModel<string>;
  /** The names of the tools that were given to `protect()`. */
  readonly names: ReadonlySet<string>;
  /** The descriptions that servers give of their tools. */
  readonly descriptions: ToolDescriptions;
  readonly rawOutput: boolean;
}

/** Frames what the model is sent, and sanitizes what it answers. Runs once per attempt; an error here fails the request. */
export function boundaryOf({ conversation, latest, names, descriptions, rawOutput }: Wiring): Middleware {
  const bodies = new GrowingBody('messages');
  return async (request, next, context) => {
    const { url, body } = request;
    if (body === undefined || body === null) return next(request);
    if (BATCHES.test(url))
      throw new Error(
        'A batch contains many conversations, and this client has the boundary of one. Use a client that is not protected.',
      );
    if (!MESSAGES.test(url)) return next(request);
    const read = readBody(bodies, body);
    checkOffered(read, names);
    latest.record(stringOf(read.model));
    const shown = await shownOffers(descriptions, await show(conversation, read));
    const response = await next({ ...request, body: bodies.write(shown) });
    return readReply(response, context, {
      onBlocks: (blocks) => recordReply(conversation, read, blocks),
      sanitize: rawOutput ? undefined : conversation,
    });
  };
}
