import type { Ask, Conversation, Decision } from '@sallyport/core';
import { type Fetch, framingFetch } from './fetch.ts';
import { guardFunctions, guardTools } from './guard.ts';
import { useOf } from './use.ts';

export type { Fetch } from './fetch.ts';
export { type CompletionsClient, type GenerateOptions, generateWith } from './generate.ts';

export interface ProtectOptions {
  /** Asks a person while the call waits. @default a held call is not made, and the model is told that it waits for approval */
  readonly ask?: Ask;
  /** What carries the requests. @default the global fetch */
  readonly fetch?: Fetch;
}

/** The seams of the `openai` package. */
export interface Protection {
  /** For `new OpenAI({ fetch })`: results of tools are framed on their way to the model, and nowhere else. */
  readonly fetch: Fetch;
  /** The same tools of `client.chat.completions.runTools`, behind the gate. */
  tools<T extends readonly { readonly type: string }[]>(tools: T): T;
  /** The same functions of a `ResponsesToolRunner`, behind the gate. */
  functions<T extends readonly { readonly tool: { readonly name: string } }[]>(functions: T): T;
  /**
   * For a loop of your own: judges a call as the API gave it, an item of a response or one of `message.tool_calls`. Where the outcome
   * is not `allow`, `result` is what to answer in place of a result.
   */
  check(call: object): Promise<Decision>;
}

/** Puts the boundary of one conversation around a client and its tools. */
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
        throw new Error('check() takes a call as the API returned it: an item of a response, or a tool call.');
      return conversation.check(use, { ask });
    },
  };
}
