// The ways to reach a server: directly, through a proxy that only copies bytes, or through ours, on this machine or over HTTP.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, typescriptOptions } from '../../../tools/command.mjs';

export const TARGETS = ['direct', 'bare', 'frame', 'annotate', 'remote'] as const;
export type Target = (typeof TARGETS)[number];
export type Command = readonly [string, ...string[]];

export const isOurs = (target: Target): boolean => target !== 'direct' && target !== 'bare';

const ownFile = (file: string): string => join(root, 'apps', 'cli', 'conformance', file);
const inModules = (...path: string[]): string => join(root, 'node_modules', ...path);
const fixture = (file: string): Command => [process.execPath, ...typescriptOptions, ownFile(join('fixture', file))];
const official = (name: string): Command => [
  process.execPath,
  inModules('@modelcontextprotocol', `server-${name}`, 'dist', 'index.js'),
];

export const SERVERS = {
  v1: fixture('v1.ts'),
  v2: fixture('v2.ts'),
  raw: fixture('raw.ts'),
  fastmcp: fixture('fastmcp.ts'),
  everything: official('everything'),
  filesystem: official('filesystem'),
  memory: official('memory'),
} as const satisfies Record<string, Command>;
export type ServerName = keyof typeof SERVERS;

/** The command that serves a fixture over HTTP, and prints its port; undefined for servers that only speak stdio. */
export function overHttp(name: ServerName): Command | undefined {
  if (name === 'v1' || name === 'v2' || name === 'raw') return [...SERVERS[name], '--http'];
  return name === 'everything' ? [process.execPath, ownFile(join('http', 'everything.mjs'))] : undefined;
}

/** The program that completes a login as a person would. */
export const browser: string = ownFile(join('http', 'browser.mjs'));

/** A proxy that copies bytes and forwards signals. */
export const bareProxy: string = ownFile('bare.mjs');

export const CLI: string = join(root, 'apps', 'cli', 'dist', 'main.js');
export const hasWrap = (): boolean => existsSync(CLI);

/** The command that starts the server at this target. Options are those of `wrap`. */
export function commandFor(target: Target, server: Command, options: readonly string[] = []): Command {
  if (target === 'direct') return server;
  if (target === 'bare') return [process.execPath, bareProxy, ...server];
  const mode = target === 'annotate' ? ['--mode', 'annotate'] : [];
  return [process.execPath, CLI, 'wrap', '--server', 'fixture', ...mode, ...options, ...server];
}

/** The same command, with its input and output recorded in files of this name. */
export function recorded(file: string, command: Command): Command {
  return [process.execPath, ownFile('tee.mjs'), file, ...command];
}
