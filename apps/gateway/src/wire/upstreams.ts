import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import type { Config } from '../operate/config.ts';
import type { Log } from '../operate/log.ts';
import type { Metrics } from '../operate/metrics.ts';
import { withoutOrigin } from '../request-origin.ts';
import { Connections } from '../serve/connect/connections.ts';
import { type CommandFor, UpstreamRoutes } from '../serve/upstream-routes.ts';
import { PersonTokens } from '../store/secrets/person-tokens.ts';
import { tokenStore } from '../store/secrets/tokens.ts';
import { findWorkspace } from '../store/workspaces.ts';
import { AddressRules } from '../upstream/address.ts';
import { ChildPool } from '../upstream/children.ts';
import { type CountedFetch, createFetch } from '../upstream/fetch.ts';
import { createCommandFor } from './commands.ts';
import type { Stores } from './stores.ts';

/** How a replica reaches servers, token endpoints and key sets. */
export interface Upstreams {
  /** The addresses that the servers of a workspace may have. */
  readonly addressesFor: (workspace: string) => Promise<AddressRules>;
  /** Reaches what a workspace may. */
  readonly fetchFor: (workspace: string) => Promise<GuardedFetch>;
  /** Reaches what all workspaces may, for token endpoints, key sets and the feed of the operator. */
  readonly fetch: GuardedFetch;
  close(): Promise<void>;
  readonly routes: UpstreamRoutes;
  readonly commandFor: CommandFor;
  readonly connections: Connections;
}

type IdOf = (name: string) => Promise<string | undefined>;

/** Finds workspaces by the names in the settings. A name never moves to another workspace. */
function createIdOf(database: Stores['database']): IdOf {
  const ids = new Map<string, string>();
  return async (name) => {
    const id = ids.get(name) ?? (await findWorkspace(database, name));
    if (id !== undefined) ids.set(name, id);
    return id;
  };
}

/** The network access of one workspace. */
interface Network {
  readonly addresses: AddressRules;
  readonly fetch: CountedFetch;
}

function createNetwork(open: readonly string[], onBusy: () => void): Network {
  const addresses = new AddressRules({ open });
  return { addresses, fetch: createFetch(addresses, { onBusy }) };
}

/** The networks of the workspaces for which the operator has opened addresses, and the one of all others. */
class Networks {
  readonly shared: Network;
  readonly #own: ReadonlyMap<string, Network>;
  readonly #idOf: IdOf;

  constructor({ open, openFor }: Config, idOf: IdOf, onBusy: () => void) {
    this.#idOf = idOf;
    this.shared = createNetwork(open, onBusy);
    this.#own = new Map(Object.entries(openFor).map(([name, own]) => [name, createNetwork([...open, ...own], onBusy)]));
  }

  async of(workspace: string): Promise<Network> {
    for (const [name, network] of this.#own) if ((await this.#idOf(name)) === workspace) return network;
    return this.shared;
  }

  get #all(): readonly Network[] {
    return [this.shared, ...this.#own.values()];
  }

  /** The open calls and streams of all servers. */
  readonly open = (): { readonly calls: number; readonly streams: number } => {
    const all = this.#all.map(({ fetch }) => fetch.open());
    const sum = (kind: 'calls' | 'streams'): number => all.reduce((total, each) => total + each[kind], 0);
    return { calls: sum('calls'), streams: sum('streams') };
  };

  async close(): Promise<void> {
    await Promise.all(this.#all.map(({ fetch }) => fetch.close()));
  }
}

export function createUpstreams(
  config: Config,
  { servers, database, vault, claims, logins }: Stores,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): Upstreams {
  const idOf = createIdOf(database);
  const networks = new Networks(config, idOf, () => metrics.shed('upstream'));
  metrics.watchUpstreams(networks.open);
  const fetchFor = async (workspace: string): Promise<GuardedFetch> => (await networks.of(workspace)).fetch;
  const commandFor = createCommandFor(config.children, idOf);
  const { publicUrl } = config;
  const personTokens = new PersonTokens(database, vault);
  const connections = new Connections({
    servers,
    claims,
    fetchFor,
    publicUrl,
    keys: config.keysFor('connections'),
    tokens: personTokens,
    logins: config.login === undefined ? undefined : logins,
  });
  const routes = new UpstreamRoutes({
    servers,
    fetchFor,
    commandFor,
    pool: new ChildPool({ ...config.children, idle: config.children.idle * 1000 }),
    personTokens,
    publicUrl,
    tokens: (workspace, server) => tokenStore(database, vault, workspace, server),
    // The line itself is untrusted content: only the fact that there was one is logged.
    onLog: (workspace, server) =>
      withoutOrigin(() => log.warn('child process wrote to standard error', { workspace, server })),
  });
  return {
    addressesFor: async (workspace) => (await networks.of(workspace)).addresses,
    fetchFor,
    fetch: networks.shared.fetch,
    routes,
    commandFor,
    connections,
    close: () => networks.close(),
  };
}
