import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import type { Config } from '../operate/config.ts';
import type { Log } from '../operate/log.ts';
import type { Metrics } from '../operate/metrics.ts';
import { withoutOrigin } from '../request-origin.ts';
import { Connections, type Person } from '../serve/connect/connections.ts';
import { type CommandFor, UpstreamRoutes } from '../serve/upstream-routes.ts';
import { type PersonTokenStore, personTokenStore, tokenStore } from '../store/secrets/tokens.ts';
import { findWorkspace } from '../store/workspaces.ts';
import { AddressRules } from '../upstream/address.ts';
import { ChildPool } from '../upstream/children.ts';
import { createFetch } from '../upstream/fetch.ts';
import { createCommandFor } from './commands.ts';
import type { Stores } from './stores.ts';

/** How a replica reaches servers, token endpoints and key sets. */
export interface Upstreams {
  readonly addresses: AddressRules;
  readonly fetch: GuardedFetch;
  readonly routes: UpstreamRoutes;
  readonly commandFor: CommandFor;
  readonly connections: Connections;
}

export function createUpstreams(
  config: Config,
  { servers, database, vault, claims }: Stores,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): Upstreams {
  const addresses = new AddressRules({ open: config.open });
  const fetch = createFetch(addresses, { onBusy: () => metrics.shed('upstream') });
  metrics.watchUpstreams(fetch.open);
  const commandFor = createCommandFor(config.children, (name) => findWorkspace(database, name));
  const { publicUrl } = config;
  const personTokens = (person: Person): PersonTokenStore => personTokenStore(database, vault, person);
  const connections = new Connections({
    servers,
    claims,
    fetch,
    publicUrl,
    keys: config.keysFor('connections'),
    tokens: personTokens,
  });
  const routes = new UpstreamRoutes({
    servers,
    fetch,
    commandFor,
    pool: new ChildPool({ max: config.children.max, idle: config.children.idle * 1000 }),
    personTokens,
    publicUrl,
    tokens: (workspace, server) => tokenStore(database, vault, workspace, server),
    // The line itself is untrusted content: only the fact that there was one is logged.
    onLog: (workspace, server) =>
      withoutOrigin(() => log.warn('child process wrote to standard error', { workspace, server })),
  });
  return { addresses, fetch, routes, commandFor, connections };
}
