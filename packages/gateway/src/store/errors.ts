/** Why the store refuses: there is no such thing, it stands differently now, or it is not well-formed. */
export type StoreProblem = 'missing' | 'conflict' | 'invalid';

/** A request that the store refuses. The message says what to do next and holds no secret. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly problem: StoreProblem;

  constructor(problem: StoreProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
