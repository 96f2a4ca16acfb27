import { type Fields, fieldsOf, finishedText, type Generate, platformSignal } from '@sallyport/core/adapter';

/** The part of a chat model that `generateWith` needs. */
export interface InvokableModel {
  invoke(messages: unknown, config?: unknown): PromiseLike<unknown>;
}

/** Why providers end an answer before it is complete. Most name the reason of a complete one in their own way, or not at all. */
const CUT: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'content_filter',
  'refusal',
  'safety',
]);

function stopOf({ finish_reason, stop_reason, finishReason, stopReason }: Fields): string {
  return String(finish_reason ?? stop_reason ?? finishReason ?? stopReason ?? '').toLowerCase();
}

/**
 * Creates a `Generate` function from a chat model, for `judgeWith`. A request contains one system message and one
 * message of the user, never a tool; tool calls in the answer are ignored.
 *
 * @example
 * ```ts
 * const generate = generateWith(new ChatOpenAI({ model: 'gpt-5-mini' }));
 * ```
 */
export function generateWith(model: InvokableModel): Generate {
  return async ({ system, content, signal }) => {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content },
    ];
    const config = signal === undefined ? {} : { signal: platformSignal(signal) };
    const { text, response_metadata: about } = fieldsOf(await model.invoke(messages, config));
    return finishedText(text, !CUT.has(stopOf(fieldsOf(about))));
  };
}
