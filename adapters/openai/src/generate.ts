import { finishedText, type Generate, type JsonSchema, platformSignal } from '@sallyport/core/adapter';
import type { OpenAI } from 'openai';

/** Options of `generateWith`. */
export interface GenerateOptions {
  /** The maximum length of an answer in tokens, reasoning included. A truncated answer is an error. @default the provider's own limit */
  readonly maxTokens?: number;
}

/** The part of a client that `generateWith` needs: that of `OpenAI`, `AzureOpenAI`, or a compatible client. */
export interface CompletionsClient {
  readonly chat: { readonly completions: Pick<OpenAI['chat']['completions'], 'create'> };
}

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Answer = OpenAI.Chat.Completions.ChatCompletion;

/** A tool call may follow text, so an answer that ends with one is complete. Every other finish reason, known or not, is an error. */
const COMPLETE: ReadonlySet<unknown> = new Set(['stop', 'tool_calls', 'function_call']);

/** The API accepts only the schema of an object. Any other schema is only part of the message. */
function formatOf(schema: JsonSchema | undefined): Pick<Body, 'response_format'> {
  if (typeof schema !== 'object' || schema.type !== 'object') return {};
  // With `strict`, the API rejects schemas that do not require every member and exclude all others.
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: false } } };
}

function answerOf({ choices }: Answer): string {
  const choice = choices?.[0];
  return finishedText(choice?.message?.content, COMPLETE.has(choice?.finish_reason) && !choice?.message?.refusal);
}

/**
 * Creates a `Generate` function from a model of chat completions, for `createSubModel` of `@sallyport/sandbox`. A request contains
 * one system message and one user message, never a tool; tool calls in the answer are ignored.
 *
 * @example
 * ```ts
 * const generate = generateWith(new OpenAI(), 'gpt-5-mini', { maxTokens: 500 });
 * ```
 */
export function generateWith(client: CompletionsClient, model: string, options: GenerateOptions = {}): Generate {
  const { maxTokens } = options;
  return async ({ system, content, schema, signal }) => {
    const body: Body = {
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content },
      ],
      ...formatOf(schema),
      ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    };
    return answerOf(
      await client.chat.completions.create(body, signal && { signal: platformSignal<AbortSignal>(signal) }),
    );
  };
}
