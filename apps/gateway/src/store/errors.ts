/** Why the store refuses: the object does not exist, it has changed meanwhile, the input is not valid, or the person may not do it. */
export type StoreProblem = 'missing' | 'conflict' | 'invalid' | 'forbidden';

/**
 * The store refused a request. The message says what to do next and contains no secret.
 *
 * @example
 * ```ts
 * try {
 *   await withOperations(config, (operations) => operations.makeWorkspace('team'));
 * } catch (error) {
 *   if (error instanceof StoreError && error.problem === 'conflict') console.error(error.message);
 * }
 * ```
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly problem: StoreProblem;
  /** A sentence for each thing that is wrong with the input; the message joins them. */
  readonly reasons: readonly string[];

  constructor(problem: StoreProblem, reason: string | readonly string[], options?: ErrorOptions) {
    const reasons = typeof reason === 'string' ? [reason] : reason;
    super(reasons.join('\n'), options);
    this.problem = problem;
    this.reasons = reasons;
  }
}
