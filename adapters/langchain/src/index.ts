import type { Ask, Conversation } from '@sallyport/core';
import type { AgentMiddleware } from 'langchain';
import { createGuard } from './middleware.ts';
import { guardModel } from './model.ts';
import { guardTools } from './tools.ts';

export type { HeldAnswer, HeldCall } from './settle.ts';

export interface ProtectOptions {
  /** Asks a person on the spot. @default LangGraph's interrupt: the run stops with a HeldCall, and is resumed with a HeldAnswer */
  readonly ask?: Ask;
}

/** The seams of LangChain and LangGraph. An agent takes the middleware; a graph of your own takes the other two. */
export interface Protection {
  /** For `createAgent`, as the last in its list: frames what tools brought on its way to the model, and judges every call. */
  readonly middleware: AgentMiddleware;
  /** The same model, which frames what it is sent. */
  model<M extends object>(model: M): M;
  /** The same tools behind the gate, for a `ToolNode`. */
  tools<T extends readonly unknown[]>(tools: T): T;
}

/** Puts the boundary of one conversation, which is one thread, around a model and its tools. */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  const guard = { conversation, ask: options.ask };
  return {
    middleware: createGuard(guard),
    model: (model) => guardModel(conversation, model),
    tools: (tools) => guardTools(guard, tools),
  };
}
