import { HttpUpstream, type HttpUpstreamOptions, type UpstreamAnswer } from '@sallyport/mcp-proxy/http';
import { AddressRules } from '../../src/upstream/address.ts';
import { createFetch } from '../../src/upstream/fetch.ts';
import { all, type Local, serve } from './rig.ts';

/** Called by `cleanUp`, in reverse order. */
export const cleanups: (() => unknown)[] = [];

/** For `afterEach`. Each test file must register it, because test files share this module. */
export async function cleanUp(): Promise<void> {
  for (const clean of cleanups.splice(0).reverse()) await clean();
}

export function upstreamAt(origin: string, options: Partial<HttpUpstreamOptions> = {}): HttpUpstream {
  const fetch = createFetch(new AddressRules({ open: [origin] }));
  cleanups.push(() => fetch.close());
  return new HttpUpstream({ url: `${origin}/mcp`, fetch, headers: async () => ({}), ...options });
}

export async function local(listener: Parameters<typeof serve>[0]): Promise<Local> {
  const server = await serve(listener);
  cleanups.push(() => server.close());
  return server;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests look at the messages of a server in many ways.
export const values = async ({ messages }: UpstreamAnswer): Promise<any[]> =>
  (await all(messages)).filter(({ text }) => text !== '').map(({ text }) => JSON.parse(text));
