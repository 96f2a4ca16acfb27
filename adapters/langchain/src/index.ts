import type { Ask, Conversation, ToolDeclaration } from '@sallyport/core';
import { type DeclaredTools, type ProtectChoices, wireJudge, wireTools } from '@sallyport/core/adapter';
import type { AgentMiddleware } from 'langchain';
import { generateWith, type InvokableModel } from './generate.ts';
import { createGuard } from './middleware.ts';
import { guardModel } from './model.ts';
import { createThreadCheck } from './thread.ts';
import { checkRunnable, guardTools, isProvided, isRunnable, offeredTool } from './tools.ts';

export { generateWith, type InvokableModel } from './generate.ts';
export type { HeldAnswer, HeldCall } from './settle.ts';

/** The names of a tool's arguments; any string if its type does not say. */
type ArgumentsOf<T> = T extends { readonly schema: { readonly _output: infer Output } }
  ? Extract<keyof Output, string>
  : T extends { readonly schema: { readonly properties: infer Properties } }
    ? Extract<keyof Properties, string>
    : string;

type NameOf<T> = T extends { readonly name: infer Name extends string } ? Name : never;

/** The effects and origins of the tools: one declaration for each name, whose arguments are those of the tool. */
export type Declarations<T extends readonly unknown[]> = {
  readonly [Tool in T[number] as NameOf<Tool>]: ToolDeclaration<ArgumentsOf<Tool>>;
};

/** Options of `protect`. */
export interface ProtectOptions<T extends readonly unknown[], M extends object = object> extends ProtectChoices {
  /** A chat model, such as `new ChatOpenAI(...)` or the result of `initChatModel`. */
  readonly model: M;
  readonly tools: T;
  /** Where the results of each tool come from, and what its calls do; `conversation.tools` if the boundary knows them all. */
  readonly declare: DeclaredTools<Declarations<T>>;
  /** Asks a person while the call waits. @default LangGraph's interrupt: the run stops with a HeldCall; resume it with a HeldAnswer */
  readonly ask?: Ask;
}

/** A model and its tools, protected. Use both of them, and nothing else, in an agent or in your own graph. */
export interface Protected<T extends readonly unknown[], M extends object = object> {
  /** The same model. It is sent frames in place of tool results, and links of its answers that could carry data are removed. */
  readonly model: M;
  /** The same tools, gated. A call that is not allowed returns a text from which the model can continue. */
  readonly tools: T;
  /** Only if other middleware of an agent adds tools or models: the last of the list. It protects those too. */
  readonly middleware: AgentMiddleware;
}

/**
 * Puts the boundary of one conversation, which is one thread, around a model and its tools: what the model reads, what it calls and
 * what it answers.
 *
 * @example
 * ```ts
 * const { model, tools } = protect(boundary.conversation('thread-1'), {
 *   model: new ChatOpenAI({ model: 'gpt-5' }),
 *   tools: mailTools,
 *   declare: {
 *     list_mails: { effect: 'read', origin: 'external' },
 *     send_mail: { effect: 'send', modelText: ['body'] },
 *   },
 * });
 * const agent = createAgent({ model, tools });
 * ```
 */
export function protect<T extends readonly unknown[], M extends object>(
  conversation: Conversation,
  options: ProtectOptions<T, M>,
): Protected<T, M> {
  const { model, tools, declare, ask, judge = false, rawOutput = false } = options;
  checkRunnable(tools);
  const offered = tools.filter(isRunnable).map(offeredTool);
  const descriptions = wireTools(conversation, offered, declare as DeclaredTools);
  wireJudge(conversation, judge, () => generateWith(model as M & InvokableModel));
  if (tools.some(isProvided)) conversation.declareUnseen();
  const guard = { conversation, descriptions, ask, rawOutput, checkThread: createThreadCheck(conversation.id) };
  return {
    model: guardModel(guard, model),
    tools: guardTools(guard, tools),
    middleware: createGuard(guard),
  };
}
