import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { standardFetch } from '../../upstream/fetch.ts';
import { groupsIn } from './groups.ts';

export interface TokenOptions {
  /** The expected `iss` claim. */
  readonly issuer: string;
  /** The expected `aud` claim: the gateway's own URL. A token for another resource is refused (RFC 8707). */
  readonly audience: string;
  /** The issuer's keys, or the URL of its key set. */
  readonly keys:
    | { readonly type: 'url'; readonly url: string; readonly fetch: GuardedFetch }
    | { readonly type: 'static'; readonly set: JSONWebKeySet };
  readonly claims?: {
    /** Claim that names the workspace. @default 'workspace' */
    readonly workspace?: string;
    /** Claim with the scopes: a string separated by spaces, or an array. @default 'scope' */
    readonly scopes?: string;
    /** Claim with the groups of the principal. @default undefined: groups do not count */
    readonly groups?: string | undefined;
    /** Claim that names the principal. @default 'sub' */
    readonly principal?: string;
  };
  /** The current time. @default the system clock */
  readonly now?: () => Date;
}

export type TokenVerdict =
  | {
      readonly type: 'verified';
      /** Undefined if no claim names it, and groups may say it. */
      readonly workspace: string | undefined;
      readonly principal: string;
      /** Undefined if no claim lists any, and groups may give them. */
      readonly scopes: ReadonlySet<string> | undefined;
      /** Undefined if groups do not count. */
      readonly groups?: readonly string[];
      /** Seconds since 1970. */
      readonly expires: number;
    }
  /**
   * `signature`: not signed by the issuer with an accepted algorithm. `claims`: signed, but for another audience, not valid yet,
   * or without a required claim.
   */
  | { readonly type: 'refused'; readonly reason: 'form' | 'signature' | 'expired' | 'claims' }
  /** The key set cannot be loaded, so the token cannot be checked. */
  | { readonly type: 'unavailable'; readonly cause: unknown };

/** Never `none`, and never HMAC: an attacker could use the public key as the secret. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const MAX_TOKEN_LENGTH = 16 * 1024;
const MAX_NAME_LENGTH = 256;
const CLOCK_TOLERANCE = 30;
/** Milliseconds before an unknown key id causes another download of the key set. */
const COOL_DOWN = 30_000;
/** Milliseconds that a downloaded key set is used. */
const MAX_AGE = 600_000;
/** Milliseconds without a new attempt after a download has failed. */
const PAUSE = 5000;
/** The types of access tokens. An issuer also signs tokens for logging out and for other purposes. */
const TYPES = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
/** Claims of ID tokens and of tokens for logging out. Some issuers give them the type of all tokens. */
const FOREIGN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];
const FOREIGN_USES = new Set(['id', 'ID', 'Logout', 'Refresh']);
const FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** A fetch that pauses after a failure. Otherwise each request with a token would cause another attempt. */
function pausing(fetch: ReturnType<typeof standardFetch>, now: () => number): typeof fetch {
  let failure: { readonly at: number; readonly cause: unknown } | undefined;
  return async (url, request) => {
    if (failure !== undefined && now() - failure.at < PAUSE) throw failure.cause;
    try {
      const response = await fetch(url, request);
      if (response.status !== 200) throw new errors.JOSEError('The key set endpoint did not answer with status 200.');
      failure = undefined;
      return response;
    } catch (cause) {
      failure = { at: now(), cause };
      throw cause;
    }
  };
}

function keysOf({ keys }: TokenOptions): JWTVerifyGetKey {
  if (keys.type === 'static') return createLocalJWKSet(keys.set);
  return createRemoteJWKSet(new URL(keys.url), {
    [customFetch]: pausing(standardFetch(keys.fetch), () => performance.now()),
    cooldownDuration: COOL_DOWN,
    cacheMaxAge: MAX_AGE,
    timeoutDuration: 5000,
  });
}

function scopesIn(value: unknown): ReadonlySet<string> {
  const words = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  return new Set(words.filter((word): word is string => typeof word === 'string' && word !== ''));
}

/** A name that can be shown; undefined if a claim has none. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > MAX_NAME_LENGTH) return undefined;
  // Control, format and bidirectional characters could imitate another name where it is shown.
  return value.isWellFormed() && !/[\p{C}\p{Zl}\p{Zp}]/u.test(value) ? value : undefined;
}

/** Recognizes the claims of an access token, whatever its type is. */
function isForAccess(payload: JWTPayload): boolean {
  const isForeign = FOREIGN_CLAIMS.some((name) => Object.hasOwn(payload, name));
  return !isForeign && ![payload.token_use, payload.typ].some((use) => FOREIGN_USES.has(use as string));
}

/** The verdict for each error of `jose`. Any other error means that the key set could not be loaded or read. */
function verdictOf(cause: unknown): TokenVerdict {
  if (cause instanceof errors.JWTExpired) return { type: 'refused', reason: 'expired' };
  if (cause instanceof errors.JWTClaimValidationFailed) return { type: 'refused', reason: 'claims' };
  if (cause instanceof errors.JWSInvalid || cause instanceof errors.JWTInvalid)
    return { type: 'refused', reason: 'form' };
  const isUnsigned =
    cause instanceof errors.JWSSignatureVerificationFailed ||
    cause instanceof errors.JOSEAlgNotAllowed ||
    cause instanceof errors.JOSENotSupported ||
    cause instanceof errors.JWKSNoMatchingKey ||
    cause instanceof errors.JWKSMultipleMatchingKeys ||
    cause instanceof TypeError;
  return isUnsigned ? { type: 'refused', reason: 'signature' } : { type: 'unavailable', cause };
}

/** Verifies the access tokens of one issuer. */
export class TokenVerifier {
  readonly #options: TokenOptions;
  readonly #keys: JWTVerifyGetKey;

  constructor(options: TokenOptions) {
    if (options.issuer === '' || options.audience === '')
      throw new TypeError('`issuer` and `audience` must not be empty: otherwise any token would be accepted.');
    this.#options = options;
    this.#keys = keysOf(options);
  }

  async verify(token: string): Promise<TokenVerdict> {
    if (token.length > MAX_TOKEN_LENGTH || !FORM.test(token)) return { type: 'refused', reason: 'form' };
    const { issuer, audience, now } = this.#options;
    const seconds = (now?.() ?? new Date()).getTime() / 1000;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE,
        requiredClaims: ['exp', 'iss', 'aud'],
        ...(now === undefined ? {} : { currentDate: now() }),
      });
      const isAccessToken = TYPES.has(protectedHeader.typ?.toLowerCase()) && isForAccess(payload);
      const isFromFuture = payload.iat !== undefined && payload.iat > seconds + CLOCK_TOLERANCE;
      return isAccessToken && !isFromFuture ? this.#verified(payload) : { type: 'refused', reason: 'claims' };
    } catch (cause) {
      return verdictOf(cause);
    }
  }

  #verified(payload: JWTPayload): TokenVerdict {
    const { workspace: inWorkspace = 'workspace', scopes: inScopes = 'scope', ...names } = this.#options.claims ?? {};
    const { principal = 'sub', groups: inGroups } = names;
    const workspace = nameIn(payload[inWorkspace]);
    const subject = nameIn(payload[principal]);
    const isComplete = inGroups !== undefined && payload[inWorkspace] === undefined;
    if (subject === undefined || (workspace === undefined && !isComplete)) return { type: 'refused', reason: 'claims' };
    const claims = { workspace, principal: subject, expires: payload.exp as number };
    if (inGroups === undefined) return { type: 'verified', ...claims, scopes: scopesIn(payload[inScopes]) };
    // Some issuers name the claim `scp`. If it were overlooked, the token would have everything that its groups allow.
    const listed = payload[inScopes] ?? (inScopes === 'scope' ? payload.scp : undefined);
    const isListed = listed !== undefined || payload[inScopes] !== undefined;
    const scopes = isListed ? scopesIn(listed) : undefined;
    return { type: 'verified', ...claims, scopes, groups: groupsIn(payload[inGroups]) };
  }
}
