import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { type GuardedFetch, UpstreamError } from '@sallyport/mcp-proxy/http';
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

/** Each person has tokens of their own, from an authorization server. */
export interface PersonSettings extends OAuthClient {
  readonly type: 'person';
  /** Identifies the authorization server in its answers (RFC 9207). */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
}

export interface PersonCredentialsOptions {
  readonly settings: PersonSettings;
  readonly fetch: GuardedFetch;
  /** The tokens of this person. */
  readonly store: TokenStore;
  /** Says how to connect. */
  readonly next: string;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

/**
 * Digest of what tokens belong to: the server that gets them, and the authorization server and client that they were issued by and
 * to. Under other settings they must not be sent.
 */
export function tokenBinding(url: string, settings: PersonSettings): string {
  const { issuer, authorizationEndpoint, tokenEndpoint, clientId, resource = null } = settings;
  return digestText(canonicalJson({ url, issuer, authorizationEndpoint, tokenEndpoint, clientId, resource }));
}

export function authorizationServer({
  issuer,
  authorizationEndpoint,
  tokenEndpoint,
}: PersonSettings): oauth.AuthorizationServer {
  return { issuer, authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint };
}

/** The credential headers of one person for one server. Nothing is kept in memory, so that a removed connection ends at once. */
export class PersonCredentials {
  readonly #options: PersonCredentialsOptions;
  readonly #now: () => number;
  #used: string | undefined;

  constructor(options: PersonCredentialsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  async headers(): Promise<Record<string, string>> {
    const stored = tokensIn(await this.#options.store.read());
    // Fails before it waits for the lock, which occupies a connection to the database.
    if (!isFresh(stored, this.#now())) this.#refreshOf(stored);
    const { access } = isFresh(stored, this.#now()) ? stored : await this.#refreshed(undefined);
    this.#used = access;
    return { authorization: `Bearer ${access}` };
  }

  /** Renews the tokens after the server has refused them. Returns whether they are different now. */
  async renew(): Promise<boolean> {
    const refused = this.#used;
    this.#refreshOf(tokensIn(await this.#options.store.read()));
    return (await this.#refreshed(refused)).access !== refused;
  }

  /** The token to refresh with. Throws if there is none. */
  #refreshOf(stored: Tokens | undefined): string {
    const { next } = this.#options;
    if (stored === undefined)
      throw new UpstreamError('credentials', `You have not connected your account for this server: ${next}`);
    if (stored.refresh === undefined)
      throw new UpstreamError('credentials', `The connection of your account for this server has ended: ${next}`);
    return stored.refresh;
  }

  #refreshed(refused: string | undefined): Promise<Tokens> {
    return this.#options.store.exclusively(async (held) => {
      const stored = tokensIn(await held.read());
      // Another request may have renewed them meanwhile.
      if (isFresh(stored, this.#now()) && stored.access !== refused) return stored;
      const granted = await this.#grant(this.#refreshOf(stored));
      await held.write(JSON.stringify(granted));
      return granted;
    });
  }

  async #grant(refresh: string): Promise<Tokens> {
    const { settings, fetch, next } = this.#options;
    const server = authorizationServer(settings);
    const client = { client_id: settings.clientId };
    const options = { ...requestOptions(fetch), additionalParameters: parametersOf(settings) };
    try {
      const response = await oauth.refreshTokenGrantRequest(server, client, authOf(settings), refresh, options);
      return tokensOf(await oauth.processRefreshTokenResponse(server, client, response), refresh, this.#now());
    } catch (cause) {
      throw withoutResponse(cause, next);
    }
  }
}
