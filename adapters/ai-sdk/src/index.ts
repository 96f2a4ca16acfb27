import type { Ask, Conversation } from '@sallyport/core';
import type { LanguageModelMiddleware, ToolSet } from 'ai';
import { Answer, recorded } from './answer.ts';
import { guardTools } from './guard.ts';
import { show } from './show.ts';

export { type GenerateOptions, generateWith } from './generate.ts';
export { type RunScriptOptions, runScript, type ScriptRunner } from './script.ts';

/** Options of `protect`. */
export interface ProtectOptions {
  /** Asks a person while the call waits. @default the SDK's own approval: the run ends with an approval request */
  readonly ask?: Ask;
}

/** The two places where the boundary hooks into the AI SDK. */
export interface Protection {
  /**
   * For `wrapLanguageModel`. Frames tool results in what the model is sent, and nowhere else. Records what tools that the
   * provider runs return inside an answer.
   */
  readonly middleware: LanguageModelMiddleware;
  /** The same tools behind the gate. A call that is not allowed fails with a text from which the model can continue. */
  tools<T extends ToolSet>(tools: T): T;
}

/**
 * Puts the boundary of one conversation around a model and its tools.
 *
 * @example
 * ```ts
 * const { middleware, tools } = protect(boundary.conversation('chat-1'));
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware });
 * const { text } = await generateText({ model, tools: tools(mailTools), prompt });
 * ```
 */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  return {
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({ ...params, prompt: await show(conversation, params.prompt) }),
      async wrapGenerate({ doGenerate }) {
        const generated = await doGenerate();
        const answer = new Answer(conversation);
        for (const part of generated.content) await answer.record(part);
        return generated;
      },
      async wrapStream({ doStream }) {
        const streamed = await doStream();
        return { ...streamed, stream: recorded(conversation, streamed.stream) };
      },
    },
    tools: (tools) => guardTools(conversation, tools, options.ask),
  };
}
