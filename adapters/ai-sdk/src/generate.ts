import { finishedText, type Generate, platformSignal } from '@sallyport/core/adapter';
import { generateText, type LanguageModel } from 'ai';

export interface GenerateOptions {
  /** The maximum length of an answer, in tokens. A truncated answer is an error. @default the provider's own limit */
  readonly maxTokens?: number;
}

/** A tool call may follow text, so an answer that ends with one is complete. Every other finish reason, known or not, is an error. */
const COMPLETE: ReadonlySet<string> = new Set(['stop', 'tool-calls']);

/**
 * Creates a `Generate` function from a model of any provider, for `createSubModel` of `@sallyport/sandbox`. A request contains one
 * system text and one user message, never a tool; tool calls in the answer are ignored. The schema is only part of the message:
 * for `Output.object`, some providers (Anthropic and Bedrock among them) send a tool that the model has to call.
 *
 * @example
 * ```ts
 * import { openai } from '@ai-sdk/openai';
 *
 * const generate = generateWith(openai('gpt-5-mini'), { maxTokens: 500 });
 * ```
 */
export function generateWith(model: LanguageModel, options: GenerateOptions = {}): Generate {
  const { maxTokens } = options;
  return async ({ system, content, signal }) => {
    const { text, finishReason } = await generateText({
      model,
      // Version 6 has no `instructions`; version 7 still accepts `system`, and rejects a system message among the messages.
      system,
      prompt: content,
      ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
      ...(signal === undefined ? {} : { abortSignal: platformSignal<AbortSignal>(signal) }),
    });
    return finishedText(text, COMPLETE.has(finishReason));
  };
}
