import { randomUUID } from 'node:crypto';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { type GuardedFetch, UpstreamError } from '@sallyport/mcp-proxy/http';
import * as oauth from 'oauth4webapi';
import type { Claims } from '../../store/claims.ts';
import { StoreError } from '../../store/errors.ts';
import type { Caller } from '../../store/secrets/keys.ts';
import type { Logins } from '../../store/secrets/logins.ts';
import type { Person, PersonConnection, PersonTokens } from '../../store/secrets/person-tokens.ts';
import type { Servers } from '../../store/servers.ts';
import type { ServerCredentials } from '../../upstream/credentials.ts';
import { authOf, parametersOf, requestOptions, tokensOf, withoutResponse } from '../../upstream/oauth-tokens.ts';
import { authorizationServer, type PersonSettings, tokenBinding } from '../../upstream/person-credentials.ts';
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
  readonly tokens: PersonTokens;
  /** The sessions of people; undefined if no provider is configured. */
  readonly logins: Pick<Logins, 'find'> | undefined;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

export const CALLBACK = '/oauth/callback';
/** Milliseconds that a person has to log in. */
const LIFETIME = 600_000;
export const AGAIN = 'begin again with POST /api/v1/servers/{name}/connection.';

/** Connects accounts of persons with servers, by OAuth with PKCE. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #now: () => number;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The address at which the person logs in. `session` is the secret of the login session that the caller was identified by, if any. */
  async begin(
    { workspace, principal, person = principal }: Caller,
    server: string,
    session: string | undefined,
  ): Promise<{ readonly url: string }> {
    const { url: address, settings } = await this.#settingsOf(workspace, server);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = sealState(
      {
        workspace,
        principal,
        person,
        ...(session === undefined ? {} : { session: digestText(session) }),
        server,
        settings: digestText(canonicalJson([address, settings])),
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

  /**
   * Finds the person for an answer of the authorization server. Throws if it is not the answer to a question of this
   * gateway, or if it came to the browser of someone else. `session` is the secret of the browser's login session.
   */
  async personOf(answer: URLSearchParams, session: string | undefined): Promise<Person> {
    const { workspace, server, principal } = await this.#stateIn(answer, session);
    return { workspace, server, principal };
  }

  /** Takes the answer of the authorization server, which the person has confirmed. It counts once. */
  async finish(answer: URLSearchParams, session: string | undefined): Promise<void> {
    const state = await this.#stateIn(answer, session);
    const { workspace, server, id, until, verifier } = state;
    const { url, settings } = await this.#settingsOf(workspace, server);
    if (digestText(canonicalJson([url, settings])) !== state.settings)
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
    await this.#options.tokens.of(state, tokenBinding(url, settings)).connect(JSON.stringify(tokens));
  }

  async remove({ workspace, principal }: Caller, server: string): Promise<void> {
    if ((await this.#options.tokens.end({ workspace, server, principal }, principal)) === 0)
      throw new StoreError('missing', 'Your account is not connected with this server.');
  }

  /** The connections of all persons of a workspace. */
  list(workspace: string): Promise<readonly PersonConnection[]> {
    return this.#options.tokens.list(workspace);
  }

  /** Ends the connections of another person, with one server or with all. Returns their number. */
  end({ workspace, principal: by }: Caller, principal: string, server?: string): Promise<number> {
    return this.#options.tokens.end({ workspace, principal, ...(server === undefined ? {} : { server }) }, by);
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

  async #stateIn(answer: URLSearchParams, session: string | undefined): Promise<ConnectionState> {
    const state = openState(answer.get('state') ?? '', this.#options.keys);
    if (state === undefined || state.until < this.#now())
      throw new StoreError('invalid', `This login was not begun here, or has expired: ${AGAIN}`);
    if (!(await this.#isOwnBrowser(state, session)))
      throw new StoreError(
        'forbidden',
        `This browser is not logged in as ${state.person}, or not since this was begun: log in at ${this.#options.publicUrl}/login, then ${AGAIN}`,
      );
    return state;
  }

  /** Checks that the person who began uses this browser. A link sent to a victim would connect the victim's account. */
  async #isOwnBrowser({ person, session: begunIn }: ConnectionState, session: string | undefined): Promise<boolean> {
    const { logins } = this.#options;
    // Where it is not known who logs in, the page asks.
    if (begunIn === undefined && (logins === undefined || !person.startsWith('sub:'))) return true;
    if (session === undefined || (begunIn !== undefined && digestText(session) !== begunIn)) return false;
    return (await logins?.find(session))?.principal === person;
  }

  async #settingsOf(workspace: string, name: string): Promise<{ url: string; settings: PersonSettings }> {
    const { servers } = this.#options;
    const server = await servers.find(workspace, name);
    if (server === undefined)
      throw new StoreError('missing', 'There is no server of that name: GET /api/v1/servers lists them.');
    const settings = (await servers.credentials(workspace, name)) as ServerCredentials | undefined;
    if (server.kind !== 'http' || settings?.type !== 'person')
      throw new StoreError('invalid', 'This server does not use accounts of persons: there is nothing to connect.');
    return { url: server.url, settings };
  }
}
