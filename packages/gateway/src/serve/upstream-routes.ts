import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { type GuardedFetch, HttpUpstream, UpstreamError } from '@sallyport/mcp-proxy/http';
import type { CommandSetting } from '../operate/commands.ts';
import type { Server, Servers } from '../store/servers.ts';
import { type CredentialSettings, Credentials, type TokenStore } from '../upstream/credentials.ts';
import { StdioUpstream } from '../upstream/stdio.ts';
import type { UpstreamServer } from './upstream-server.ts';

export interface UpstreamRoutesOptions {
  readonly servers: Servers;
  readonly fetch: GuardedFetch;
  /** The program that a workspace may run as a child process under a name. */
  readonly commandFor: CommandFor;
  readonly tokens: (workspace: string, server: string) => TokenStore;
  /** Called with each line of a child's standard error. Untrusted. */
  readonly onLog: (workspace: string, server: string, line: string) => void;
}

/** Undefined if the operator does not let the workspace use a command of that name. */
export type CommandFor = (workspace: string, name: string) => Promise<CommandSetting | undefined>;

interface Route {
  /** Digest of the settings that it was created from. */
  readonly digest: string;
  readonly server: UpstreamServer;
  close(): Promise<void>;
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
    const credentials = ((await servers.credentials(workspace, name)) ?? NONE) as CredentialSettings;
    const command = server?.kind === 'stdio' ? await this.#options.commandFor(workspace, server.command) : undefined;
    // Nothing below awaits, so two requests never create two routes.
    const key = JSON.stringify([workspace, name]);
    const current = this.#routes.get(key);
    if (server === undefined) {
      this.#routes.delete(key);
      void current?.close();
      return undefined;
    }
    const digest = digestText(canonicalJson([server, credentials]));
    if (current?.digest === digest) return current.server;
    const created = { digest, ...this.#create(workspace, server, credentials, command) };
    this.#routes.set(key, created);
    void current?.close();
    return created.server;
  }

  #create(
    workspace: string,
    server: Server,
    settings: CredentialSettings,
    command: CommandSetting | undefined,
  ): Omit<Route, 'digest'> {
    return server.kind === 'http' ? this.#http(workspace, server, settings) : this.#stdio(workspace, server, command);
  }

  #http(
    workspace: string,
    { name, url }: Extract<Server, { kind: 'http' }>,
    settings: CredentialSettings,
  ): Omit<Route, 'digest'> {
    const { fetch, tokens } = this.#options;
    const credentials = new Credentials({ settings, fetch, store: tokens(workspace, name) });
    const upstream = new HttpUpstream({
      url,
      fetch,
      headers: () => credentials.headers(),
      renew: () => credentials.renew(),
    });
    return { server: upstream, close: async () => undefined };
  }

  /** A workspace names a command; only the operator decides what runs under that name. */
  #stdio(workspace: string, { name }: Server, setting: CommandSetting | undefined): Omit<Route, 'digest'> {
    const { onLog } = this.#options;
    if (setting === undefined)
      throw new UpstreamError(
        'process',
        "The server's command is not in SALLYPORT_COMMANDS for this workspace: ask the operator to add it, or register a URL.",
      );
    const { command, args, env } = setting;
    const upstream = new StdioUpstream({ command, args, env, onLog: (line) => onLog(workspace, name, line) });
    const server: UpstreamServer = {
      post: (text, { signal, caller }) => upstream.post(text, { signal, caller }),
      listen: ({ signal }) => upstream.listen({ signal }),
      end: async () => 204,
    };
    return { server, close: () => upstream.close() };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#routes.values()].map((each) => each.close()));
    this.#routes.clear();
  }
}
