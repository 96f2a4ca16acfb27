import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { ReplyCalls } from './calls.ts';
import { showInteraction } from './interaction.ts';
import { show, showCount } from './show.ts';

export type Fetch = typeof globalThis.fetch;

type Rewrite = (body: Fields) => Promise<Fields>;

/** How the body of a request to a path is rewritten; undefined if no model reads it. */
function rewriteFor(path: string, conversation: Conversation, replyCalls: ReplyCalls): Rewrite | undefined {
  if (path.endsWith(':batchGenerateContent'))
    throw new Error(
      'A batch contains many conversations, and this client has the boundary of one. Use another client.',
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

/** A fetch function that frames what the model is sent. An error here fails the request. */
export function framingFetch(conversation: Conversation, replyCalls: ReplyCalls, own: Fetch | undefined): Fetch {
  return async (input, init) => {
    const send = own ?? globalThis.fetch;
    const isRequest = input instanceof Request;
    const method = (init?.method ?? (isRequest ? input.method : 'GET')).toUpperCase();
    const { pathname } = new URL(isRequest ? input.url : String(input));
    const rewrite = method === 'POST' ? rewriteFor(pathname, conversation, replyCalls) : undefined;
    if (rewrite === undefined) return send(input, init);
    const text = init?.body ?? (isRequest ? await input.clone().text() : undefined);
    const body = JSON.stringify(await rewrite(readBody(text)));
    return isRequest ? send(new Request(input, { ...init, body })) : send(input, { ...init, body });
  };
}
