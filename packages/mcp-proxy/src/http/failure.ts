/** The kind of failure between the gateway and a server. */
export type FailureCode =
  /** The address is not allowed. */
  | 'address'
  /** A header that cannot be sent, or that the server sent and is not valid. */
  | 'header'
  /** No answer, or the connection broke. */
  | 'unreachable'
  | 'timeout'
  | 'oversized'
  /** Not UTF-8, compressed, or not a content type of the protocol. */
  | 'content'
  | 'redirect'
  /** The token endpoint issued no token. */
  | 'credentials'
  /** A child process could not be started, has ended, or does not read its input. */
  | 'process'
  /** The process that starts child processes does not answer, or refuses. */
  | 'launcher'
  /** Too many pending requests. */
  | 'busy'
  | 'closed';

// A registered symbol, because `instanceof` fails between two copies of the package in one process.
const MARK = Symbol.for('sallyport.upstream-error');

/**
 * A request to a server failed or was refused. The message quotes nothing that the server sent.
 *
 * @example
 * ```ts
 * if (UpstreamError.isInstance(cause)) report(cause.code, cause.message);
 * ```
 */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.defineProperty(this, MARK, { value: true });
  }

  static isInstance(value: unknown): value is UpstreamError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
