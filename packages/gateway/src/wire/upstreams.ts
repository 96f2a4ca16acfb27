import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import type { Config } from '../operate/config.ts';
import type { Log } from '../operate/log.ts';
import type { Metrics } from '../operate/metrics.ts';
import { withoutOrigin } from '../request-origin.ts';
import { type CommandFor, UpstreamRoutes } from '../serve/upstream-routes.ts';
import { tokenStore } from '../store/secrets/tokens.ts';
import { findWorkspace } from '../store/workspaces.ts';
import { AddressRules } from '../upstream/address.ts';
import { createFetch } from '../upstream/fetch.ts';
import type { Stores } from './stores.ts';

/** How a replica reaches servers, token endpoints and key sets. */
export interface Upstreams {
  readonly addresses: AddressRules;
  readonly fetch: GuardedFetch;
  readonly routes: UpstreamRoutes;
  readonly commandFor: CommandFor;
}

/** Finds commands by the names of the workspaces that may use them. A name never moves to another workspace. */
function createCommandFor({ commands }: Config, database: Stores['database']): CommandFor {
  const ids = new Map<string, string>();
  const idOf = async (name: string): Promise<string | undefined> => {
    const id = ids.get(name) ?? (await findWorkspace(database, name));
    if (id !== undefined) ids.set(name, id);
    return id;
  };
  return async (workspace, name) => {
    const setting = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (setting === undefined || setting.workspaces.includes('*')) return setting;
    const owners = await Promise.all(setting.workspaces.map(idOf));
    return owners.includes(workspace) ? setting : undefined;
  };
}

export function createUpstreams(
  config: Config,
  { servers, database, vault }: Stores,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): Upstreams {
  const addresses = new AddressRules({ open: config.open });
  const fetch = createFetch(addresses, { onBusy: () => metrics.shed('upstream') });
  metrics.watchUpstreams(fetch.open);
  const commandFor = createCommandFor(config, database);
  const routes = new UpstreamRoutes({
    servers,
    fetch,
    commandFor,
    tokens: (workspace, server) => tokenStore(database, vault, workspace, server),
    // The line itself is untrusted content: only the fact that there was one is logged.
    onLog: (workspace, server) =>
      withoutOrigin(() => log.warn('child process wrote to standard error', { workspace, server })),
  });
  return { addresses, fetch, routes, commandFor };
}
