import type { Conversation } from '@sallyport/core';
import type { ClientOptions } from 'openai';
import { showChat } from './chat.ts';
import { type Fields, isFields } from './fields.ts';
import { showDecisions, showItems, showResponses } from './responses.ts';

/** What the SDK sends its requests with. */
export type Fetch = NonNullable<ClientOptions['fetch']>;

type Show = (conversation: Conversation, body: Fields) => Promise<Fields>;

const SHOWN: readonly (readonly [path: RegExp, show: Show])[] = [
  [/\/chat\/completions\/?$/, showChat],
  [/\/responses(?:\/(?:input_tokens|compact))?\/?$/, showResponses],
  [/\/conversations(?:\/[^/]+\/items)?\/?$/, showItems],
  [/\/decisions\/?$/, showDecisions],
];

/** Requests that bring results to a model in a form that is not read here: they would reach it raw. */
const REFUSED = /\/(?:submit_tool_outputs|agents\/sessions(?:\/[^/]+\/events)?)\/?$/;

function readBody(body: unknown): Fields {
  const value: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  if (!isFields(value))
    throw new Error('A request to a model whose body is not the text of a JSON object cannot be framed.');
  return value;
}

/** The same fetch, with results framed in every request to a model. What cannot be framed is not sent. */
export function framingFetch(conversation: Conversation, own: Fetch): Fetch {
  return async (input, init) => {
    const isRequest = typeof input === 'object' && 'url' in input;
    const { pathname } = new URL(isRequest ? input.url : input);
    const method = init?.method ?? (isRequest ? input.method : 'GET');
    if (method.toUpperCase() !== 'POST') return own(input, init);
    if (REFUSED.test(pathname))
      throw new Error(`What ${pathname} takes cannot be framed. Use a client without the boundary for it.`);
    const show = SHOWN.find(([path]) => path.test(pathname))?.[1];
    if (show === undefined) return own(input, init);
    const body = await show(conversation, readBody(init?.body));
    return own(input, { ...init, body: JSON.stringify(body) });
  };
}
