import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { ReplyCalls } from './calls.ts';
import { showInteraction } from './interaction.ts';
import { InteractionOutput } from './interaction-output.ts';
import { checkOffered } from './offered.ts';
import { ContentOutput, type Output } from './output.ts';
import { sanitizedReply } from './reply.ts';
import { show, showCount } from './show.ts';

export type Fetch = typeof globalThis.fetch;

type Rewrite = (body: Fields) => Promise<Fields>;

/** How the body of a request to a path is rewritten; undefined if no model reads it. */
function rewriteFor(path: string, conversation: Conversation, replyCalls: ReplyCalls): Rewrite | undefined {
  if (path.endsWith(':batchGenerateContent'))
    throw new Error(
      'A batch contains many conversations, and this client has the boundary of one. Use a client that is not protected.',
    );
  if (path.endsWith('/interactions')) return (body) => showInteraction(conversation, body);
  if (path.endsWith(':countTokens')) return (body) => showCount(conversation, body, replyCalls);
  if (/:\w*generateContent$/i.test(path) || path.endsWith('/cachedContents'))
    return (body) => show(conversation, body, replyCalls);
  return undefined;
}

function readBody(text: unknown): Fields {
  const body: unknown = typeof text === 'string' ? parseJson(text) : undefined;
  if (!isFields(body))
    throw new TypeError('The body of a request to a model must be the text of a JSON object; received another body.');
  return body;
}

/** The answer of a model in the reply to a request; undefined if the reply contains none. */
function outputOf(path: string, conversation: Conversation): Output | undefined {
  if (/:\w*generateContent$/i.test(path)) return new ContentOutput(conversation);
  // An interaction in the background is read later, by its id.
  return /\/interactions(?:\/[^/:]+)?$/.test(path) ? new InteractionOutput(conversation) : undefined;
}

/** What the fetch function of one client knows. */
interface Wiring {
  readonly conversation: Conversation;
  readonly replyCalls: ReplyCalls;
  /** The names of the functions that were given to `protect()`. */
  readonly names: ReadonlySet<string>;
  readonly rawOutput: boolean;
  /** The function that sends the requests. @default the global fetch */
  readonly send: Fetch | undefined;
}

/** A request as the model is sent it; the arguments of a fetch function. */
async function shownRequest(
  { conversation, replyCalls, names }: Wiring,
  path: string,
  [input, init]: Parameters<Fetch>,
): Promise<Parameters<Fetch>> {
  const isRequest = input instanceof Request;
  const method = (init?.method ?? (isRequest ? input.method : 'GET')).toUpperCase();
  const rewrite = method === 'POST' ? rewriteFor(path, conversation, replyCalls) : undefined;
  if (rewrite === undefined) return [input, init];
  const given = readBody(init?.body ?? (isRequest ? await input.clone().text() : undefined));
  checkOffered(given, names);
  const body = JSON.stringify(await rewrite(given));
  return isRequest ? [new Request(input, { ...init, body })] : [input, { ...init, body }];
}

/** A fetch function that frames what the model is sent, and sanitizes what it answers. An error here fails the request. */
export function boundaryFetch(wiring: Wiring): Fetch {
  const { conversation, rawOutput, send = (...all) => globalThis.fetch(...all) } = wiring;
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    const response = await send(...(await shownRequest(wiring, pathname, [input, init])));
    const output = rawOutput ? undefined : outputOf(pathname, conversation);
    if (output === undefined) return response;
    return sanitizedReply(response, output, pathname.endsWith(':streamGenerateContent'));
  };
}
