import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import type { CommandFor } from '../serve/upstream-routes.ts';
import { StoreError } from '../store/errors.ts';
import type { Server, ServerLocation, Servers } from '../store/servers.ts';
import type { AddressRules } from '../upstream/address.ts';
import { Credentials, type ServerCredentials } from '../upstream/credentials.ts';
import type { StoredTokens, TokenStore } from '../upstream/oauth-tokens.ts';
import { listOf, NAME, objectOf, type Route, route, type Schema, TEXT } from './route/route.ts';

export interface ServerRouteOptions {
  readonly servers: Servers;
  readonly addressesFor: (workspace: string) => Promise<AddressRules>;
  readonly fetch: GuardedFetch;
  readonly commandFor: CommandFor;
}

const SECRET: Schema = { type: 'string', minLength: 1, maxLength: 8192, writeOnly: true };
const URL_TEXT: Schema = { type: 'string', minLength: 1, maxLength: 2048 };
const WORD: Schema = { type: 'string', minLength: 1, maxLength: 1024 };

const CLIENT = {
  tokenEndpoint: URL_TEXT,
  clientId: WORD,
  'clientSecret?': SECRET,
  'secretIn?': { enum: ['basic', 'body'] },
  'scope?': WORD,
  'resource?': URL_TEXT,
};

const CREDENTIALS: Schema = {
  description: "The gateway's credentials for the server. Absent: unchanged if the address is unchanged. Null: none.",
  writeOnly: true,
  oneOf: [
    { type: 'null' },
    objectOf({ type: { const: 'none' } }),
    objectOf({
      type: { const: 'headers' },
      headers: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string', maxLength: 8192 } },
    }),
    objectOf({ type: { const: 'client-credentials' }, ...CLIENT }),
    objectOf({ type: { const: 'refresh-token' }, refreshToken: SECRET, ...CLIENT }),
    objectOf({ type: { const: 'person' }, issuer: URL_TEXT, authorizationEndpoint: URL_TEXT, ...CLIENT }),
  ],
};

const LOCATION: Schema = {
  oneOf: [
    objectOf({ kind: { const: 'http' }, url: URL_TEXT, 'credentials?': CREDENTIALS }),
    objectOf({ kind: { const: 'stdio' }, command: { ...WORD, description: 'A name from SALLYPORT_COMMANDS.' } }),
  ],
};

const shared = { name: NAME, hasCredentials: { type: 'boolean' } };
const SERVER: Schema = {
  oneOf: [
    objectOf({ ...shared, kind: { const: 'http' }, url: TEXT }),
    objectOf({ ...shared, kind: { const: 'stdio' }, command: TEXT }),
  ],
};

type LocationBody =
  | { readonly kind: 'http'; readonly url: string; readonly credentials?: ServerCredentials | null }
  | { readonly kind: 'stdio'; readonly command: string };

/** Only the properties in the document: credentials are never returned. */
function publicServer(server: Server): unknown {
  const { name, hasCredentials } = server;
  return server.kind === 'http'
    ? { name, hasCredentials, kind: server.kind, url: server.url }
    : { name, hasCredentials, kind: server.kind, command: server.command };
}

const NO_TOKENS: StoredTokens = { read: async () => undefined, write: async () => undefined };
const NO_STORE: TokenStore = { ...NO_TOKENS, exclusively: (work) => work(NO_TOKENS) };

/** The servers of the workspace. */
export function serverRoutes({ servers, addressesFor, fetch, commandFor }: ServerRouteOptions): readonly Route[] {
  async function checkCredentials(settings: ServerCredentials, addresses: AddressRules): Promise<void> {
    if (settings.type === 'person') await addresses.check(settings.authorizationEndpoint);
    // The constructor throws if a header cannot be sent. It sends nothing.
    else new Credentials({ settings, fetch, store: NO_STORE });
    if ('tokenEndpoint' in settings) await addresses.check(settings.tokenEndpoint);
  }

  /** Checks that the location is an allowed address, or a command that the workspace may use. */
  async function locationOf(workspace: string, body: LocationBody): Promise<ServerLocation> {
    if (body.kind === 'http') {
      const addresses = await addressesFor(workspace);
      await addresses.check(body.url);
      if (body.credentials != null) await checkCredentials(body.credentials, addresses);
      return { kind: 'http', url: body.url };
    }
    if ((await commandFor(workspace, body.command)) === undefined)
      throw new StoreError(
        'invalid',
        'The command is not in SALLYPORT_COMMANDS for this workspace: ask the operator to add it, or use a URL.',
      );
    return { kind: 'stdio', command: body.command, args: [], env: {} };
  }

  return [
    route({
      method: 'get',
      path: '/servers',
      name: 'listServers',
      summary: 'Lists all servers, without their credentials',
      scope: 'admin',
      answer: { status: 200, description: 'Sorted by name', schema: objectOf({ servers: listOf(SERVER) }) },
      handle: async ({ caller }) => ({ servers: (await servers.list(caller.workspace)).map(publicServer) }),
    }),
    route<LocationBody>({
      method: 'put',
      path: '/servers/{name}',
      name: 'putServer',
      summary: 'Adds or changes a server',
      scope: 'admin',
      parameters: { name: NAME },
      body: LOCATION,
      answer: { status: 204, description: 'The server is available at /mcp/{name}' },
      async handle({ caller: { workspace, principal }, parameters: { name = '' }, body }) {
        const credentials = body.kind === 'http' ? body.credentials : undefined;
        await servers.set(workspace, name, await locationOf(workspace, body), principal, credentials);
      },
    }),
    route({
      method: 'delete',
      path: '/servers/{name}',
      name: 'removeServer',
      summary: 'Removes a server. Its pins are kept',
      scope: 'admin',
      parameters: { name: NAME },
      answer: { status: 204, description: 'The server was removed' },
      handle: ({ caller: { workspace, principal }, parameters: { name = '' } }) =>
        servers.remove(workspace, name, principal),
    }),
  ];
}
