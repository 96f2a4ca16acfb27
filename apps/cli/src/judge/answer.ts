import type { GenerateRequest } from '@sallyport/core/adapter';

/** What a model answered. */
export interface Answer {
  readonly text: string;
  /** Absent if the endpoint or client does not say. */
  readonly tokens?: { readonly input: number; readonly output: number };
}

/** Asks a model. Throws a JudgeError if there is no answer. */
export type AskModel = (request: GenerateRequest) => Promise<Answer>;

/** There is no answer. It contains nothing of what the other side said, which may repeat the key. */
export class JudgeError extends Error {
  /** What the user can do. */
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}

/** A number of tokens, if it is one. */
export function countIn(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}

/** The answer with its tokens, if any were counted. */
export function answerWith(text: string, input: number, output: number): Answer {
  return input + output === 0 ? { text } : { text, tokens: { input, output } };
}
