import type { MiddlewareHandler } from 'hono';
import type { Rates } from '../../cache/rates.ts';
import type { Config } from '../../operate/config.ts';
import type { Caller, Scope } from '../../store/secrets/keys.ts';
import type { Callers } from './auth.ts';

export interface AdmissionOptions {
  readonly config: Pick<Config, 'publicUrl' | 'rate'>;
  readonly callers: Callers;
  readonly rates: Rates;
}

export interface AdmittedEnvironment {
  Variables: { caller: Caller };
}

/** Where it is told whose tokens count (RFC 9728). */
export const METADATA = '/.well-known/oauth-protected-resource';

/** An answer that says what is wrong, and what to do next. */
export function problem(
  status: number,
  error: string,
  next: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error, next }, { status, headers });
}

/** Who asks, whether he may, and whether he asks too often. */
export function admitted(options: AdmissionOptions, scope: Scope): MiddlewareHandler<AdmittedEnvironment> {
  const { callers, rates, config } = options;
  const challenge = `Bearer resource_metadata="${config.publicUrl}${METADATA}"`;
  return async (context, next) => {
    const identified = await callers.identify(context.req.header('authorization') ?? null);
    if (identified.type === 'unavailable')
      return problem(503, 'Nobody can tell who you are at the moment.', 'Try again later.', { 'retry-after': '1' });
    if (identified.type === 'unknown')
      return problem(401, 'Nobody is known by these credentials.', 'Give a key or a token of this gateway.', {
        'www-authenticate': challenge,
      });
    const { caller } = identified;
    if (!caller.scopes.has(scope))
      return problem(403, `This takes the scope ${scope}.`, 'Use a key or a token that has it.', {
        'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"`,
      });
    const rate = { burst: Math.max(1, Math.ceil(config.rate / 10)), perSecond: config.rate / 60 };
    const { isAllowed, wait } = await rates.take(caller.workspace, caller.principal, rate);
    if (!isAllowed)
      return problem(429, 'Too many requests.', 'Wait as long as retry-after says.', {
        'retry-after': String(Math.ceil(wait / 1000)),
      });
    context.set('caller', caller);
    return next();
  };
}
