import type { AbortSignalLike } from '../classify/classifier.ts';
import type { JsonSchema } from '../json/schema.ts';

/** One question to a model, and nothing beside it: there is no place for tools or for a history. */
export interface GenerateRequest {
  readonly system: string;
  /** The one user message. */
  readonly content: string;
  /** What the answer has to be, where a provider can be told. It is checked again whatever the provider promises. @default text */
  readonly schema?: JsonSchema;
  readonly signal?: AbortSignalLike;
}

/** Asks a model of some provider. What it answers is text; a call of a tool in the answer is left out. */
export type Generate = (request: GenerateRequest) => PromiseLike<string>;
