import type { Middleware } from '@anthropic-ai/sdk';
import type { Ask, Conversation } from '@sallyport/core';
import { guardTools } from './guard.ts';
import { framing } from './middleware.ts';

export { type GenerateOptions, generateWith, type MessagesClient } from './generate.ts';

/** Options of `protect`. */
export interface ProtectOptions {
  /** Asks a person about a held call while its tool waits. @default a held call is not made, and the model is told so */
  readonly ask?: Ask;
}

/** The two places where the boundary hooks into the Anthropic SDK. */
export interface Protection {
  /** For `new Anthropic({ middleware: [middleware] })`. Frames tool results in what the model is sent, and nowhere else. */
  readonly middleware: Middleware;
  /** The same tools behind the gate. A call that is not allowed fails with a text from which the model can continue. */
  tools<T>(tools: readonly T[]): T[];
}

/**
 * Puts the boundary of one conversation around a client and the tools of its tool runner.
 *
 * @example
 * ```ts
 * const { middleware, tools } = protect(boundary.conversation('chat-1'));
 * const client = new Anthropic({ middleware: [middleware] });
 * const message = await client.beta.messages.toolRunner({ model, max_tokens: 1024, messages, tools: tools(mailTools) });
 * ```
 */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  return {
    middleware: framing(conversation),
    tools: (tools) => guardTools(conversation, tools, options.ask),
  };
}
