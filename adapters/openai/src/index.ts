import type { Ask, Conversation, Decision } from '@sallyport/core';
import { type Fetch, framingFetch } from './fetch.ts';
import { guardFunctions, guardTools } from './guard.ts';
import { useOf } from './use.ts';

export type { Fetch } from './fetch.ts';
export { type CompletionsClient, type GenerateOptions, generateWith } from './generate.ts';

/** Options of `protect`. */
export interface ProtectOptions {
  /** Asks a person while the call waits. @default a held call is not made, and the model is told that it waits for approval */
  readonly ask?: Ask;
  /** The fetch function that sends the requests. @default the global fetch */
  readonly fetch?: Fetch;
}

/** The places where the boundary hooks into the `openai` package. */
export interface Protection {
  /** For `new OpenAI({ fetch })`. Frames tool results in what the model is sent, and nowhere else. */
  readonly fetch: Fetch;
  /** The same tools of `client.chat.completions.runTools`, behind the gate. */
  tools<T extends readonly { readonly type: string }[]>(tools: T): T;
  /** The same functions of a `ResponsesToolRunner`, behind the gate. */
  functions<T extends readonly { readonly tool: { readonly name: string } }[]>(functions: T): T;
  /**
   * For your own loop: checks a call as the API returned it, an item of a response or one of `message.tool_calls`. If the outcome
   * is not `allow`, send `result` in place of the tool's result.
   */
  check(call: object): Promise<Decision>;
}

/**
 * Puts the boundary of one conversation around a client and its tools.
 *
 * @example
 * ```ts
 * const { fetch, tools } = protect(boundary.conversation('chat-1'));
 * const client = new OpenAI({ fetch });
 * const runner = client.chat.completions.runTools({ model: 'gpt-5', messages, tools: tools(mailTools) });
 * ```
 */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  const { ask, fetch: own = (input, init) => fetch(input, init) } = options;
  return {
    fetch: framingFetch(conversation, own),
    tools: <T>(tools: T) => guardTools((use) => conversation.check(use, { ask }), tools as readonly object[]) as T,
    functions: <T>(functions: T) =>
      guardFunctions((use) => conversation.check(use, { ask }), functions as readonly object[]) as T,
    async check(call) {
      const use = useOf(call);
      if (use === undefined)
        throw new Error('`call` must be a call as the API returned it: an item of a response, or one of `tool_calls`.');
      return conversation.check(use, { ask });
    },
  };
}
