import type { Conversation } from '@sallyport/core';
import {
  type Fields,
  fieldsOf,
  isFields,
  type LatestModel,
  listOf,
  stringOf,
  type ToolDescriptions,
} from '@sallyport/core/adapter';
import { GrowingBody } from '@sallyport/core/json';
import { InteractionOutput } from './answer/interaction-output.ts';
import { ContentOutput } from './answer/output.ts';
import { type ReplyReading, type ReplyRecorder, readReply } from './answer/reply.ts';
import type { ReplyCalls } from './calls.ts';
import { recordSteps, showInteraction } from './interaction.ts';
import { checkOffered } from './offered.ts';
import { recordReply, show, showCount } from './show.ts';
import { isProvided } from './turns.ts';

// The name of a model as the API writes it: `models/...`, `tunedModels/...`, or that of an endpoint.
const RESOURCE = /^\/v[^/]+\/(.+):\w+$/;

export type Fetch = typeof globalThis.fetch;

type Rewrite = (body: Fields) => Promise<Fields>;

/** How the body of a request to a path is rewritten; undefined if no model reads it. */
function rewriteFor(path: string, wiring: Wiring): Rewrite | undefined {
  const { conversation, replyCalls, descriptions } = wiring;
  const withTools = async (body: Fields): Promise<Fields> =>
    Array.isArray(body.tools) ? { ...body, tools: await descriptions.shown(body.tools) } : body;
  if (path.endsWith(':batchGenerateContent'))
    throw new Error(
      'A batch contains many conversations, and this client has the boundary of one. Use a client that is not protected.',
    );
  if (path.endsWith('/interactions')) return async (body) => withTools(await showInteraction(conversation, body));
  if (path.endsWith(':countTokens')) return (body) => showCount(conversation, body, replyCalls);
  if (/:\w*generateContent$/i.test(path) || path.endsWith('/cachedContents'))
    return async (body) => withTools(await show(conversation, body, replyCalls));
  return undefined;
}

function readBody(bodies: GrowingBody, text: unknown): Fields {
  const body: unknown = typeof text === 'string' ? bodies.parse(text) : undefined;
  if (!isFields(body))
    throw new TypeError('The body of a request to a model must be the text of a JSON object; received another body.');
  return body;
}

/** The reply to a request for content, whole or chunk by chunk. */
function contentRecorder(conversation: Conversation, body: Fields): ReplyRecorder {
  const parts: unknown[] = [];
  return {
    async record({ candidates }) {
      const said = listOf(candidates).flatMap((each) => listOf(fieldsOf(fieldsOf(each).content).parts));
      const ran = said.filter(isProvided);
      parts.push(...ran);
      if (ran.length > 0) await recordReply(conversation, body, parts);
    },
  };
}

/** The reply to an interaction, whole or event by event. The provider stores it, so no later request has it. */
function interactionRecorder(conversation: Conversation): ReplyRecorder {
  return {
    record: ({ steps, step, interaction }) =>
      recordSteps(conversation, [...listOf(steps), step, ...listOf(fieldsOf(interaction).steps)]),
  };
}

/** How the answer of a model in the reply to a request is read; undefined if the reply contains none. */
function readingOf({ conversation, rawOutput }: Wiring, path: string, body: Fields): ReplyReading | undefined {
  if (/:\w*generateContent$/i.test(path))
    return {
      output: rawOutput ? undefined : new ContentOutput(conversation),
      recorder: contentRecorder(conversation, body),
    };
  // An interaction in the background is read later, by its id.
  if (!/\/interactions(?:\/[^/:]+)?$/.test(path)) return undefined;
  return {
    output: rawOutput ? undefined : new InteractionOutput(conversation),
    recorder: interactionRecorder(conversation),
  };
}

/** The parts that the fetch function of one client uses. */
interface Wiring {
  readonly conversation: Conversation;
  readonly latest: LatestModel<string>;
  readonly replyCalls: ReplyCalls;
  /** The names of the functions that were given to `protect()`. */
  readonly names: ReadonlySet<string>;
  /** The descriptions that servers give of their tools. */
  readonly descriptions: ToolDescriptions;
  readonly rawOutput: boolean;
  /** The function that sends the requests. @default the global fetch */
  readonly send: Fetch | undefined;
}

/** A request as the model is sent it, and the body that was given. */
interface Sent {
  readonly request: Parameters<Fetch>;
  readonly given: Fields;
}

async function shownRequest(
  wiring: Wiring,
  bodies: GrowingBody,
  path: string,
  [input, init]: Parameters<Fetch>,
): Promise<Sent> {
  const isRequest = input instanceof Request;
  const method = (init?.method ?? (isRequest ? input.method : 'GET')).toUpperCase();
  const rewrite = method === 'POST' ? rewriteFor(path, wiring) : undefined;
  if (rewrite === undefined) return { request: [input, init], given: {} };
  const given = readBody(bodies, init?.body ?? (isRequest ? await input.clone().text() : undefined));
  checkOffered(given, wiring.names);
  wiring.latest.record(stringOf(given.model) ?? RESOURCE.exec(path)?.[1]);
  const body = bodies.write(await rewrite(given));
  return { request: isRequest ? [new Request(input, { ...init, body })] : [input, { ...init, body }], given };
}

/** A fetch function that frames what the model is sent, and sanitizes what it answers. An error here fails the request. */
export function boundaryFetch(wiring: Wiring): Fetch {
  const { send = (...all) => globalThis.fetch(...all) } = wiring;
  const bodies = new GrowingBody('contents');
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    const { request, given } = await shownRequest(wiring, bodies, pathname, [input, init]);
    const response = await send(...request);
    const reading = readingOf(wiring, pathname, given);
    if (reading === undefined) return response;
    return readReply(response, reading, pathname.endsWith(':streamGenerateContent'));
  };
}
