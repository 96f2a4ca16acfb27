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
