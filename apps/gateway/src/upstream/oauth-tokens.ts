import { type GuardedFetch, UpstreamError } from '@sallyport/mcp-proxy/http';
import * as oauth from 'oauth4webapi';
import { standardFetch } from './fetch.ts';

export interface OAuthClient {
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the secret is sent. @default 'basic' */
  readonly secretIn?: 'basic' | 'body';
  readonly scope?: string;
  /** The URL of the server that the token is for (RFC 8707). */
  readonly resource?: string;
}

export interface Tokens {
  readonly access: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly refresh?: string;
}

/** Stored tokens. They are secret, so the store encrypts them. */
export interface StoredTokens {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** Stores tokens for all replicas. */
export interface TokenStore extends StoredTokens {
  /** Runs `work` while no other replica does: if two replicas use one refresh token at once, it becomes invalid. */
  exclusively<T>(work: (held: StoredTokens) => Promise<T>): Promise<T>;
}

/** Lifetime of a token in seconds if the endpoint does not state it. */
const DEFAULT_LIFETIME = 300;
/** Milliseconds before its expiry from which a token is not used any more. */
const MARGIN = 30_000;

export function isFresh(tokens: Tokens | undefined, now: number): tokens is Tokens {
  return tokens !== undefined && tokens.until - MARGIN > now;
}

/** Reads tokens as they are stored. */
export function tokensIn(text: string | undefined): Tokens | undefined {
  if (text === undefined) return undefined;
  try {
    const { access, until, refresh } = JSON.parse(text) as Partial<Tokens>;
    if (typeof access !== 'string' || typeof until !== 'number') return undefined;
    return { access, until, ...(typeof refresh === 'string' ? { refresh } : {}) };
  } catch {
    return undefined;
  }
}

/** The tokens of an endpoint's answer. If it has no new refresh token, the old one is kept. */
export function tokensOf(answer: oauth.TokenEndpointResponse, refresh: string | undefined, now: number): Tokens {
  const { access_token: access, expires_in: seconds = DEFAULT_LIFETIME, refresh_token: next = refresh } = answer;
  if (answer.token_type !== 'bearer' || !/^[\w.~+/-]{1,8000}=*$/.test(access))
    throw new UpstreamError('credentials', 'The token endpoint must issue a bearer token.');
  return { access, until: now + seconds * 1000, ...(next === undefined ? {} : { refresh: next }) };
}

export function authOf({ clientSecret, secretIn = 'basic' }: OAuthClient): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  return secretIn === 'basic' ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

/** Parameters of a token request beyond the grant. */
export function parametersOf({ scope, resource }: OAuthClient): Record<string, string> {
  return { ...(scope === undefined ? {} : { scope }), ...(resource === undefined ? {} : { resource }) };
}

/** The address rules of `fetch` decide whether http is allowed. */
export function requestOptions(fetch: GuardedFetch): oauth.TokenEndpointRequestOptions {
  return { [oauth.customFetch]: standardFetch(fetch), [oauth.allowInsecureRequests]: true };
}

/** An error without the endpoint's response, which may contain a secret. */
export function withoutResponse(cause: unknown, next: string): UpstreamError {
  if (UpstreamError.isInstance(cause)) return cause;
  const code = cause instanceof oauth.ResponseBodyError ? cause.error : '';
  // An error code of RFC 6749.
  const shown = /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : '';
  return new UpstreamError('credentials', `The token endpoint did not issue a token${shown}: ${next}`);
}
