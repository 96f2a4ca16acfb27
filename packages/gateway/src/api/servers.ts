import type { CommandSetting } from '../operate/config.ts';
import { StoreError } from '../store/errors.ts';
import type { Server, ServerPlace, Servers } from '../store/servers.ts';
import type { AddressRules } from '../upstream/address.ts';
import { type CredentialSettings, Credentials } from '../upstream/credentials.ts';
import type { GuardedFetch } from '../upstream/fetch.ts';
import { listOf, NAME, objectOf, type Route, route, type Schema, TEXT } from './route.ts';

export interface ServerRouteOptions {
  readonly servers: Servers;
  readonly addresses: AddressRules;
  readonly fetch: GuardedFetch;
  readonly commands: Readonly<Record<string, CommandSetting>>;
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
  description: 'What the gateway shows to the server. Absent: as before, where the address stays. Null: none.',
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
  ],
};

const PLACE: Schema = {
  oneOf: [
    objectOf({ kind: { const: 'http' }, url: URL_TEXT, 'credentials?': CREDENTIALS }),
    objectOf({ kind: { const: 'stdio' }, command: { ...WORD, description: 'A name that the operator has given.' } }),
  ],
};

const shared = { name: NAME, hasCredentials: { type: 'boolean' } };
const SERVER: Schema = {
  oneOf: [
    objectOf({ ...shared, kind: { const: 'http' }, url: TEXT }),
    objectOf({ ...shared, kind: { const: 'stdio' }, command: TEXT }),
  ],
};

type PlaceBody =
  | { readonly kind: 'http'; readonly url: string; readonly credentials?: CredentialSettings | null }
  | { readonly kind: 'stdio'; readonly command: string };

/** Nothing but what the document names: credentials are never given back. */
function shownOf(server: Server): unknown {
  const { name, hasCredentials } = server;
  return server.kind === 'http'
    ? { name, hasCredentials, kind: server.kind, url: server.url }
    : { name, hasCredentials, kind: server.kind, command: server.command };
}

const NO_STORE = {
  read: async () => undefined,
  write: async () => undefined,
  alone: <T>(work: () => Promise<T>) => work(),
};

/** The servers of the workspace. */
export function serverRoutes({ servers, addresses, fetch, commands }: ServerRouteOptions): readonly Route[] {
  async function checkCredentials(settings: CredentialSettings): Promise<void> {
    // Refuses headers that cannot be sent. It asks nobody.
    new Credentials({ settings, fetch, store: NO_STORE });
    if ('tokenEndpoint' in settings) await addresses.check(settings.tokenEndpoint);
  }

  /** Where it may be: an address that the gateway connects to, or a command of the operator's. */
  async function placeOf(body: PlaceBody): Promise<ServerPlace> {
    if (body.kind === 'http') {
      await addresses.check(body.url);
      if (body.credentials != null) await checkCredentials(body.credentials);
      return { kind: 'http', url: body.url };
    }
    if (!Object.hasOwn(commands, body.command))
      throw new StoreError('invalid', 'The operator has not allowed this command: ask for it, or use a URL.');
    return { kind: 'stdio', command: body.command, args: [], env: {} };
  }

  return [
    route({
      method: 'get',
      path: '/servers',
      name: 'listServers',
      summary: 'All servers, without their credentials',
      scope: 'admin',
      answer: { status: 200, description: 'By name', schema: objectOf({ servers: listOf(SERVER) }) },
      handle: async ({ caller }) => ({ servers: (await servers.list(caller.workspace)).map(shownOf) }),
    }),
    route<PlaceBody>({
      method: 'put',
      path: '/servers/{name}',
      name: 'putServer',
      summary: 'Adds a server, or changes it',
      scope: 'admin',
      parameters: { name: NAME },
      body: PLACE,
      answer: { status: 204, description: 'It can be reached at /mcp/{name}' },
      async handle({ caller: { workspace, principal }, parameters: { name = '' }, body }) {
        const credentials = body.kind === 'http' ? body.credentials : undefined;
        await servers.set(workspace, name, await placeOf(body), principal, credentials);
      },
    }),
    route({
      method: 'delete',
      path: '/servers/{name}',
      name: 'removeServer',
      summary: 'Removes a server. What is pinned of it stays',
      scope: 'admin',
      parameters: { name: NAME },
      answer: { status: 204, description: 'It is gone' },
      handle: ({ caller: { workspace, principal }, parameters: { name = '' } }) =>
        servers.remove(workspace, name, principal),
    }),
  ];
}
