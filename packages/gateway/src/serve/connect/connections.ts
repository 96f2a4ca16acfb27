import { randomUUID } from 'node:crypto';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { type GuardedFetch, UpstreamError } from '@sallyport/mcp-proxy/http';
import * as oauth from 'oauth4webapi';
import type { Claims } from '../../store/claims.ts';
import { StoreError } from '../../store/errors.ts';
import type { Caller } from '../../store/secrets/keys.ts';
import type { PersonTokenStore } from '../../store/secrets/tokens.ts';
import type { Servers } from '../../store/servers.ts';
import type { ServerCredentials } from '../../upstream/credentials.ts';
import { authOf, parametersOf, requestOptions, tokensOf, withoutResponse } from '../../upstream/oauth-tokens.ts';
import { authorizationServer, type PersonSettings } from '../../upstream/person-credentials.ts';
import { type ConnectionState, openState, sealState } from './connection-state.ts';

export interface ConnectionsOptions {
  readonly servers: Servers;
  readonly claims: Claims;
  /** Reaches what the workspace may. */
  readonly fetchFor: (workspace: string) => Promise<GuardedFetch>;
  /** The keys that seal what is remembered meanwhile. */
  readonly keys: readonly Uint8Array[];
  /** Where callers reach the gateway. */
  readonly publicUrl: string;
  readonly tokens: (person: Person) => PersonTokenStore;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

/** A principal and a server that they connect their account with. */
export interface Person {
  readonly workspace: string;
  readonly server: string;
  readonly principal: string;
}

export const CALLBACK = '/oauth/callback';
/** Milliseconds that a person has to log in. */
const LIFETIME = 600_000;
const AGAIN = 'begin again with POST /api/v1/servers/{name}/connection.';

/** Connects accounts of persons with servers, by OAuth with PKCE. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #now: () => number;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The address at which the person logs in. */
  async begin({ workspace, principal }: Caller, server: string): Promise<{ readonly url: string }> {
    const settings = await this.#settingsOf(workspace, server);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = sealState(
      {
        workspace,
        principal,
        server,
        settings: digestText(canonicalJson(settings)),
        verifier,
        id: randomUUID(),
        until: this.#now() + LIFETIME,
      },
      this.#options.keys,
    );
    const url = new URL(settings.authorizationEndpoint);
    const parameters = {
      response_type: 'code',
      client_id: settings.clientId,
      redirect_uri: this.#redirectUri,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...parametersOf(settings),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href };
  }

  /** Whom an answer of the authorization server is for. Throws if it is not the answer to a question of this gateway. */
  personOf(answer: URLSearchParams): Person {
    const { workspace, server, principal } = this.#stateIn(answer);
    return { workspace, server, principal };
  }

  /** Takes the answer of the authorization server, which the person has confirmed. It counts once. */
  async finish(answer: URLSearchParams): Promise<void> {
    const state = this.#stateIn(answer);
    const { workspace, server, id, until, verifier } = state;
    const settings = await this.#settingsOf(workspace, server);
    if (digestText(canonicalJson(settings)) !== state.settings)
      throw new StoreError('invalid', `The settings of the server have changed meanwhile: ${AGAIN}`);
    if (!(await this.#options.claims.claim(workspace, id, until)))
      throw new StoreError('invalid', `This login was used already: ${AGAIN}`);
    const as = authorizationServer(settings);
    const client = { client_id: settings.clientId };
    const tokens = await this.#exchange(workspace, settings, async (options) => {
      const checked = oauth.validateAuthResponse(as, client, answer, answer.get('state') ?? '');
      const auth = authOf(settings);
      const uri = this.#redirectUri;
      const response = await oauth.authorizationCodeGrantRequest(as, client, auth, checked, uri, verifier, options);
      return oauth.processAuthorizationCodeResponse(as, client, response);
    });
    await this.#options.tokens(state).connect(JSON.stringify(tokens));
  }

  async remove({ workspace, principal }: Caller, server: string): Promise<void> {
    if (!(await this.#options.tokens({ workspace, server, principal }).disconnect()))
      throw new StoreError('missing', 'Your account is not connected with this server.');
  }

  get #redirectUri(): string {
    return `${this.#options.publicUrl}${CALLBACK}`;
  }

  async #exchange(
    workspace: string,
    settings: PersonSettings,
    ask: (options: oauth.TokenEndpointRequestOptions) => Promise<oauth.TokenEndpointResponse>,
  ): Promise<unknown> {
    const { resource } = parametersOf(settings);
    const additionalParameters = { ...(resource === undefined ? {} : { resource }) };
    try {
      const fetch = await this.#options.fetchFor(workspace);
      const answer = await ask({ ...requestOptions(fetch), additionalParameters });
      return tokensOf(answer, undefined, this.#now());
    } catch (cause) {
      const denied = cause instanceof oauth.AuthorizationResponseError;
      throw denied
        ? new UpstreamError('credentials', `The login was refused: ${AGAIN}`)
        : withoutResponse(cause, AGAIN);
    }
  }

  #stateIn(answer: URLSearchParams): ConnectionState {
    const state = openState(answer.get('state') ?? '', this.#options.keys);
    if (state === undefined || state.until < this.#now())
      throw new StoreError('invalid', `This login was not begun here, or has expired: ${AGAIN}`);
    return state;
  }

  async #settingsOf(workspace: string, server: string): Promise<PersonSettings> {
    const { servers } = this.#options;
    if ((await servers.find(workspace, server)) === undefined)
      throw new StoreError('missing', 'There is no server of that name: GET /api/v1/servers lists them.');
    const settings = (await servers.credentials(workspace, server)) as ServerCredentials | undefined;
    if (settings?.type !== 'person')
      throw new StoreError('invalid', 'This server does not use accounts of persons: there is nothing to connect.');
    return settings;
  }
}
