import type { Ask, Conversation } from '@sallyport/core';
import type { AgentMiddleware } from 'langchain';
import { createGuard } from './middleware.ts';
import { guardModel } from './model.ts';
import { guardTools } from './tools.ts';

export type { HeldAnswer, HeldCall } from './settle.ts';

/** Options of `protect`. */
export interface ProtectOptions {
  /** Asks a person while the call waits. @default LangGraph's interrupt: the run stops with a HeldCall; resume it with a HeldAnswer */
  readonly ask?: Ask;
}

/** The places where the boundary hooks into LangChain and LangGraph. For an agent use `middleware`; for your own graph the other two. */
export interface Protection {
  /** For `createAgent`, as the last of its middleware. Frames tool results in what the model is sent, and checks every call. */
  readonly middleware: AgentMiddleware;
  /** The same model. Frames tool results in what it is sent. */
  model<M extends object>(model: M): M;
  /** The same tools behind the gate, for a `ToolNode`. */
  tools<T extends readonly unknown[]>(tools: T): T;
}

/**
 * Puts the boundary of one conversation, which is one thread, around a model and its tools.
 *
 * @example
 * ```ts
 * const { middleware } = protect(boundary.conversation('thread-1'));
 * const agent = createAgent({ model: 'openai:gpt-5', tools: mailTools, middleware: [middleware] });
 * ```
 */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  const guard = { conversation, ask: options.ask };
  return {
    middleware: createGuard(guard),
    model: (model) => guardModel(conversation, model),
    tools: (tools) => guardTools(guard, tools),
  };
}
