/** The codes of `SandboxError`. */
export type SandboxErrorCode =
  | 'ERR_ANSWER_INVALID'
  | 'ERR_ARGUMENT_MALFORMED'
  | 'ERR_ARGUMENT_TOO_LARGE'
  | 'ERR_ENGINE_MISSING'
  | 'ERR_GENERATE_FAILED'
  | 'ERR_INVALID_OPTION'
  | 'ERR_INVALID_SUSPENSION'
  | 'ERR_QUERIES_SPENT';

const MARK = Symbol.for('sallyport.sandbox.error');

/**
 * The error class of this package, for wrong use and for questions without an answer. A script that fails does not throw: its
 * result has the status 'failed'.
 *
 * @example
 * ```ts
 * if (SandboxError.isInstance(error) && error.code === 'ERR_QUERIES_SPENT') return undefined;
 * ```
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, MARK, { value: true });
  }

  static isInstance(value: unknown): value is SandboxError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
