import * as oauth from 'oauth4webapi';
import { UpstreamError } from './failure.ts';
import { type GuardedFetch, standardFetch } from './fetch.ts';
import { checkedHeaders } from './header.ts';

interface OAuthClient {
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the secret is sent. @default basic */
  readonly secretIn?: 'basic' | 'body';
  readonly scope?: string;
  /** The URL of the server that the token is for (RFC 8707). */
  readonly resource?: string;
}

/** What the gateway presents itself with at a server. It is the gateway's own: a caller's token goes nowhere. */
export type CredentialSettings =
  | { readonly type: 'none' }
  | { readonly type: 'headers'; readonly headers: Readonly<Record<string, string>> }
  | ({ readonly type: 'client-credentials' } & OAuthClient)
  | ({ readonly type: 'refresh-token'; readonly refreshToken: string } & OAuthClient);

/** Where tokens are kept, for all replicas. What is kept is secret: the store encrypts it. */
export interface TokenStore {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  /** Runs the work while no other replica does: two that use one refresh token at once lose it. */
  alone<T>(work: () => Promise<T>): Promise<T>;
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

/** Seconds that a token counts for where the endpoint does not say. */
const UNSAID = 300;
/** Milliseconds before its end in which a token is not used any more. */
const MARGIN = 30_000;
/** Milliseconds without a new try when the endpoint gave none. */
const PAUSE = 5000;
/** These say what is sent, to whom and how, and are not for credentials. */
const RESERVED =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept.*|last-event-id|mcp-.*|proxy-.*|forwarded|x-forwarded-.*)$/;

function staticHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const checked = checkedHeaders(headers);
  const reserved = Object.keys(checked).find((name) => RESERVED.test(name));
  if (reserved !== undefined)
    throw new UpstreamError(
      'header',
      `The header ${reserved} is the gateway's to send: take it out of the credentials.`,
    );
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

/** The headers for one server, with tokens that are renewed before they end. */
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
    const tokens = this.#isFresh(this.#tokens) ? this.#tokens : await this.#once(settings, undefined);
    return { authorization: `Bearer ${tokens.access}` };
  }

  /** The server refused these. True where there are others now. */
  async renew(): Promise<boolean> {
    const { settings } = this.#options;
    if (settings.type === 'none' || settings.type === 'headers') return false;
    const refused = this.#tokens?.access;
    this.#tokens = undefined;
    return (await this.#once(settings, refused)).access !== refused;
  }

  #isFresh(tokens: Tokens | undefined): tokens is Tokens {
    return tokens !== undefined && tokens.until - MARGIN > this.#now();
  }

  /** All who need a token at the same time wait for one request. */
  #once(settings: OAuthSettings, refused: string | undefined): Promise<Tokens> {
    this.#renewing ??= this.#obtain(settings, refused).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #obtain(settings: OAuthSettings, refused: string | undefined): Promise<Tokens> {
    const { store } = this.#options;
    const kept = tokensIn(await store.read());
    if (this.#isFresh(kept) && kept.access !== refused) return this.#keep(kept);
    return store.alone(async () => {
      // Another replica may have been first.
      const newer = tokensIn(await store.read());
      if (this.#isFresh(newer) && newer.access !== refused) return this.#keep(newer);
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
      // The cause holds what the endpoint said, and may hold a secret: it is not handed on.
      const code = oauthCode(cause);
      const failure = UpstreamError.isInstance(cause)
        ? cause
        : new UpstreamError(
            'credentials',
            `The token endpoint gave no token${code}: see the credentials of the server.`,
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
      // Whether http is allowed is for the address rules to say.
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
    const { access_token: access, expires_in: seconds = UNSAID, refresh_token: next = refresh } = answer;
    if (answer.token_type !== 'bearer' || !/^[\w.~+/-]{1,8000}=*$/.test(access))
      throw new UpstreamError('credentials', 'The token endpoint gave a token of another kind than bearer.');
    return { access, until: this.#now() + seconds * 1000, ...(next === undefined ? {} : { refresh: next }) };
  }
}

type OAuthSettings = Extract<CredentialSettings, OAuthClient>;

function authOf({ clientSecret, secretIn = 'basic' }: OAuthClient): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  return secretIn === 'basic' ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

/** The error code of RFC 6749: one of a few words. */
function oauthCode(cause: unknown): string {
  const said = cause instanceof oauth.ResponseBodyError ? cause.error : '';
  return /^[a-z_]{1,40}$/.test(said) ? ` (${said})` : '';
}
