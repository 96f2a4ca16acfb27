import { SallyportError } from '@sallyport/core';
import { codeOf } from '../operate/log.ts';
import { problem } from '../serve/auth/admission.ts';
import { StoreError, type StoreProblem } from '../store/errors.ts';
import { UpstreamError } from '../upstream/failure.ts';

const DOCUMENT = 'Correct the request: /api/v1/openapi.json says how it looks.';

const STORE: Readonly<Record<StoreProblem, { readonly status: number; readonly next: string }>> = {
  missing: { status: 404, next: 'See the list of what there is.' },
  conflict: { status: 409, next: 'Read how it stands now, then decide again.' },
  invalid: { status: 422, next: DOCUMENT },
};

/** The request is not as the document says. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly isUnread: boolean;

  constructor(status: number, message: string, isUnread = false) {
    super(message);
    this.status = status;
    this.isUnread = isUnread;
  }
}

/** Too much of this is under way. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
}

/** What a failure is answered with. The words of errors that are not ours go nowhere: they may quote content or SQL. */
export function problemOf(cause: unknown, onError: (cause: unknown) => void): Response {
  if (cause instanceof StoreError)
    return problem(STORE[cause.problem].status, cause.message, STORE[cause.problem].next);
  // The rest of a body that was not read to its end is on its way.
  if (cause instanceof RequestError)
    return problem(cause.status, cause.message, DOCUMENT, cause.isUnread ? { connection: 'close' } : {});
  if (cause instanceof BusyError)
    return problem(429, cause.message, 'End what is under way, or try again later.', { 'retry-after': '5' });
  if (UpstreamError.isInstance(cause))
    return problem(
      422,
      cause.message,
      'Give another address or other headers. One that is not public, the operator opens in SALLYPORT_OPEN.',
    );
  if (SallyportError.isInstance(cause)) return problem(422, cause.message, DOCUMENT);
  onError(cause);
  return problem(503, `The gateway cannot do this at the moment (${codeOf(cause)}).`, 'Try again later.', {
    'retry-after': '1',
  });
}
