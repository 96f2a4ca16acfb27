import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { ClientOptions } from 'openai';
import { showChat } from './chat.ts';
import { showDecisions, showItems, showResponses } from './responses.ts';

/** The fetch function with which the SDK sends its requests. */
export type Fetch = NonNullable<ClientOptions['fetch']>;

type Show = (conversation: Conversation, body: Fields) => Promise<Fields>;

const SHOWN: readonly (readonly [path: RegExp, show: Show])[] = [
  [/\/chat\/completions\/?$/, showChat],
  [/\/responses(?:\/(?:input_tokens|compact))?\/?$/, showResponses],
  [/\/conversations(?:\/[^/]+\/items)?\/?$/, showItems],
  [/\/decisions\/?$/, showDecisions],
];

/** Requests that contain tool results in a form that is not read here: they would reach the model without frames. */
const REFUSED = /\/(?:submit_tool_outputs|agents\/sessions(?:\/[^/]+\/events)?)\/?$/;

function readBody(body: unknown): Fields {
  const value: unknown = typeof body === 'string' ? parseJson(body) : undefined;
  if (!isFields(value))
    throw new Error(`The body of a request to a model must be the text of a JSON object; received ${typeof body}.`);
  return value;
}

/** The same fetch, which frames the tool results in every request to a model. A request that cannot be framed is not sent. */
export function framingFetch(conversation: Conversation, own: Fetch): Fetch {
  return async (input, init) => {
    const isRequest = typeof input === 'object' && 'url' in input;
    const { pathname } = new URL(isRequest ? input.url : input);
    const method = init?.method ?? (isRequest ? input.method : 'GET');
    if (method.toUpperCase() !== 'POST') return own(input, init);
    if (REFUSED.test(pathname))
      throw new Error(
        `Tool results in requests to ${pathname} cannot be framed. Use a client without the boundary for it.`,
      );
    const show = SHOWN.find(([path]) => path.test(pathname))?.[1];
    if (show === undefined) return own(input, init);
    const body = await show(conversation, readBody(init?.body));
    return own(input, { ...init, body: JSON.stringify(body) });
  };
}
