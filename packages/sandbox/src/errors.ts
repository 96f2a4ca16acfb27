/** Every way in which this package can be used wrongly, or a question can stay without an answer. */
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

/** The one error class of this package. What a script does wrong is none of these: that is how its run ends. */
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
