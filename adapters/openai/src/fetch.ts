import type { Conversation } from '@sallyport/core';
import { type Fields, isFields, type LatestModel, type ToolDescriptions } from '@sallyport/core/adapter';
import { GrowingBody } from '@sallyport/core/json';
import type { ClientOptions } from 'openai';
import { Provided } from './answer/provided.ts';
import type { Reading } from './answer/read-answer.ts';
import { readReply } from './answer/reply.ts';
import { checkOffered, shownOffers } from './offered.ts';
import type { OwnModel } from './own-model.ts';
import { showChat } from './request/chat.ts';
import { recordProvided, showDecisions, showItems, showResponses } from './request/responses.ts';

/** The fetch function with which the SDK sends its requests. */
export type Fetch = NonNullable<ClientOptions['fetch']>;

type Show = (conversation: Conversation, body: Fields) => Promise<Fields>;

const RESPONSES = /\/responses\/?$/;
/** Requests to a model by their path, with the list that contains the history. */
const SHOWN: readonly (readonly [path: RegExp, show: Show, list: string])[] = [
  [/\/chat\/completions\/?$/, showChat, 'messages'],
  [/\/responses(?:\/(?:input_tokens|compact))?\/?$/, showResponses, 'input'],
  [/\/conversations(?:\/[^/]+\/items)?\/?$/, showItems, 'items'],
  [/\/decisions\/?$/, showDecisions, 'input'],
];

/** Requests that contain tool results in a form that is not read here: they would reach the model without frames. */
const REFUSED = /\/(?:submit_tool_outputs|agents\/sessions(?:\/[^/]+\/events)?)\/?$/;

function readBody(bodies: GrowingBody, body: unknown): Fields {
  const value: unknown = typeof body === 'string' ? bodies.parse(body) : undefined;
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

/** The parts that protect a client. */
export interface Seam extends Omit<Reading, 'provided'> {
  readonly conversation: Conversation;
  readonly latest: LatestModel<OwnModel>;
  /** The names of the tools that a request may offer. */
  readonly names: ReadonlySet<string>;
  /** The descriptions that servers give of their tools. */
  readonly descriptions: ToolDescriptions;
}

/** The readers of bodies, by the list that contains the history. */
type Bodies = Map<string, GrowingBody>;

interface Sent {
  readonly given: Fields;
  readonly body: string;
}

/** The body of a request to a model, and the one that is sent in its place; undefined for any other request. */
async function shownBody(
  { conversation, latest, names, descriptions, watch }: Seam,
  all: Bodies,
  path: string,
  given: unknown,
): Promise<Sent | undefined> {
  if (REFUSED.test(path))
    throw new Error(`Tool results in requests to ${path} cannot be framed. Use a client without the boundary for it.`);
  const [, show, list] = SHOWN.find(([each]) => each.test(path)) ?? [];
  if (show === undefined || list === undefined) return undefined;
  const bodies = all.get(list) ?? new GrowingBody(list);
  all.set(list, bodies);
  const body = readBody(bodies, given);
  checkOffered(body, names);
  watch.checkResults(body);
  if (typeof body.model === 'string') latest.record({ name: body.model, isResponses: path.includes('/responses') });
  const shown = await shownOffers(descriptions, await show(conversation, body));
  return { given: body, body: bodies.write(shown) };
}

/** Only answers of responses contain results of tools that the provider ran. */
function providedIn({ conversation }: Seam, path: string, body: Fields | undefined): Provided {
  return new Provided(async (items) => {
    if (body !== undefined && RESPONSES.test(path)) await recordProvided(conversation, body, items);
  });
}

/**
 * The same fetch, which frames the tool results in every request to a model, and reads every answer. A request that cannot be framed
 * is not sent.
 */
export function protectFetch(seam: Seam, own: Fetch): Fetch {
  const bodies: Bodies = new Map();
  return async (input, init) => {
    const isRequest = typeof input === 'object' && 'url' in input;
    const { pathname } = new URL(isRequest ? input.url : input);
    const method = init?.method ?? (isRequest ? input.method : 'GET');
    let sent = init;
    let request: Sent | undefined;
    try {
      if (method.toUpperCase() === 'POST') request = await shownBody(seam, bodies, pathname, init?.body);
      if (request !== undefined) sent = { ...init, body: request.body };
    } catch (error) {
      return refusal(error);
    }
    const response = await own(input, sent);
    if (!ANSWERED.test(pathname)) return response;
    return readReply(response, { ...seam, provided: providedIn(seam, pathname, request?.given) });
  };
}
