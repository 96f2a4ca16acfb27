import type { Model, ModelProvider } from '@openai/agents';
import type { Ask, Conversation } from '@sallyport/core';
import { frameModel, frameProvider } from './model.ts';
import { guardCapabilities } from './tools/capability.ts';
import { guardHandoffs } from './tools/handoff.ts';
import { guardTools } from './tools/tools.ts';
import { readRequest } from './turns/show.ts';

/** Options of `protect`. */
export interface ProtectOptions {
  /** Asks a person while the call waits. @default the SDK's own approval: the run ends with an interruption */
  readonly ask?: Ask;
}

/** The places where the boundary hooks into the OpenAI Agents SDK. */
export interface Protection {
  /** The same model. Frames tool results in what it is sent, and nowhere else. */
  model(inner: Model): Model;
  /** The same provider for a `Runner`. Every model it returns is framed, even after handoffs and in agents as tools. */
  provider(inner: ModelProvider): ModelProvider;
  /**
   * The same tools behind the gate. A call that is not allowed is answered with a text from which the model can continue. If some
   * tools of an agent are guarded, a call of any other tool fails the run.
   */
  tools<T extends object>(tools: readonly T[]): T[];
  /** The same capabilities of a `SandboxAgent`, whose tools are behind the gate. */
  capabilities<T extends object>(capabilities: readonly T[]): T[];
  /** The same handoffs behind the gate. One that is not allowed fails the run. */
  handoffs<T extends object>(handoffs: readonly T[]): T[];
  /** Reads the history of a run that an earlier process started. Before this, no call with an effect is allowed. */
  restore(state: { readonly history: readonly unknown[] }): Promise<void>;
}

/**
 * Puts the boundary of one conversation around models and tools.
 *
 * @example
 * ```ts
 * const { provider, tools } = protect(boundary.conversation('chat-1'));
 * const agent = new Agent({ name: 'shop', tools: tools(shopTools) });
 * const result = await new Runner({ modelProvider: provider(new OpenAIProvider()) }).run(agent, 'What is new?');
 * ```
 */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  const gate = { conversation, ask: options.ask };
  return {
    model: (inner) => frameModel(conversation, inner),
    provider: (inner) => frameProvider(conversation, inner),
    tools: (tools) => guardTools(gate, tools),
    capabilities: (capabilities) => guardCapabilities(gate, capabilities),
    handoffs: (handoffs) => guardHandoffs(gate, handoffs),
    restore: async ({ history }) => {
      await conversation.render(readRequest({ input: [...history] }, 'user'));
    },
  };
}
