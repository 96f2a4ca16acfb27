import type { AbortSignalLike } from '../base/time-limit.ts';
import type { JsonSchema } from '../json/schema.ts';

/** One question to a model, without tools and without a history. */
export interface GenerateRequest {
  /** The system prompt. */
  readonly system: string;
  /** The only user message. */
  readonly content: string;
  /** The schema of the answer, for providers that support one. The answer is validated in any case. @default none: the answer is text */
  readonly schema?: JsonSchema;
  /** Cancels the request. @default none */
  readonly signal?: AbortSignalLike;
}

/** Asks a model and returns its answer as text. Tool calls in the answer are left out. */
export type Generate = (request: GenerateRequest) => PromiseLike<string>;

/**
 * The text of an answer, for a `Generate` function. The errors contain nothing of the answer, because a model may be shown them.
 *
 * @example
 * ```ts
 * return finishedText(answer.text, answer.stopReason === 'end_turn');
 * ```
 */
export function finishedText(text: unknown, isFinished: boolean): string {
  if (!isFinished) throw new Error('The model did not finish its answer, or refused it.');
  if (typeof text !== 'string' || text.trim() === '') throw new Error('The model answered without text.');
  return text;
}
