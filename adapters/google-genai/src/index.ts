import { type CallableTool, GoogleGenAI, type GoogleGenAIOptions, type ToolUnion } from '@google/genai';
import type { Ask, Conversation, ToolDeclaration } from '@sallyport/core';
import {
  type DeclaredTools,
  type Generate,
  LatestModel,
  type ProtectChoices,
  wireJudge,
  wireTools,
} from '@sallyport/core/adapter';
import { ReplyCalls } from './calls.ts';
import { protectedClient } from './client.ts';
import { generateWith } from './generate.ts';
import { guardTools } from './guard.ts';
import { offeredTools } from './offered.ts';
import { boundaryFetch } from './send.ts';

export { generateWith, type ModelsClient } from './generate.ts';

/** The effects of the functions, by their names. Tool types lack names and arguments: `protect()` checks them. */
export type Declarations = Readonly<Record<string, ToolDeclaration>>;

/** Options of `protect`. */
export interface ProtectOptions<T extends readonly ToolUnion[] = readonly ToolUnion[]> extends ProtectChoices {
  /** The options of the client: what you would pass to `new GoogleGenAI()`. */
  readonly client: GoogleGenAIOptions;
  /** The tools that the model is offered. Those that Google runs may be among them. */
  readonly tools: T;
  /** Where the results of each function come from, and what its calls do; `conversation.tools` if the boundary knows them all. */
  readonly declare: DeclaredTools<Declarations>;
  /** Asks a person while the run waits. @default a held call is not made, and the model is told so */
  readonly ask?: Ask;
}

/** A client and its tools, protected. Use both of them, and nothing else. */
export interface Protected<T extends readonly ToolUnion[] = readonly ToolUnion[]> {
  /** A client. Its models are sent frames in place of tool results, and links of their answers that could carry data are removed. */
  readonly client: GoogleGenAI;
  /** The same tools, gated. A call that is not allowed gives the model an error from which it can continue. */
  readonly tools: { -readonly [At in keyof T]: T[At] extends CallableTool ? CallableTool : T[At] };
}

/**
 * Creates a client and puts the boundary of one conversation around it and its tools: what the model reads, what it calls and what
 * it answers.
 *
 * @example
 * ```ts
 * const { client, tools } = await protect(boundary.conversation(chatId), {
 *   client: { apiKey },
 *   tools: [mailTool],
 *   declare: {
 *     list_mails: { effect: 'read', origin: 'external' },
 *     send_mail: { effect: 'send', modelText: ['body'] },
 *   },
 * });
 * const chat = client.chats.create({ model: 'gemini-2.5-pro', config: { tools } });
 * ```
 */
export async function protect<T extends readonly ToolUnion[]>(
  conversation: Conversation,
  options: ProtectOptions<T>,
): Promise<Protected<T>> {
  const { client, tools, declare, ask, judge = false, rawOutput = false } = options;
  const offered = await offeredTools(tools);
  const descriptions = wireTools(conversation, offered, declare);
  const latest = new LatestModel<string>();
  const own = (model: string): Generate => generateWith(new GoogleGenAI(client), model);
  wireJudge(conversation, judge, () => latest.generateWith(own));
  const replyCalls = new ReplyCalls();
  const names = new Set(offered.map(({ name }) => name));
  const send = client.httpOptions?.fetch;
  const fetch = boundaryFetch({ conversation, latest, replyCalls, names, descriptions, rawOutput, send });
  return {
    client: protectedClient(conversation, client, fetch),
    tools: guardTools({ conversation, replyCalls, ask }, tools) as unknown as Protected<T>['tools'],
  };
}
