import { fileURLToPath } from 'node:url';
import type { UpstreamAnswer } from '@sallyport/mcp-proxy/http';
import { ServerProcess } from '../../src/upstream/process.ts';
import type { ServerCommand } from '../../src/upstream/spawned-child.ts';
import { StdioUpstream, type StdioUpstreamOptions } from '../../src/upstream/stdio.ts';
import { all, signal } from './rig.ts';

/** A server that misbehaves on request. */
export const CHILD = fileURLToPath(new URL('./fixture/child.mjs', import.meta.url));
/** What the servers of the running test wrote to their logs. */
export const logs: string[] = [];
const open: StdioUpstream[] = [];

export const startOf =
  (command: ServerCommand, clock?: () => number): StdioUpstreamOptions['start'] =>
  async (events) =>
    new ServerProcess(command, events, clock);

export function start(
  env: Record<string, string> = {},
  args: readonly string[] = [CHILD],
  { cwd, ...options }: Pick<StdioUpstreamOptions, 'timer' | 'clock'> & { readonly cwd?: string } = {},
): StdioUpstream {
  const command = { command: process.execPath, args, env, ...(cwd && { cwd }) };
  const upstream = new StdioUpstream({
    start: startOf(command, options.clock),
    ...options,
    onLog: (line) => logs.push(line),
  });
  open.push(upstream);
  return upstream;
}

/** For `afterEach`. Each test file must register it, because test files share this module. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((upstream) => upstream.close()));
  logs.length = 0;
}

export const request = (id: unknown, method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const texts = async ({ messages }: UpstreamAnswer): Promise<string[]> =>
  (await all(messages)).map(({ text }) => text);

// biome-ignore lint/suspicious/noExplicitAny: the tests look at the messages of a server in many ways.
export const values = async (answer: UpstreamAnswer): Promise<any[]> =>
  (await texts(answer)).map((text) => JSON.parse(text));

export const ask = async (upstream: StdioUpstream, id: unknown, method: string, params: unknown = {}) =>
  values(await upstream.post(request(id, method, params), { signal: signal() }));
