import { createServer, type Socket } from 'node:net';
import type { CommandSetting } from '../operate/commands.ts';
import type { Log } from '../operate/log.ts';
import { type LaunchAnswer, type LaunchRequest, readFirstLine } from '../upstream/launch-protocol.ts';
import { SpawnedChild } from '../upstream/spawned-child.ts';
import type { LauncherConfig } from './launcher-config.ts';
import { listenAt } from './socket-file.ts';

export interface LauncherOptions {
  /** Settings of the launcher, from `readLauncherConfig`. */
  readonly config: LauncherConfig;
  /** Receives log lines, from `createLog`. */
  readonly log: Log;
}

/** Starts MCP servers for gateways. It knows no key and no database. */
export interface Launcher {
  /** Accepts connections at the socket. */
  listen(): Promise<void>;
  /** Ends all child processes. */
  close(): Promise<void>;
}

/** Milliseconds in which a connection must say what it wants. */
const FIRST_LINE_TIME = 5000;
/** Milliseconds to send the last output of a child. */
const SENDING_TIME = 1000;

function requestIn(line: string): LaunchRequest | undefined {
  try {
    const { launch, command, start } = JSON.parse(line) as Partial<LaunchRequest>;
    if (launch !== 1 || typeof command !== 'string') return undefined;
    if (start === undefined) return { launch, command };
    return typeof start.workspace === 'string' ? { launch, command, start } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates a launcher. Run it as another user than the gateway, or in another container.
 *
 * @example
 * ```ts
 * const config = readLauncherConfig(process.env);
 * const launcher = createLauncher({ config, log: createLog(config.logLevel) });
 * await launcher.listen();
 * process.once('SIGTERM', () => void launcher.close());
 * ```
 */
export function createLauncher({ config, log }: LauncherOptions): Launcher {
  const children = new Set<SpawnedChild>();
  const sockets = new Set<Socket>();

  function refusalOf(setting: CommandSetting, start: NonNullable<LaunchRequest['start']>): LaunchAnswer | undefined {
    const { workspaces, isStateless } = setting;
    if (!workspaces.includes('*') && !workspaces.includes(start.workspace))
      return { type: 'refused', reason: 'unknown' };
    if (start.stateless !== isStateless) return { type: 'refused', reason: 'changed' };
    return children.size >= config.maxChildren ? { type: 'refused', reason: 'full' } : undefined;
  }

  /** Connects a child's input and output with the socket. Each ends with the other. */
  async function join(child: SpawnedChild, socket: Socket): Promise<void> {
    socket.once('close', () => void child.stop());
    socket.once('end', () => void child.stop());
    child.stdout.pipe(socket);
    socket.pipe(child.stdin);
    if (socket.destroyed) void child.stop();
    await child.gone;
    socket.end();
    setTimeout(() => socket.destroy(), SENDING_TIME).unref();
  }

  async function start(command: string, setting: CommandSetting, socket: Socket): Promise<void> {
    const answer = (given: LaunchAnswer): unknown => socket.write(`${JSON.stringify(given)}\n`);
    let child: SpawnedChild;
    try {
      child = new SpawnedChild(setting);
      children.add(child);
      void child.gone.then(() => children.delete(child));
      await child.started;
    } catch (cause) {
      log.error('a child process could not be started', { command, code: String((cause as { code?: unknown }).code) });
      answer({ type: 'refused', reason: 'failed' });
      socket.end();
      return;
    }
    log.info('child process started', { command });
    // Its output is content of others: only the fact is logged.
    child.stderr.once('data', () => log.warn('child process wrote to standard error', { command }));
    child.stderr.resume();
    answer({ type: 'started' });
    await join(child, socket);
    log.info('child process ended', { command });
  }

  async function serve(socket: Socket): Promise<void> {
    const timer = setTimeout(() => socket.destroy(), FIRST_LINE_TIME);
    const request = requestIn(await readFirstLine(socket).finally(() => clearTimeout(timer)));
    const name = request?.command ?? '';
    const setting = Object.hasOwn(config.commands, name) ? config.commands[name] : undefined;
    if (request === undefined || setting === undefined) {
      socket.end(`${JSON.stringify({ type: 'refused', reason: 'unknown' } satisfies LaunchAnswer)}\n`);
      return;
    }
    if (request.start === undefined) {
      const { workspaces, isStateless: stateless } = setting;
      socket.end(`${JSON.stringify({ type: 'command', workspaces, stateless } satisfies LaunchAnswer)}\n`);
      return;
    }
    const refused = refusalOf(setting, request.start);
    if (refused === undefined) await start(name, setting, socket);
    else socket.end(`${JSON.stringify(refused)}\n`);
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // `close` follows.
    socket.on('error', () => undefined);
    void serve(socket).catch(() => socket.destroy());
  });

  return {
    listen: () => listenAt(server, config.socket),
    async close() {
      server.close();
      await Promise.all([...children].map((child) => child.stop()));
      for (const socket of sockets) socket.destroy();
    },
  };
}
