import type { Ask, Conversation, Decision, ToolCall, ToolDeclaration } from '@sallyport/core';
import { type DeclaredTools, LatestModel, type ProtectChoices, wireJudge, wireTools } from '@sallyport/core/adapter';
import { RAW, sanitizedTexts } from './answer/read-answer.ts';
import { type Fetch, protectFetch } from './fetch.ts';
import { guardTools } from './guard.ts';
import { namesOf, toDeclare } from './offered.ts';
import { generateWithOwn, type OwnModel } from './own-model.ts';
import { useOf } from './use.ts';
import { Watch } from './watch.ts';

export { type CompletionsClient, type GenerateOptions, generateWith } from './generate.ts';

/** A client of the `openai` package, such as `OpenAI` or `AzureOpenAI`. */
interface Client {
  withOptions(options: { readonly fetch: Fetch }): unknown;
}

/** The part of a tool with its name and its schema: chat completions and runners wrap it. */
type Definition<T> = T extends { readonly function: infer Inner extends object }
  ? Inner
  : T extends { readonly custom: infer Inner extends object }
    ? Inner
    : T extends { readonly tool: infer Inner extends object }
      ? Inner
      : T;

/** The name under which a built-in tool is declared; none for those that are not declared here. */
type BuiltInName<Type> = Type extends 'mcp' | 'image_generation'
  ? never
  : Type extends `web_search${string}`
    ? 'web_search'
    : Type extends `computer${string}`
      ? 'computer'
      : Type extends 'local_shell' | 'shell' | 'apply_patch' | 'file_search' | 'code_interpreter' | 'tool_search'
        ? Type
        : string;

/** The name of a tool; any string if its type does not say. */
type NameOf<T> =
  Definition<T> extends { readonly name: infer Name extends string }
    ? Name
    : T extends { readonly type: infer Type }
      ? BuiltInName<Type>
      : string;

/** The names of a tool's arguments; any string if its type does not say. */
type ArgumentsOf<T> = T extends { readonly __arguments: infer Given extends object }
  ? Extract<keyof Given, string>
  : Definition<T> extends { readonly parameters: { readonly properties: infer Properties } }
    ? Extract<keyof Properties, string>
    : string;

/** The effects and origins of the tools: one declaration for each, whose arguments are those of the tool. */
export type Declarations<T extends readonly object[]> = {
  readonly [Tool in T[number] as NameOf<Tool>]: ToolDeclaration<ArgumentsOf<Tool>>;
};

/** Options of `protect`. */
export interface ProtectOptions<T extends readonly object[], C extends Client = Client> extends ProtectChoices {
  readonly client: C;
  /** All tools that requests offer: those of `runTools`, functions of a `ResponsesToolRunner`, and plain definitions. */
  readonly tools: T;
  /** Where the results of each tool come from, and what its calls do; `conversation.tools` if the boundary knows them all. */
  readonly declare: DeclaredTools<Declarations<T>>;
  /** Asks a person while the call waits. @default a held call is not made, and the model is told that it waits for approval */
  readonly ask?: Ask;
}

/** A client and its tools, protected. Use both of them, and nothing else, in requests. */
export interface Protected<T extends readonly object[], C extends Client = Client> {
  /** The same client. The model is sent frames in place of tool results, and links of its answers that could carry data are removed. */
  readonly client: C;
  /** The same tools, gated. A call that is not allowed returns a text from which the model can continue. */
  readonly tools: T;
  /**
   * For your own loop: checks a call as the API returned it, an item of a response or one of `message.tool_calls`. If the outcome
   * is not `allow`, send `result` in place of the tool's result.
   */
  check(call: object): Promise<Decision>;
}

/**
 * Puts the boundary of one conversation around a client and its tools: what the model reads, what it calls and what it answers.
 *
 * @example
 * ```ts
 * const { client, tools } = protect(boundary.conversation(chatId), {
 *   client: new OpenAI(),
 *   tools: mailTools,
 *   declare: {
 *     list_mails: { effect: 'read', origin: 'external' },
 *     send_mail: { effect: 'send', modelText: ['body'] },
 *   },
 * });
 * const runner = client.chat.completions.runTools({ model: 'gpt-5', messages, tools });
 * ```
 */
export function protect<T extends readonly object[], C extends Client>(
  conversation: Conversation,
  options: ProtectOptions<T, C>,
): Protected<T, C> {
  const { client, tools, declare, ask, judge = false, rawOutput = false } = options;
  const descriptions = wireTools(conversation, toDeclare(tools), declare as DeclaredTools);
  const latest = new LatestModel<OwnModel>();
  wireJudge(conversation, judge, () => latest.generateWith((model) => generateWithOwn(client, model)));
  const names = namesOf(tools);
  const watch = new Watch(names);
  const check = (use: ToolCall): Promise<Decision> => {
    watch.recordCheck(use.tool);
    return conversation.check(use, { ask });
  };
  const texts = rawOutput ? RAW : sanitizedTexts(conversation);
  const { fetch: own = fetch } = client as { readonly fetch?: Fetch };
  return {
    client: client.withOptions({
      fetch: protectFetch({ conversation, latest, names, descriptions, watch, texts }, own),
    }) as C,
    tools: guardTools(check, watch, tools) as unknown as T,
    async check(call) {
      const use = useOf(call);
      if (use === undefined)
        throw new Error('`call` must be a call as the API returned it: an item of a response, or one of `tool_calls`.');
      return check(use);
    },
  };
}
