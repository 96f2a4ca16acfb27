import type { Anthropic } from '@anthropic-ai/sdk';
import type { AbortSignalLike, Generate } from '@sallyport/core/adapter';
import { blocksOf, isFields, textOf } from './fields.ts';

export interface GenerateOptions {
  /** How long an answer may be, thinking included. An answer that is cut off is an error. @default 4096 */
  readonly maxTokens?: number;
}

/** The part of a client that a question needs: that of Anthropic, or of a cloud that hosts its models. */
export interface MessagesClient {
  readonly messages: Pick<Anthropic['messages'], 'create'>;
}

/** Words may stand beside a call, so an answer that ends with one is whole. Any other ending, known or not, is not. */
const WHOLE: ReadonlySet<unknown> = new Set(['end_turn', 'tool_use']);

/** The signal of core is any object with the two members that it needs; the SDK takes those of the platform alone. */
function platformSignal(signal: AbortSignalLike): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort());
  return controller.signal;
}

function textIn(block: unknown): string {
  return (isFields(block) && block.type === 'text' && textOf(block.text)) || '';
}

/** The errors hold nothing of the answer: a model may be shown them. */
function answerOf({ content, stop_reason }: Anthropic.Message): string {
  if (!WHOLE.has(stop_reason)) throw new Error('The model did not finish its answer, or refused it.');
  const text = blocksOf(content).map(textIn).join('');
  if (text.trim() === '') throw new Error('The model answered without text.');
  return text;
}

/**
 * Asks a model over the Messages API. A request holds one system prompt and one user message, never a tool; a call of a tool in
 * the answer is left out. The schema stands in the message alone.
 */
export function generateWith(client: MessagesClient, model: string, options: GenerateOptions = {}): Generate {
  const { maxTokens = 4096 } = options;
  return async ({ system, content, signal }) => {
    const body = { model, max_tokens: maxTokens, system, messages: [{ role: 'user' as const, content }] };
    return answerOf(await client.messages.create(body, signal && { signal: platformSignal(signal) }));
  };
}
