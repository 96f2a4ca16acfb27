/** The gateway refused a request: what is wrong, and what to do about it. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly next: string;

  constructor(status: number, message: string, next: string) {
    super(message);
    this.status = status;
    this.next = next;
  }
}

const OFFLINE = 'Check that the gateway is running and that you are online.';

/** The refusal in a response. A proxy between may answer with something else than the gateway's own shape. */
export function problemIn(response: Response, body: unknown): ProblemError {
  const { error, next } = (typeof body === 'object' && body !== null ? body : {}) as {
    error?: unknown;
    next?: unknown;
  };
  const message = typeof error === 'string' ? error : `The gateway answered with status ${response.status}.`;
  return new ProblemError(response.status, message, typeof next === 'string' ? next : 'Try again later.');
}

/** Any failure of a request, as two sentences for a person. */
export function describeFailure(cause: unknown): { readonly message: string; readonly next: string } {
  if (cause instanceof ProblemError) return { message: cause.message, next: cause.next };
  return { message: 'The gateway does not answer.', next: OFFLINE };
}
