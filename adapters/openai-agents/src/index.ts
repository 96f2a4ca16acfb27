import type { Model, ModelProvider } from '@openai/agents';
import type { Ask, Conversation, ToolDeclaration } from '@sallyport/core';
import { type DeclaredTools, LatestModel, type ProtectChoices, wireJudge, wireTools } from '@sallyport/core/adapter';
import { generateWith } from './generate.ts';
import { protectProvider } from './model.ts';
import { guardCapabilities } from './tools/capability.ts';
import { guardHandoffs, handoffsToDeclare } from './tools/handoff.ts';
import { isProvided } from './tools/offered.ts';
import { guardTools, toDeclare } from './tools/tools.ts';
import { readRequest } from './turns/show.ts';

export { generateWith } from './generate.ts';

/**
 * The effects of the tools: one declaration for each name. The SDK's types contain no names of tools, and a list of
 * tools has the arguments of the first one alone, so that names are compared by `protect()`.
 */
export type Declarations = Readonly<Record<string, ToolDeclaration>>;

/** Options of `protect`. */
export interface ProtectOptions<T extends readonly object[], C extends object = object, H extends object = object>
  extends ProtectChoices {
  /** Where the models come from, such as `new OpenAIProvider()`; `{ getModel: () => model }` for one model. */
  readonly provider: ModelProvider;
  /** All tools of the agents, in any order. */
  readonly tools: T;
  /** Where the results of each tool come from, and what its calls do; `conversation.tools` if the boundary knows them all. */
  readonly declare: DeclaredTools<Declarations>;
  /** The capabilities of a `SandboxAgent`. Its tools are declared to the boundary. @default none */
  readonly capabilities?: readonly C[];
  /** Results of `handoff()` that pass values on. They are declared like tools, as `transfer_to_...`. @default none */
  readonly handoffs?: readonly H[];
  /** Asks a person while the call waits. @default the SDK's own approval: the run ends with an interruption */
  readonly ask?: Ask;
}

/** The parts of agents, protected. Use these, and nothing else, in an `Agent` and a `Runner`. */
export interface Protected<T extends readonly object[], C extends object = object, H extends object = object> {
  /**
   * For `new Runner({ modelProvider })`. Its models are sent frames in place of tool results, even after handoffs and in agents as
   * tools, and links of their answers that could carry data are removed.
   */
  readonly provider: ModelProvider;
  /** The same tools, gated. A call that is not allowed returns a text from which the model can continue. */
  readonly tools: T;
  /** The same capabilities, whose tools the gate checks. */
  readonly capabilities: C[];
  /** The same handoffs, gated. One that is not allowed fails the run. */
  readonly handoffs: H[];
  /** Reads the history of a run that an earlier process started. Before this, no call with an effect is allowed. */
  restore(state: { readonly history: readonly unknown[] }): Promise<void>;
}

/**
 * Puts the boundary of one conversation around models and tools: what the models read, what they call and what they answer.
 *
 * @example
 * ```ts
 * const { provider, tools } = protect(boundary.conversation(chatId), {
 *   provider: new OpenAIProvider(),
 *   tools: shopTools,
 *   declare: {
 *     read_reviews: { effect: 'read', origin: 'external' },
 *     place_order: { effect: 'spend' },
 *   },
 * });
 * const agent = new Agent({ name: 'shop', tools });
 * const result = await new Runner({ modelProvider: provider }).run(agent, 'What is new?');
 * ```
 */
export function protect<T extends readonly object[], C extends object = never, H extends object = never>(
  conversation: Conversation,
  options: ProtectOptions<T, C, H>,
): Protected<T, C, H> {
  const { provider, tools, declare, capabilities = [], handoffs = [], ask } = options;
  const { judge = false, rawOutput = false } = options;
  const descriptions = wireTools(conversation, [...toDeclare(tools), ...handoffsToDeclare(handoffs)], declare);
  const latest = new LatestModel<Model>();
  wireJudge(conversation, judge, () => latest.generateWith(generateWith));
  if (tools.some(isProvided)) conversation.declareUnseen();
  const gate = { conversation, ask };
  return {
    provider: protectProvider({ conversation, latest, descriptions, rawOutput }, provider),
    tools: guardTools(gate, tools) as unknown as T,
    capabilities: guardCapabilities(gate, capabilities),
    handoffs: guardHandoffs(gate, handoffs),
    restore: async ({ history }) => {
      await conversation.render(readRequest({ input: [...history] }, 'user'));
    },
  };
}
