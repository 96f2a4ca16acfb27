/** What went wrong between the gateway and a server. */
export type FailureCode =
  /** The address is one that the gateway does not connect to. */
  | 'address'
  /** A header that cannot be sent, or one that was sent and cannot be taken. */
  | 'header'
  /** Nobody answered, or the connection broke. */
  | 'unreachable'
  | 'timeout'
  | 'oversized'
  /** Not UTF-8, compressed, or of another content type than the protocol has. */
  | 'content'
  | 'redirect'
  /** The token endpoint gave no token. */
  | 'credentials'
  /** A child process that could not be started, ended, or does not read what it is sent. */
  | 'process'
  /** More requests wait than the gateway keeps. */
  | 'busy'
  | 'closed';

// Registered: two copies of the package may meet in one process, and `instanceof` fails between them.
const MARK = Symbol.for('sallyport.upstream-error');

/** The gateway could not, or would not, talk to a server. Its message holds nothing that the server said. */
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
