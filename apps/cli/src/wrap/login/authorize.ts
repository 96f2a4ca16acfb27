import { randomBytes } from 'node:crypto';
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { loginCommand } from '../../address.ts';
import { CommandError } from '../../terminal-text.ts';
import { listenForCallback } from './callback.ts';
import type { Challenge } from './challenge.ts';
import type { Login } from './login-files.ts';
import { mayContact, oauthFetch } from './oauth-fetch.ts';

/** The client that a server's operator registered by hand, for servers that register none by themselves. */
export interface OwnClient {
  readonly id: string;
  readonly secret?: string;
}

export interface AuthorizeOptions {
  readonly url: URL;
  readonly challenge: Challenge;
  readonly client?: OwnClient;
  /** The port that the browser returns to. @default 0: any free one */
  readonly port?: number;
  /** Shows the user where to log in. */
  readonly show: (url: URL) => void;
  readonly signal: AbortSignal;
}

/** The library's storage during one login. */
class Memory {
  verifier = '';
  client: StoredOAuthClientInformation | undefined;
  tokens: StoredOAuthTokens | undefined;
  discovery: OAuthDiscoveryState | undefined;
  page: URL | undefined;
}

function providerFor(memory: Memory, redirectUrl: string, state: () => string): OAuthClientProvider {
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Sallyport',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: memory.client?.client_secret === undefined ? 'none' : 'client_secret_basic',
    },
    state,
    clientInformation: () => memory.client,
    saveClientInformation: (client) => {
      memory.client = client;
    },
    tokens: () => memory.tokens,
    saveTokens: (tokens) => {
      memory.tokens = tokens;
    },
    redirectToAuthorization: (page) => {
      memory.page = page;
    },
    saveCodeVerifier: (verifier) => {
      memory.verifier = verifier;
    },
    codeVerifier: () => memory.verifier,
    discoveryState: () => memory.discovery,
    saveDiscoveryState: (discovery) => {
      memory.discovery = discovery;
    },
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'tokens') memory.tokens = undefined;
    },
  };
}

function failed(url: URL, why: string): CommandError {
  return new CommandError(`the login at ${url.host} failed: ${why}`, `try again with: ${loginCommand(url)}`);
}

/** The library's errors quote the other side, so only their kind is told. */
function reasonOf(cause: unknown): string {
  if (cause instanceof CommandError) return cause.message;
  const { name = '', code } = cause as { readonly name?: string; readonly code?: unknown };
  const isRegistration = name === 'RegistrationRejectedError' || /dynamic client registration/.test(String(cause));
  if (isRegistration)
    return 'the server does not register clients automatically; register one there and pass its id with --client-id.';
  if (name === 'IssuerMismatchError' || name === 'AuthorizationServerMismatchError')
    return 'the answer came from a different authorization server.';
  const shown = typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : '';
  return `the authorization server did not issue a token${shown}.`;
}

/** Logs in with the browser, and returns what is needed from then on. */
export async function authorize(options: AuthorizeOptions): Promise<Login> {
  const { url, challenge, client, port = 0, show, signal } = options;
  const state = randomBytes(32).toString('base64url');
  const callback = await listenForCallback(state, port).catch(() => {
    throw new CommandError(`port ${port} on this machine is in use.`, 'choose another one with --port.', 2);
  });
  const memory = new Memory();
  if (client !== undefined)
    memory.client = { client_id: client.id, ...(client.secret === undefined ? {} : { client_secret: client.secret }) };
  const provider = providerFor(memory, callback.url, () => state);
  const { auth } = await import('@modelcontextprotocol/client');
  const asked = {
    serverUrl: url,
    fetchFn: oauthFetch(url),
    ...(challenge.metadata === undefined ? {} : { resourceMetadataUrl: challenge.metadata }),
    ...(challenge.scope === undefined ? {} : { scope: challenge.scope }),
  };
  try {
    await auth(provider, asked);
    const { page } = memory;
    if (page === undefined || !mayContact(page, url)) throw failed(url, 'its login page has no secure address.');
    show(page);
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(failed(url, 'it was not completed in the browser.')), {
        once: true,
      });
    });
    const { code, issuer } = await Promise.race([callback.received, stopped]);
    if (code === undefined) throw failed(url, 'it was refused in the browser.');
    await auth(provider, { ...asked, authorizationCode: code, ...(issuer === undefined ? {} : { iss: issuer }) });
  } catch (cause) {
    throw cause instanceof CommandError ? cause : failed(url, reasonOf(cause));
  } finally {
    callback.close();
  }
  const { client: used, tokens, discovery } = memory;
  if (used === undefined || tokens === undefined || discovery === undefined) throw failed(url, 'no token was issued.');
  return { client: used, tokens, discovery, redirectUrl: callback.url };
}

/** New tokens for a login; undefined if the user has to log in again. */
export async function renewed(url: URL, login: Login): Promise<Login | undefined> {
  if (login.tokens.refresh_token === undefined) return undefined;
  const memory = new Memory();
  Object.assign(memory, { client: login.client, tokens: login.tokens, discovery: login.discovery });
  const provider = providerFor(memory, login.redirectUrl, () => '');
  const { auth } = await import('@modelcontextprotocol/client');
  const result = await auth(provider, { serverUrl: url, fetchFn: oauthFetch(url) }).catch(() => 'FAILED');
  const { client, tokens, discovery } = memory;
  if (result !== 'AUTHORIZED' || client === undefined || tokens === undefined || discovery === undefined)
    return undefined;
  return { ...login, client, tokens, discovery };
}
