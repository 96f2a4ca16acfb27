import type { MiddlewareHandler } from 'hono';
import type { Rates } from '../../cache/rates.ts';
import type { Config } from '../../operate/config.ts';
import { addToOrigin, type RequestOrigin, requestOrigin } from '../../request-origin.ts';
import type { Caller, Scope } from '../../store/secrets/keys.ts';
import { networkOf } from '../client-address.ts';
import type { Callers } from './auth.ts';

export interface AdmissionOptions {
  readonly config: Pick<Config, 'publicUrl' | 'rate' | 'tokens'>;
  readonly callers: Callers;
  readonly rates: Rates;
  /** Called with the reason why credentials could not be checked. */
  readonly onError: (cause: unknown) => void;
}

export interface AdmittedEnvironment {
  Variables: { caller: Caller };
}

/** Path of the protected resource metadata (RFC 9728). */
export const METADATA = '/.well-known/oauth-protected-resource';

/** An error response: what is wrong, and what to do next. */
export function problem(
  status: number,
  error: string,
  next: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error, next }, { status, headers });
}

/** Names the credentials of a caller, without a secret. */
function originOf({ workspace, principal, keyId }: Caller, issuer: string | undefined): Partial<RequestOrigin> {
  if (keyId !== undefined) return { workspace, key: keyId };
  return { workspace, ...(issuer === undefined ? {} : { issuer }), subject: principal.replace(/^sub:/, '') };
}

const WAIT = 'Wait for the number of seconds in the retry-after header.';

function retryAfter(milliseconds: number): Readonly<Record<string, string>> {
  return { 'retry-after': String(Math.ceil(milliseconds / 1000)) };
}

/** Identifies the caller, then checks their scope and their rate limit. */
export function admitted(options: AdmissionOptions, scope: Scope): MiddlewareHandler<AdmittedEnvironment> {
  const { callers, rates, config, onError } = options;
  const challenge = `Bearer resource_metadata="${config.publicUrl}${METADATA}"`;
  const ownOrigin = new URL(config.publicUrl).origin;
  return async (context, next) => {
    // The protocol requires it: a page of another site must not reach the gateway through a browser, whatever it knows.
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== ownOrigin)
      return problem(
        403,
        'The Origin header is not that of the gateway.',
        'Call the gateway from a program or its own pages.',
      );
    const client = networkOf(requestOrigin()?.address);
    const identified = await callers.identify(context.req.header('authorization') ?? null, client);
    if (identified.type === 'unavailable') {
      onError(identified.cause);
      return problem(503, 'The credentials cannot be checked at the moment.', 'Try again later.', {
        'retry-after': '1',
      });
    }
    if (identified.type === 'limited')
      return problem(429, 'Too many unknown keys came from this address.', WAIT, retryAfter(identified.wait));
    if (identified.type === 'unknown')
      return problem(
        401,
        'The credentials are missing or not valid.',
        'Send `Authorization: Bearer` with a key or a token.',
        {
          'www-authenticate': challenge,
        },
      );
    const { caller } = identified;
    addToOrigin(originOf(caller, config.tokens?.issuer));
    if (!caller.scopes.has(scope))
      return problem(403, `This request needs the scope ${scope}.`, 'Use a key or a token that has this scope.', {
        'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"`,
      });
    const rate = { burst: Math.max(1, Math.ceil(config.rate / 10)), perSecond: config.rate / 60 };
    const { isAllowed, wait } = await rates.take(caller.workspace, caller.principal, rate);
    if (!isAllowed) return problem(429, 'Too many requests.', WAIT, retryAfter(wait));
    context.set('caller', caller);
    return next();
  };
}
