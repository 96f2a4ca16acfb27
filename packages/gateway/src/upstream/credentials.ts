import { checkedHeaders, type GuardedFetch, UpstreamError } from '@sallyport/mcp-proxy/http';
import * as oauth from 'oauth4webapi';
import { standardFetch } from './fetch.ts';

interface OAuthClient {
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the secret is sent. @default 'basic' */
  readonly secretIn?: 'basic' | 'body';
  readonly scope?: string;
  /** The URL of the server that the token is for (RFC 8707). */
  readonly resource?: string;
}

/** The gateway's own credentials for a server. A caller's token is never forwarded. */
export type CredentialSettings =
  | { readonly type: 'none' }
  | { readonly type: 'headers'; readonly headers: Readonly<Record<string, string>> }
  | ({ readonly type: 'client-credentials' } & OAuthClient)
  | ({ readonly type: 'refresh-token'; readonly refreshToken: string } & OAuthClient);

/** Stores tokens for all replicas. They are secret, so the store encrypts them. */
export interface TokenStore {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  /** Runs `work` while no other replica does: if two replicas use one refresh token at once, it becomes invalid. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

export interface CredentialsOptions {
  readonly settings: CredentialSettings;
  readonly fetch: GuardedFetch;
  readonly store: TokenStore;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

interface Tokens {
  readonly access: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly refresh?: string;
}

/** Lifetime of a token in seconds if the endpoint does not state it. */
const DEFAULT_LIFETIME = 300;
/** Milliseconds before its expiry from which a token is not used any more. */
const MARGIN = 30_000;
/** Milliseconds without a new attempt after the endpoint has failed. */
const PAUSE = 5000;
/** Headers that describe the request itself, and must not be set as credentials. */
const RESERVED =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept.*|last-event-id|mcp-.*|proxy-.*|forwarded|x-forwarded-.*)$/;

function staticHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked = checkedHeaders(headers);
  const reserved = Object.keys(checked).find((name) => RESERVED.test(name));
  if (reserved !== undefined)
    throw new UpstreamError('header', `The header ${reserved} is set by the gateway: remove it from the credentials.`);
  return checked;
}

function tokensIn(text: string | undefined): Tokens | undefined {
  if (text === undefined) return undefined;
  try {
    const { access, until, refresh } = JSON.parse(text) as Partial<Tokens>;
    if (typeof access !== 'string' || typeof until !== 'number') return undefined;
    return { access, until, ...(typeof refresh === 'string' ? { refresh } : {}) };
  } catch {
    return undefined;
  }
}

/** The credential headers for one server. Tokens are renewed before they expire. */
export class Credentials {
  readonly #options: CredentialsOptions;
  readonly #now: () => number;
  readonly #fixed: Record<string, string>;
  #tokens: Tokens | undefined;
  #renewing: Promise<Tokens> | undefined;
  #failure: { readonly at: number; readonly cause: unknown } | undefined;

  constructor(options: CredentialsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const { settings } = options;
    this.#fixed = settings.type === 'headers' ? staticHeaders(settings.headers) : {};
  }

  async headers(): Promise<Record<string, string>> {
    const { settings } = this.#options;
    if (settings.type === 'none' || settings.type === 'headers') return { ...this.#fixed };
    const tokens = this.#isValid(this.#tokens) ? this.#tokens : await this.#once(settings, undefined);
    return { authorization: `Bearer ${tokens.access}` };
  }

  /** Renews the tokens after the server has refused them. Returns whether they are different now. */
  async renew(): Promise<boolean> {
    const { settings } = this.#options;
    if (settings.type === 'none' || settings.type === 'headers') return false;
    const refused = this.#tokens?.access;
    this.#tokens = undefined;
    return (await this.#once(settings, refused)).access !== refused;
  }

  #isValid(tokens: Tokens | undefined): tokens is Tokens {
    return tokens !== undefined && tokens.until - MARGIN > this.#now();
  }

  /** Concurrent requests for a token share one request to the endpoint. */
  #once(settings: OAuthSettings, refused: string | undefined): Promise<Tokens> {
    this.#renewing ??= this.#obtain(settings, refused).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #obtain(settings: OAuthSettings, refused: string | undefined): Promise<Tokens> {
    const { store } = this.#options;
    const kept = tokensIn(await store.read());
    if (this.#isValid(kept) && kept.access !== refused) return this.#keep(kept);
    return store.exclusively(async () => {
      // Another replica may have renewed them meanwhile.
      const newer = tokensIn(await store.read());
      if (this.#isValid(newer) && newer.access !== refused) return this.#keep(newer);
      const granted = await this.#granted(settings, newer?.refresh);
      await store.write(JSON.stringify(granted));
      return this.#keep(granted);
    });
  }

  #keep(tokens: Tokens): Tokens {
    this.#tokens = tokens;
    return tokens;
  }

  async #granted(settings: OAuthSettings, refresh: string | undefined): Promise<Tokens> {
    if (this.#failure !== undefined && this.#now() - this.#failure.at < PAUSE) throw this.#failure.cause;
    try {
      const tokens = await this.#grant(settings, refresh);
      this.#failure = undefined;
      return tokens;
    } catch (cause) {
      // The cause quotes the endpoint's response, which may contain a secret, so it is not attached.
      const code = oauthCode(cause);
      const failure = UpstreamError.isInstance(cause)
        ? cause
        : new UpstreamError(
            'credentials',
            `The token endpoint did not issue a token${code}: check the credentials of the server.`,
          );
      this.#failure = { at: this.#now(), cause: failure };
      throw failure;
    }
  }

  async #grant(settings: OAuthSettings, refresh: string | undefined): Promise<Tokens> {
    const { tokenEndpoint, clientId, scope, resource } = settings;
    const server = { issuer: new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint };
    const client = { client_id: clientId };
    const parameters = { ...(scope === undefined ? {} : { scope }), ...(resource === undefined ? {} : { resource }) };
    const options = {
      [oauth.customFetch]: standardFetch(this.#options.fetch),
      // The address rules decide whether http is allowed.
      [oauth.allowInsecureRequests]: true,
    };
    let answer: oauth.TokenEndpointResponse;
    if (settings.type === 'client-credentials') {
      const response = await oauth.clientCredentialsGrantRequest(server, client, authOf(settings), parameters, options);
      answer = await oauth.processClientCredentialsResponse(server, client, response);
    } else {
      const used = refresh ?? settings.refreshToken;
      const asked = { ...options, additionalParameters: parameters };
      const response = await oauth.refreshTokenGrantRequest(server, client, authOf(settings), used, asked);
      answer = await oauth.processRefreshTokenResponse(server, client, response);
    }
    return this.#tokensOf(answer, refresh);
  }

  #tokensOf(answer: oauth.TokenEndpointResponse, refresh: string | undefined): Tokens {
    const { access_token: access, expires_in: seconds = DEFAULT_LIFETIME, refresh_token: next = refresh } = answer;
    if (answer.token_type !== 'bearer' || !/^[\w.~+/-]{1,8000}=*$/.test(access))
      throw new UpstreamError('credentials', 'The token endpoint must issue a bearer token.');
    return { access, until: this.#now() + seconds * 1000, ...(next === undefined ? {} : { refresh: next }) };
  }
}

type OAuthSettings = Extract<CredentialSettings, OAuthClient>;

function authOf({ clientSecret, secretIn = 'basic' }: OAuthClient): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  return secretIn === 'basic' ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

/** The error code of RFC 6749, in parentheses. */
function oauthCode(cause: unknown): string {
  const code = cause instanceof oauth.ResponseBodyError ? cause.error : '';
  return /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : '';
}
