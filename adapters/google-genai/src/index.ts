import type { CallableTool, ToolUnion } from '@google/genai';
import type { Ask, Conversation } from '@sallyport/core';
import { ReplyCalls } from './calls.ts';
import { guardTools } from './guard.ts';
import { type Fetch, framingFetch } from './send.ts';

/** Options of `protect`. */
export interface ProtectOptions {
  /** Asks a person while the run waits. @default a held call is not made, and the model is told so */
  readonly ask?: Ask;
  /** The function that sends the requests. @default the global fetch */
  readonly fetch?: Fetch;
}

/** The two places where the boundary hooks into the Google Gen AI SDK. */
export interface Protection {
  /** For `new GoogleGenAI({ httpOptions: { fetch } })`. Frames tool results in what the model is sent, and nowhere else. */
  readonly fetch: Fetch;
  /** The same tools behind the gate. For a call that is not allowed, the model gets an error from which it can continue. */
  tools<T extends ToolUnion>(tools: readonly T[]): (T extends CallableTool ? CallableTool : T)[];
}

/**
 * Puts the boundary of one conversation around a client and its tools.
 *
 * @example
 * ```ts
 * const { fetch, tools } = protect(boundary.conversation('chat-1'));
 * const ai = new GoogleGenAI({ apiKey, httpOptions: { fetch } });
 * const chat = ai.chats.create({ model: 'gemini-2.5-pro', config: { tools: tools([mailTool]) } });
 * ```
 */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  const replyCalls = new ReplyCalls();
  return {
    fetch: framingFetch(conversation, replyCalls, options.fetch),
    tools: <T extends ToolUnion>(tools: readonly T[]) =>
      guardTools({ conversation, replyCalls, ask: options.ask }, tools) as (T extends CallableTool
        ? CallableTool
        : T)[],
  };
}
