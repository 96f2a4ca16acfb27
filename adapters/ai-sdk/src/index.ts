import type { Ask, Conversation } from '@sallyport/core';
import type { LanguageModelMiddleware, ToolSet } from 'ai';
import { guardTools } from './guard.ts';
import { show } from './show.ts';

export { type GenerateOptions, generateWith } from './generate.ts';
export { type RunScriptOptions, runScript, type ScriptRunner } from './script.ts';

export interface ProtectOptions {
  /** Asks a person on the spot. @default the SDK's own approval: the run ends with a request for it */
  readonly ask?: Ask;
}

/** The two seams of the AI SDK. */
export interface Protection {
  /** For `wrapLanguageModel`: results of tools are framed on their way to the model, and nowhere else. */
  readonly middleware: LanguageModelMiddleware;
  /** The same tools behind the gate. A call that may not be made fails with a text the model can go on from. */
  tools<T extends ToolSet>(tools: T): T;
}

/** Puts the boundary of one conversation around a model and its tools. */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  return {
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({ ...params, prompt: await show(conversation, params.prompt) }),
    },
    tools: (tools) => guardTools(conversation, tools, options.ask),
  };
}
