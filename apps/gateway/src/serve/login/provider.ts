import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import * as oauth from 'oauth4webapi';
import type { LoginSetting } from '../../operate/identity.ts';
import { standardFetch } from '../../upstream/fetch.ts';
import { groupsIn } from '../auth/groups.ts';
import { nameIn } from '../auth/token.ts';

export interface LoginProviderOptions {
  readonly setting: LoginSetting;
  /** Where the provider sends people back to. */
  readonly redirectUri: string;
  readonly fetch: GuardedFetch;
  /** A monotonic clock, in milliseconds. @default performance.now */
  readonly clock?: () => number;
}

/** The values that prove one login. */
export interface Proof {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Tokens {
  readonly claims: oauth.IDToken;
  readonly accessToken: string;
}

/** A person whom the provider vouches for. */
export interface Person {
  readonly subject: string;
  readonly groups: readonly string[];
  /** Set if neither the ID token nor userinfo has the claim of the groups. */
  readonly lacksGroups: boolean;
}

/** The provider, or what came from it, does not prove who the person is. The message is for the person. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused';
}

/** The provider's userinfo cannot be read, so a person's groups are not known. */
class UserinfoError extends Error {
  override readonly name = 'UserinfoError';
}

/** Milliseconds that the provider's metadata are used. */
const MAX_AGE = 600_000;
/** Milliseconds without a new attempt after they could not be read. */
const PAUSE = 5000;

/** Errors that say what is wrong with a login. All others mean that the provider cannot be reached. */
function isRefusal(cause: unknown): boolean {
  return (
    cause instanceof oauth.AuthorizationResponseError ||
    cause instanceof oauth.ResponseBodyError ||
    cause instanceof oauth.OperationProcessingError ||
    cause instanceof oauth.UnsupportedOperationError
  );
}

/** The organisation's OpenID provider: authorization code with PKCE. */
export class LoginProvider {
  readonly #options: LoginProviderOptions;
  readonly #client: oauth.Client;
  readonly #http: { [oauth.customFetch]: ReturnType<typeof standardFetch>; [oauth.allowInsecureRequests]: boolean };
  #metadata: { readonly value: Promise<oauth.AuthorizationServer>; readonly until: number } | undefined;

  constructor(options: LoginProviderOptions) {
    this.#options = options;
    const { setting, fetch: guarded } = options;
    this.#client = { client_id: setting.clientId };
    this.#http = {
      [oauth.customFetch]: standardFetch(guarded),
      // Only the operator can allow an issuer without TLS, by its origin in SALLYPORT_OPEN.
      [oauth.allowInsecureRequests]: new URL(setting.issuer).protocol === 'http:',
    };
  }

  #server(): Promise<oauth.AuthorizationServer> {
    const clock = this.#options.clock ?? performance.now.bind(performance);
    if (this.#metadata !== undefined && clock() < this.#metadata.until) return this.#metadata.value;
    const issuer = new URL(this.#options.setting.issuer);
    const value = oauth
      .discoveryRequest(issuer, { algorithm: 'oidc', ...this.#http })
      .then((response) => oauth.processDiscoveryResponse(issuer, response));
    this.#metadata = { value, until: clock() + MAX_AGE };
    value.catch(() => {
      this.#metadata = { value, until: clock() + PAUSE };
    });
    return value;
  }

  /** Where to send a person who logs in, and what their return is proved with. */
  async begin(): Promise<{ readonly url: string; readonly proof: Proof }> {
    const { setting, redirectUri } = this.#options;
    const { authorization_endpoint: endpoint } = await this.#server();
    if (endpoint === undefined) throw new Error('The provider has no authorization endpoint.');
    const proof = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
    };
    const url = new URL(endpoint);
    const parameters = {
      client_id: setting.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: setting.scope,
      state: proof.state,
      nonce: proof.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(proof.verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href, proof };
  }

  /** The person who has come back with these parameters. Throws `LoginRefused` if they do not prove it. */
  async finish(proof: Proof, returned: URLSearchParams): Promise<Person> {
    try {
      const { claims, accessToken } = await this.#tokens(proof, returned);
      const subject = nameIn(claims.sub);
      if (subject === undefined)
        throw new LoginRefused('The provider names this person with characters that are not allowed.');
      const { groupsClaim } = this.#options.setting;
      const given = claims[groupsClaim] ?? (await this.#userinfo(claims.sub, accessToken))[groupsClaim];
      return { subject, groups: groupsIn(given), lacksGroups: given === undefined };
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      throw new LoginRefused('The provider did not confirm this login.', { cause });
    }
  }

  async #tokens({ state, nonce, verifier }: Proof, returned: URLSearchParams): Promise<Tokens> {
    const { redirectUri } = this.#options;
    const server = await this.#server();
    const parameters = oauth.validateAuthResponse(server, this.#client, returned, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      this.#client,
      this.#authentication(server),
      parameters,
      redirectUri,
      verifier,
      this.#http,
    );
    const options = { expectedNonce: nonce, requireIdToken: true };
    const result = await oauth.processAuthorizationCodeResponse(server, this.#client, response, options);
    await oauth.validateApplicationLevelSignature(server, response, this.#http);
    return { claims: oauth.getValidatedIdTokenClaims(result) as oauth.IDToken, accessToken: result.access_token };
  }

  /** The claims of userinfo: many ID tokens have only the subject. Empty if the provider has no userinfo. */
  async #userinfo(subject: string, accessToken: string): Promise<Readonly<Record<string, unknown>>> {
    const server = await this.#server();
    if (server.userinfo_endpoint === undefined) return {};
    const response = await oauth.userInfoRequest(server, this.#client, accessToken, this.#http);
    if (response.status !== 200) throw new UserinfoError(`The provider's userinfo answers ${response.status}.`);
    const claims = await oauth.processUserInfoResponse(server, this.#client, subject, response);
    const isSigned = response.headers.get('content-type')?.startsWith('application/jwt') === true;
    if (isSigned) await oauth.validateApplicationLevelSignature(server, response, this.#http);
    return claims;
  }

  #authentication({ token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer): oauth.ClientAuth {
    const { clientSecret } = this.#options.setting;
    if (clientSecret === undefined) return oauth.None();
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return isBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
  }
}
