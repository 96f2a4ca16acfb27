import type { HonoRequest, MiddlewareHandler } from 'hono';
import type { Rates } from '../../cache/rates.ts';
import type { Config } from '../../operate/config.ts';
import { addToOrigin, type RequestOrigin, requestOrigin } from '../../request-origin.ts';
import type { Caller, Scope } from '../../store/secrets/keys.ts';
import { networkOf } from '../client-address.ts';
import type { Callers, Identified } from './auth.ts';
import { isFromOwnPage, sessionIn } from './cookie.ts';

export interface AdmissionOptions {
  readonly config: Pick<Config, 'publicUrl' | 'rate' | 'tokens' | 'login'>;
  /** Accepts the session of a person in addition to keys and tokens. @default false */
  readonly takesSessions?: boolean;
  readonly callers: Callers;
  readonly rates: Rates;
  /** Called with the reason why credentials could not be checked. */
  readonly onError: (cause: unknown) => void;
}

export interface AdmittedEnvironment {
  Variables: {
    caller: Caller;
    /** The route of an API request, with the names of its parameters in braces. */
    route?: string;
  };
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

export const WAIT = 'Wait for the number of seconds in the retry-after header.';

export function retryAfter(milliseconds: number): Readonly<Record<string, string>> {
  return { 'retry-after': String(Math.ceil(milliseconds / 1000)) };
}

const PROGRAM = 'Call the gateway from a program or its own pages.';

/** The response to a request whose caller could not be identified. */
function unidentified(
  found: Exclude<Identified, { type: 'caller' }>,
  challenge: string,
  onError: (cause: unknown) => void,
): Response {
  switch (found.type) {
    case 'unavailable':
      onError(found.cause);
      return problem(503, 'The credentials cannot be checked at the moment.', 'Try again later.', {
        'retry-after': '1',
      });
    case 'limited':
      return problem(429, 'Too many unknown keys came from this address.', WAIT, retryAfter(found.wait));
    case 'unknown':
      return problem(
        401,
        'The credentials are missing or not valid.',
        'Send `Authorization: Bearer` with a key or a token.',
        { 'www-authenticate': challenge },
      );
  }
}

/** Why a page of a browser may not send this request. `isSession`: the browser has sent the caller's cookie along. */
function foreignPage(request: HonoRequest, ownOrigin: string, isSession: boolean): Response | undefined {
  const origin = request.header('origin');
  // The protocol requires it: a page of another site must not reach the gateway through a browser, whatever it knows.
  if (origin !== undefined && origin !== ownOrigin)
    return problem(403, 'The Origin header is not that of the gateway.', PROGRAM);
  if (!isSession || request.method === 'GET' || isFromOwnPage(request, ownOrigin)) return undefined;
  return problem(
    403,
    'A request with a cookie that changes something must come from a page of the gateway.',
    'Send it from a page of the gateway, or with a key or a token.',
  );
}

/** Identifies the caller, then checks that they have one of the scopes, and their rate limit. */
export function admitted(
  options: AdmissionOptions,
  ...scopes: readonly Scope[]
): MiddlewareHandler<AdmittedEnvironment> {
  const { callers, rates, config, onError, takesSessions = false } = options;
  const challenge = `Bearer resource_metadata="${config.publicUrl}${METADATA}"`;
  const ownOrigin = new URL(config.publicUrl).origin;
  return async (context, next) => {
    const authorization = context.req.header('authorization') ?? null;
    const session = takesSessions ? sessionIn(context.req) : undefined;
    const foreign = foreignPage(context.req, ownOrigin, authorization === null && session !== undefined);
    if (foreign !== undefined) return foreign;
    const found = await callers.identify(authorization, networkOf(requestOrigin()?.address), session);
    if (found.type !== 'caller') return unidentified(found, challenge, onError);
    const { caller } = found;
    addToOrigin(originOf(caller, config.tokens?.issuer ?? config.login?.issuer));
    if (!scopes.some((scope) => caller.scopes.has(scope))) {
      const names = scopes.join(' or ');
      const how = 'Use a key, a token or a login that has this scope.';
      return problem(403, `This request needs the scope ${names}.`, how, {
        'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scopes[0]}"`,
      });
    }
    const rate = { burst: Math.max(1, Math.ceil(config.rate / 10)), perSecond: config.rate / 60 };
    const { isAllowed, wait } = await rates.take(caller.workspace, caller.principal, rate);
    if (!isAllowed) return problem(429, 'Too many requests.', WAIT, retryAfter(wait));
    context.set('caller', caller);
    return next();
  };
}
