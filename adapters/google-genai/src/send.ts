import type { Conversation } from '@sallyport/core';
import type { Coming } from './calls.ts';
import { showInteraction } from './interaction.ts';
import { type Fields, isFields } from './part.ts';
import { show, showCount } from './show.ts';

export type Fetch = typeof globalThis.fetch;

type Rewrite = (body: Fields) => Promise<Fields>;

/** What is to be done with the body of a request to a path; undefined where no model reads it. */
function rewriteFor(path: string, conversation: Conversation, coming: Coming): Rewrite | undefined {
  if (path.endsWith(':batchGenerateContent'))
    throw new Error('A batch is not one conversation: send it with a client that has no boundary.');
  if (path.endsWith('/interactions')) return (body) => showInteraction(conversation, body);
  if (path.endsWith(':countTokens')) return (body) => showCount(conversation, body, coming);
  if (/:\w*generateContent$/i.test(path) || path.endsWith('/cachedContents'))
    return (body) => show(conversation, body, coming);
  return undefined;
}

function readBody(text: unknown): Fields {
  const body: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
  if (!isFields(body)) throw new TypeError('The body of a request to a model is no JSON object: it cannot be framed.');
  return body;
}

/** The seam on the way to the model. Whatever fails here fails the request. */
export function sender(conversation: Conversation, coming: Coming, own: Fetch | undefined): Fetch {
  return async (input, init) => {
    const send = own ?? globalThis.fetch;
    const isRequest = input instanceof Request;
    const method = (init?.method ?? (isRequest ? input.method : 'GET')).toUpperCase();
    const { pathname } = new URL(isRequest ? input.url : String(input));
    const rewrite = method === 'POST' ? rewriteFor(pathname, conversation, coming) : undefined;
    if (rewrite === undefined) return send(input, init);
    const text = init?.body ?? (isRequest ? await input.clone().text() : undefined);
    const body = JSON.stringify(await rewrite(readBody(text)));
    return isRequest ? send(new Request(input, { ...init, body })) : send(input, { ...init, body });
  };
}
