import type { Ask, Conversation, ToolDeclaration } from '@sallyport/core';
import {
  type DeclaredTools,
  isFields,
  LatestModel,
  type ProtectChoices,
  wireJudge,
  wireTools,
} from '@sallyport/core/adapter';
import { type ProtectableClient, protectClient } from './client.ts';
import { generateWith } from './generate.ts';
import { guardTools } from './guard.ts';
import { boundaryOf } from './middleware.ts';
import { nameOf, offeredTools } from './offered.ts';

export type { ProtectableClient } from './client.ts';
export { type GenerateOptions, generateWith, type MessagesClient } from './generate.ts';

/** The names of a tool's arguments; any string if its type does not say. */
type ArgumentsOf<T> = T extends { readonly parse: (content: unknown) => infer Input }
  ? unknown extends Input
    ? string
    : Extract<keyof Input, string>
  : string;

type NameOf<T> = T extends { readonly name: infer Name extends string } ? Name : never;

/**
 * The effects of the tools, by their names. Most tools have a type that does not say their name: then their arguments
 * may be those of any of the tools, and names are checked by `protect()`. A member of a toolset is named after it, as
 * in `browser.navigate`.
 */
export type Declarations<T extends readonly object[]> =
  string extends NameOf<T[number]>
    ? { readonly [name: string]: ToolDeclaration<ArgumentsOf<T[number]>> }
    : {
        readonly [Name in NameOf<T[number]>]: ToolDeclaration<ArgumentsOf<Extract<T[number], { readonly name: Name }>>>;
      } & { readonly [member: `${string}.${string}`]: ToolDeclaration };

/** Options of `protect`. */
export interface ProtectOptions<C extends ProtectableClient, T extends readonly object[]> extends ProtectChoices {
  /** The client to protect. It stays as it is: `protect` returns a copy. */
  readonly client: C;
  /** All tools that the model is offered: those that run here, and those that the provider runs. */
  readonly tools: T;
  /** Where the results of each tool come from, and what its calls do; `conversation.tools` if the boundary knows them all. */
  readonly declare: DeclaredTools<Declarations<T>>;
  /** Asks a person about a held call while its tool waits. @default a held call is not made, and the model is told so */
  readonly ask?: Ask;
}

/** A client and its tools, protected. Use both of them, and nothing else. */
export interface Protected<C extends ProtectableClient, T extends readonly object[]> {
  /** The same client. The model is sent frames in place of tool results, and links of its answers that could carry data are removed. */
  readonly client: C;
  /** The same tools, gated. A call that is not allowed fails with a text from which the model can continue. */
  readonly tools: T;
}

/**
 * Puts the boundary of one conversation around a client and its tools: what the model reads, what it calls and what it answers.
 *
 * @example
 * ```ts
 * const { client, tools } = protect(boundary.conversation(chatId), {
 *   client: new Anthropic(),
 *   tools: mailTools,
 *   declare: {
 *     list_mails: { effect: 'read', origin: 'external' },
 *     send_mail: { effect: 'send', modelText: ['body'] },
 *   },
 * });
 * const message = await client.beta.messages.toolRunner({ model, max_tokens: 1024, messages, tools });
 * ```
 */
export function protect<C extends ProtectableClient, T extends readonly object[]>(
  conversation: Conversation,
  options: ProtectOptions<C, T>,
): Protected<C, T> {
  const { client, tools, ask, judge = false, rawOutput = false } = options;
  const declare = options.declare as DeclaredTools;
  const descriptions = wireTools(conversation, offeredTools(tools, declare), declare);
  const latest = new LatestModel<string>();
  wireJudge(conversation, judge, () => latest.generateWith((model) => generateWith(client, model)));
  const names = new Set(tools.filter(isFields).map(nameOf));
  const middleware = boundaryOf({ conversation, latest, names, descriptions, rawOutput });
  return {
    client: protectClient(conversation, client, middleware),
    tools: guardTools(conversation, tools, ask),
  };
}
