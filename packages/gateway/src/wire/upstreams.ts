import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import type { Config } from '../operate/config.ts';
import type { Log } from '../operate/log.ts';
import { withoutOrigin } from '../request-origin.ts';
import { UpstreamRoutes } from '../serve/upstream-routes.ts';
import { tokenStore } from '../store/secrets/tokens.ts';
import { AddressRules } from '../upstream/address.ts';
import { createFetch } from '../upstream/fetch.ts';
import type { Stores } from './stores.ts';

/** How a replica reaches servers, token endpoints and key sets. */
export interface Upstreams {
  readonly addresses: AddressRules;
  readonly fetch: GuardedFetch;
  readonly routes: UpstreamRoutes;
}

export function createUpstreams(config: Config, { servers, database, vault }: Stores, log: Log): Upstreams {
  const addresses = new AddressRules({ open: config.open });
  const fetch = createFetch(addresses);
  const routes = new UpstreamRoutes({
    servers,
    fetch,
    commands: config.commands,
    tokens: (workspace, server) => tokenStore(database, vault, workspace, server),
    // The line itself is untrusted content: only the fact that there was one is logged.
    onLog: (workspace, server) =>
      withoutOrigin(() => log.warn('child process wrote to standard error', { workspace, server })),
  });
  return { addresses, fetch, routes };
}
