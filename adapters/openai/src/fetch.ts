import type { Conversation } from '@sallyport/core';
import { type Fields, isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { ClientOptions } from 'openai';
import type { Reading } from './answer/read-answer.ts';
import { readReply } from './answer/reply.ts';
import { checkOffered } from './offered.ts';
import { showChat } from './request/chat.ts';
import { showDecisions, showItems, showResponses } from './request/responses.ts';

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

/** Replies that contain answers of a model, new or stored. */
const ANSWERED = /\/(?:chat\/completions|responses|conversations|decisions)(?:\/|$)/;

/** The SDK would repeat a request whose fetch throws, and hide the reason. It fails once with a reply of this status, and says why. */
function refusal(error: unknown): Response {
  const message = error instanceof Error ? error.message : String(error);
  const headers = { 'content-type': 'application/json', 'x-should-retry': 'false' };
  return new Response(JSON.stringify({ error: { message } }), { status: 400, headers });
}

/** What a client is protected with. */
export interface Seam extends Reading {
  readonly conversation: Conversation;
  /** The names of the tools that a request may offer. */
  readonly names: ReadonlySet<string>;
}

/** The body that is sent in place of a request to a model; undefined for any other request. */
async function shownBody(
  { conversation, names, watch }: Seam,
  path: string,
  given: unknown,
): Promise<Fields | undefined> {
  if (REFUSED.test(path))
    throw new Error(`Tool results in requests to ${path} cannot be framed. Use a client without the boundary for it.`);
  const show = SHOWN.find(([each]) => each.test(path))?.[1];
  if (show === undefined) return undefined;
  const body = readBody(given);
  checkOffered(body, names);
  watch.checkResults(body);
  return show(conversation, body);
}

/**
 * The same fetch, which frames the tool results in every request to a model, and reads every answer. A request that cannot be framed
 * is not sent.
 */
export function protectFetch(seam: Seam, own: Fetch): Fetch {
  return async (input, init) => {
    const isRequest = typeof input === 'object' && 'url' in input;
    const { pathname } = new URL(isRequest ? input.url : input);
    const method = init?.method ?? (isRequest ? input.method : 'GET');
    let sent = init;
    try {
      const body = method.toUpperCase() === 'POST' ? await shownBody(seam, pathname, init?.body) : undefined;
      if (body !== undefined) sent = { ...init, body: JSON.stringify(body) };
    } catch (error) {
      return refusal(error);
    }
    const response = await own(input, sent);
    return ANSWERED.test(pathname) ? readReply(response, seam) : response;
  };
}
