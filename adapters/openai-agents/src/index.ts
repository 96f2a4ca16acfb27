import type { Model, ModelProvider } from '@openai/agents';
import type { Ask, Conversation } from '@sallyport/core';
import { frameModel, frameProvider } from './model.ts';
import { guardCapabilities } from './tools/capability.ts';
import { guardHandoffs } from './tools/handoff.ts';
import { guardTools } from './tools/tools.ts';
import { readRequest } from './turns/show.ts';

export interface ProtectOptions {
  /** Asks a person on the spot. @default the SDK's own approval: the run ends with an interruption */
  readonly ask?: Ask;
}

/** The seams of the OpenAI Agents SDK. */
export interface Protection {
  /** The same model: results of tools are framed on their way to it, and nowhere else. */
  model(inner: Model): Model;
  /** The same provider for a `Runner`: every model it gives is such a model, also behind handoffs and agents as tools. */
  provider(inner: ModelProvider): ModelProvider;
  /**
   * The same tools behind the gate. A call that may not be made answers with a text the model can go on from. Where some tools of
   * an agent went through here, a call of any other fails the run.
   */
  tools<T extends object>(tools: readonly T[]): T[];
  /** The same capabilities of a `SandboxAgent`, whose tools are behind the gate. */
  capabilities<T extends object>(capabilities: readonly T[]): T[];
  /** The same handoffs behind the gate. One that may not be made fails the run. */
  handoffs<T extends object>(handoffs: readonly T[]): T[];
  /** Reads the history of a run that an earlier process had begun. Before this, nothing that has an effect may run. */
  restore(state: { readonly history: readonly unknown[] }): Promise<void>;
}

/** Puts the boundary of one conversation around models and tools. */
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
