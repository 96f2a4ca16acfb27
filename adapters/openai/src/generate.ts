import { type Generate, type JsonSchema, platformSignal } from '@sallyport/core/adapter';
import type { OpenAI } from 'openai';

export interface GenerateOptions {
  /** How long an answer may be, reasoning included. An answer that is cut off is an error. @default the provider's own limit */
  readonly maxTokens?: number;
}

/** The part of a client that a question needs: `OpenAI`, `AzureOpenAI`, or one of another server that speaks the format. */
export interface CompletionsClient {
  readonly chat: { readonly completions: Pick<OpenAI['chat']['completions'], 'create'> };
}

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Answer = OpenAI.Chat.Completions.ChatCompletion;

/** Words may stand beside a call, so an answer that ends with one is whole. Any other ending, known or not, is not. */
const WHOLE: ReadonlySet<unknown> = new Set(['stop', 'tool_calls', 'function_call']);

/** The API takes only the schema of an object. Any other stands in the message alone. */
function formatOf(schema: JsonSchema | undefined): Pick<Body, 'response_format'> {
  if (typeof schema !== 'object' || schema.type !== 'object') return {};
  // Strict takes only schemas that require every member and allow no other, and refuses the request for the rest.
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: false } } };
}

/** The errors hold nothing of the answer: a model may be shown them. */
function answerOf({ choices }: Answer): string {
  const choice = choices?.[0];
  if (!WHOLE.has(choice?.finish_reason) || choice?.message?.refusal)
    throw new Error('The model did not finish its answer, or refused it.');
  const content: unknown = choice?.message?.content;
  if (typeof content !== 'string' || content.trim() === '') throw new Error('The model answered without text.');
  return content;
}

/**
 * Asks a model over chat completions. A request holds one system message and one user message, never a tool; a call of a tool in
 * the answer is left out.
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
    return answerOf(await client.chat.completions.create(body, signal && { signal: platformSignal<AbortSignal>(signal) }));
  };
}
