import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { type GuardedFetch, HttpUpstream, UpstreamError } from '@sallyport/mcp-proxy/http';
import type { PersonTokens } from '../store/secrets/person-tokens.ts';
import type { Server, Servers } from '../store/servers.ts';
import { type ChildPool, ServerChildren } from '../upstream/children.ts';
import { type CredentialSettings, Credentials, type ServerCredentials } from '../upstream/credentials.ts';
import type { TokenStore } from '../upstream/oauth-tokens.ts';
import { PersonCredentials, type PersonSettings, tokenBinding } from '../upstream/person-credentials.ts';
import type { StartChild } from '../upstream/process.ts';
import type { UpstreamServer } from './upstream-server.ts';

export interface UpstreamRoutesOptions {
  readonly servers: Servers;
  /** Reaches what the workspace may. */
  readonly fetchFor: (workspace: string) => Promise<GuardedFetch>;
  /** The program that a workspace may run as a child process under a name. */
  readonly commandFor: CommandFor;
  readonly pool: ChildPool;
  readonly tokens: (workspace: string, server: string) => TokenStore;
  readonly personTokens: Pick<PersonTokens, 'of'>;
  /** Where callers reach the gateway. */
  readonly publicUrl: string;
  /** Called with each line of a child's standard error. Untrusted. */
  readonly onLog: (workspace: string, server: string, line: string) => void;
}

/** A program that a workspace may run. */
export interface AllowedCommand {
  /** Lets principals share one process. */
  readonly isStateless: boolean;
  readonly start: StartChild;
}

/** Undefined if the operator does not let the workspace use a command of that name. */
export type CommandFor = (workspace: string, name: string) => Promise<AllowedCommand | undefined>;

interface Route {
  /** Digest of the settings that it was created from. */
  readonly digest: string;
  readonly server: UpstreamServer;
  /** Set if all principals reach the same process or account. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

interface RouteSettings {
  readonly credentials: ServerCredentials;
  readonly command: AllowedCommand | undefined;
  readonly fetch: GuardedFetch;
}

const NONE: CredentialSettings = { type: 'none' };

/** The connections to all servers. One is replaced when the server's settings change. */
export class UpstreamRoutes {
  readonly #options: UpstreamRoutesOptions;
  readonly #routes = new Map<string, Route>();

  constructor(options: UpstreamRoutesOptions) {
    this.#options = options;
  }

  /** Undefined if the workspace has no server of that name. */
  async find(workspace: string, name: string): Promise<UpstreamServer | undefined> {
    const { servers } = this.#options;
    const server = await servers.find(workspace, name);
    const credentials = ((await servers.credentials(workspace, name)) ?? NONE) as ServerCredentials;
    const fetch = await this.#options.fetchFor(workspace);
    const key = JSON.stringify([workspace, name]);
    if (server === undefined) {
      this.#drop(key);
      return undefined;
    }
    const digest = digestText(canonicalJson([server, credentials]));
    const isCurrent = (route: Route | undefined): route is Route => route?.digest === digest;
    const known = this.#routes.get(key);
    if (isCurrent(known)) return known.server;
    const command = server.kind === 'stdio' ? await this.#options.commandFor(workspace, server.command) : undefined;
    // Another request may have created it. Nothing below awaits, so two requests never create two routes.
    const current = this.#routes.get(key);
    if (isCurrent(current)) return current.server;
    this.#drop(key);
    const created = { digest, ...this.#create(workspace, server, { credentials, command, fetch }) };
    this.#routes.set(key, created);
    return created.server;
  }

  /** Checks that all principals reach the same process or account of a server that was found. */
  isShared(workspace: string, name: string): boolean {
    return this.#routes.get(JSON.stringify([workspace, name]))?.isShared ?? false;
  }

  #drop(key: string): void {
    const route = this.#routes.get(key);
    this.#routes.delete(key);
    void route?.close();
  }

  #create(workspace: string, server: Server, { credentials, command, fetch }: RouteSettings): Omit<Route, 'digest'> {
    if (server.kind === 'stdio') return this.#stdio(workspace, server, command);
    return credentials.type === 'person'
      ? this.#personal(workspace, server, credentials, fetch)
      : this.#http(workspace, server, credentials, fetch);
  }

  #http(
    workspace: string,
    { name, url }: Extract<Server, { kind: 'http' }>,
    settings: CredentialSettings,
    fetch: GuardedFetch,
  ): Omit<Route, 'digest'> {
    const { tokens } = this.#options;
    const credentials = new Credentials({ settings, fetch, store: tokens(workspace, name) });
    const upstream = new HttpUpstream({
      url,
      fetch,
      headers: () => credentials.headers(),
      renew: () => credentials.renew(),
    });
    return { server: upstream, isShared: true, close: async () => undefined };
  }

  /** Calls of each principal carry the token of this principal. */
  #personal(
    workspace: string,
    { name, url }: Extract<Server, { kind: 'http' }>,
    settings: PersonSettings,
    fetch: GuardedFetch,
  ): Omit<Route, 'digest'> {
    const { personTokens, publicUrl } = this.#options;
    const next = `send POST ${publicUrl}/api/v1/servers/${name}/connection with a key of yours that has the scope \`approve:own\`, and open the address in the answer.`;
    const binding = tokenBinding(url, settings);
    const upstreamOf = (principal: string): HttpUpstream => {
      const store = personTokens.of({ workspace, server: name, principal }, binding);
      const credentials = new PersonCredentials({ settings, fetch, store, next });
      const renew = (): Promise<boolean> => credentials.renew();
      return new HttpUpstream({ url, fetch, headers: () => credentials.headers(), renew });
    };
    const server: UpstreamServer = {
      post: (text, request) => upstreamOf(request.principal).post(text, request),
      listen: (request) => upstreamOf(request.principal).listen(request),
      end: (request) => upstreamOf(request.principal).end(request),
    };
    return { server, isShared: false, close: async () => undefined };
  }

  /** A workspace names a command; only the operator decides what runs under that name. */
  #stdio(workspace: string, { name }: Server, command: AllowedCommand | undefined): Omit<Route, 'digest'> {
    const { onLog, pool } = this.#options;
    if (command === undefined)
      throw new UpstreamError(
        'process',
        "The server's command is not in SALLYPORT_COMMANDS for this workspace: ask the operator to add it, or register a URL.",
      );
    const { isStateless } = command;
    const start: StartChild = (events) =>
      command.start(events).catch((cause: unknown) => {
        // The launcher may have been started with other commands: the next request asks it again.
        if (UpstreamError.isInstance(cause) && cause.code === 'launcher') this.#drop(JSON.stringify([workspace, name]));
        throw cause;
      });
    const children = new ServerChildren({
      ...{ pool, workspace, isStateless, start },
      onLog: (line) => onLog(workspace, name, line),
    });
    const server: UpstreamServer = {
      post: (text, request) => children.post(text, request),
      listen: (request) => children.listen(request),
      end: async () => 204,
    };
    return { server, isShared: isStateless, close: () => children.close() };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#routes.values()].map((each) => each.close()));
    this.#routes.clear();
  }
}
