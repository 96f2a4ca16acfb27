import { checkedHeaders, type GuardedFetch, UpstreamError } from '@sallyport/mcp-proxy/http';
import * as oauth from 'oauth4webapi';
import {
  authOf,
  isFresh,
  type OAuthClient,
  parametersOf,
  requestOptions,
  type TokenStore,
  type Tokens,
  tokensIn,
  tokensOf,
  withoutResponse,
} from './oauth-tokens.ts';
import type { PersonSettings } from './person-credentials.ts';

/** The gateway's own credentials for a server. A caller's token is never forwarded. */
export type CredentialSettings =
  | { readonly type: 'none' }
  | { readonly type: 'headers'; readonly headers: Readonly<Record<string, string>> }
  | ({ readonly type: 'client-credentials' } & OAuthClient)
  | ({ readonly type: 'refresh-token'; readonly refreshToken: string } & OAuthClient);

/** The settings of a server's credentials in a workspace. */
export type ServerCredentials = CredentialSettings | PersonSettings;

export interface CredentialsOptions {
  readonly settings: CredentialSettings;
  readonly fetch: GuardedFetch;
  readonly store: TokenStore;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

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
    return isFresh(tokens, this.#now());
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
    return store.exclusively(async (held) => {
      // Another replica may have renewed them meanwhile.
      const newer = tokensIn(await held.read());
      if (this.#isValid(newer) && newer.access !== refused) return this.#keep(newer);
      const granted = await this.#granted(settings, newer?.refresh);
      await held.write(JSON.stringify(granted));
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
      const failure = withoutResponse(cause, 'check the credentials of the server.');
      this.#failure = { at: this.#now(), cause: failure };
      throw failure;
    }
  }

  async #grant(settings: OAuthSettings, refresh: string | undefined): Promise<Tokens> {
    const { tokenEndpoint, clientId } = settings;
    const server = { issuer: new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint };
    const client = { client_id: clientId };
    const parameters = parametersOf(settings);
    const options = requestOptions(this.#options.fetch);
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
    return tokensOf(answer, refresh, this.#now());
  }
}

type OAuthSettings = Extract<CredentialSettings, OAuthClient>;
