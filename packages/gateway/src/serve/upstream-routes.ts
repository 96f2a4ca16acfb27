import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { CommandSetting } from '../operate/config.ts';
import type { Server, Servers } from '../store/servers.ts';
import { type CredentialSettings, Credentials, type TokenStore } from '../upstream/credentials.ts';
import { UpstreamError } from '../upstream/failure.ts';
import type { GuardedFetch } from '../upstream/fetch.ts';
import { HttpUpstream } from '../upstream/http.ts';
import { StdioUpstream } from '../upstream/stdio.ts';
import type { Reached } from './upstream-server.ts';

export interface ReachOptions {
  readonly servers: Servers;
  readonly fetch: GuardedFetch;
  /** By name: what may run as a child process here. */
  readonly commands: Readonly<Record<string, CommandSetting>>;
  readonly tokens: (workspace: string, server: string) => TokenStore;
  /** Lines of a child's standard error. Untrusted. */
  readonly onLog: (workspace: string, server: string, line: string) => void;
}

interface Kept {
  readonly digest: string;
  readonly reached: Reached;
  close(): Promise<void>;
}

const NONE: CredentialSettings = { type: 'none' };

/** The ways to all servers, kept as long as their settings stay as they are. */
export class Ways {
  readonly #options: ReachOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: ReachOptions) {
    this.#options = options;
  }

  /** Undefined where the workspace has no such server. */
  async to(workspace: string, name: string): Promise<Reached | undefined> {
    const { servers } = this.#options;
    const server = await servers.find(workspace, name);
    const credentials = ((await servers.credentials(workspace, name)) ?? NONE) as CredentialSettings;
    // From here on nobody comes in between.
    const key = JSON.stringify([workspace, name]);
    const known = this.#kept.get(key);
    if (server === undefined) {
      this.#kept.delete(key);
      void known?.close();
      return undefined;
    }
    const digest = digestText(canonicalJson([server, credentials]));
    if (known?.digest === digest) return known.reached;
    const made = { digest, ...this.#make(workspace, server, credentials) };
    this.#kept.set(key, made);
    void known?.close();
    return made.reached;
  }

  #make(workspace: string, server: Server, settings: CredentialSettings): Omit<Kept, 'digest'> {
    return server.kind === 'http' ? this.#http(workspace, server, settings) : this.#stdio(workspace, server);
  }

  #http(
    workspace: string,
    { name, url }: Extract<Server, { kind: 'http' }>,
    settings: CredentialSettings,
  ): Omit<Kept, 'digest'> {
    const { fetch, tokens } = this.#options;
    const credentials = new Credentials({ settings, fetch, store: tokens(workspace, name) });
    const upstream = new HttpUpstream({
      url,
      fetch,
      headers: () => credentials.headers(),
      renew: () => credentials.renew(),
    });
    return { reached: upstream, close: async () => undefined };
  }

  /** What runs on the gateway's machine, its operator says: a workspace only names it. */
  #stdio(workspace: string, { name, command }: Extract<Server, { kind: 'stdio' }>): Omit<Kept, 'digest'> {
    const { commands, onLog } = this.#options;
    const setting = Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (setting === undefined)
      throw new UpstreamError('process', 'The operator has not allowed this command: ask for it, or use a URL.');
    const upstream = new StdioUpstream({ ...setting, onLog: (line) => onLog(workspace, name, line) });
    const reached: Reached = {
      post: (text, { signal, caller }) => upstream.post(text, { signal, caller }),
      listen: ({ signal }) => upstream.listen({ signal }),
      end: async () => 204,
    };
    return { reached, close: () => upstream.close() };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map((each) => each.close()));
    this.#kept.clear();
  }
}
