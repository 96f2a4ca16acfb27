import { SallyportError } from '@sallyport/core';
import { UpstreamError } from '@sallyport/mcp-proxy/http';
import { codeOf } from '../../operate/log.ts';
import { problem } from '../../serve/auth/admission.ts';
import { AuditDamage } from '../../store/chains.ts';
import { StoreError, type StoreProblem } from '../../store/errors.ts';

const DOCUMENT = 'Correct the request: /api/v1/openapi.json describes it.';

const STORE: Readonly<Record<StoreProblem, { readonly status: number; readonly next: string }>> = {
  forbidden: { status: 403, next: 'Ask a person who may do it.' },
  missing: { status: 404, next: 'Read the list to see what exists.' },
  conflict: { status: 409, next: 'Read the current state, then decide again.' },
  invalid: { status: 422, next: DOCUMENT },
};

/** The request does not match the OpenAPI document. */
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

/** Too many operations of this kind are in progress. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
}

/** The response to a failure. The messages of other errors are not sent, because they may quote content or SQL. */
export function problemOf(cause: unknown, onError: (cause: unknown) => void): Response {
  if (cause instanceof StoreError)
    return problem(STORE[cause.problem].status, cause.message, STORE[cause.problem].next);
  // The rest of an unread body is still arriving, so the connection is closed.
  if (cause instanceof RequestError)
    return problem(cause.status, cause.message, DOCUMENT, cause.isUnread ? { connection: 'close' } : {});
  if (cause instanceof BusyError)
    return problem(429, cause.message, 'Wait until the operations in progress have ended, then try again.', {
      'retry-after': '5',
    });
  if (UpstreamError.isInstance(cause) && cause.code === 'launcher')
    return problem(503, cause.message, 'Try again later.', { 'retry-after': '1' });
  if (UpstreamError.isInstance(cause))
    return problem(
      422,
      cause.message,
      'Use another address or other headers. The operator can allow an address that is not public in SALLYPORT_OPEN.',
    );
  if (SallyportError.isInstance(cause)) return problem(422, cause.message, DOCUMENT);
  onError(cause);
  if (cause instanceof AuditDamage)
    return problem(
      503,
      'The audit of this workspace is damaged, so nothing is changed.',
      'Ask the operator to run `sallyport audit verify`.',
    );
  return problem(503, `The gateway cannot answer this request at the moment (${codeOf(cause)}).`, 'Try again later.', {
    'retry-after': '1',
  });
}
