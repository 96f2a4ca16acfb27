import type { Middleware } from '@anthropic-ai/sdk';
import type { Ask, Conversation } from '@sallyport/core';
import { guardTools } from './guard.ts';
import { framing } from './middleware.ts';

export { type GenerateOptions, generateWith, type MessagesClient } from './generate.ts';

export interface ProtectOptions {
  /** Asks a person about a held call while its tool waits. @default a held call is not made */
  readonly ask?: Ask;
}

/** The two seams of the Anthropic SDK. */
export interface Protection {
  /** For `new Anthropic({ middleware })`: results of tools are framed on their way to the model, and nowhere else. */
  readonly middleware: Middleware;
  /** The same tools behind the gate. A call that may not be made fails with a text the model can go on from. */
  tools<T>(tools: readonly T[]): T[];
}

/** Puts the boundary of one conversation around a client and the tools of its tool runner. */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  return {
    middleware: framing(conversation),
    tools: (tools) => guardTools(conversation, tools, options.ask),
  };
}
