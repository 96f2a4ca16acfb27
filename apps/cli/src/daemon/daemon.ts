import { mkdirSync, rmSync, statSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { NoDaemonError, socketAddress } from '../local-process/address.ts';
import { type DaemonPlace, reach } from '../local-process/connect.ts';
import { sendLine } from '../local-process/wire.ts';
import { seconds } from '../seconds.ts';
import { stateFolder } from '../state.ts';
import { CommandError } from '../terminal-text.ts';
import { wrapKeys } from '../wrap/key.ts';
import { Service } from './serve.ts';

const HELP = `
All wrapped servers of a user share one local process: it knows what a client has read through all of them, and its memory is needed only once. sallyport wrap starts it when it is needed, and it ends by itself when no server has used it for a while. You do not have to run this command.

Examples:
  sallyport daemon --stop     stop it, and with it the wrapped servers that use it
  SALLYPORT_DAEMON=off sallyport wrap node server.js
                              wrap a server without it

Exit codes: 0 done, 1 it is already running or cannot run, 2 wrong usage.`;

const IDLE_SECONDS = 600;
const RUNS_ALREADY = new CommandError('the local process is already running.', 'there is nothing to do.');

async function stop(io: Io, place: DaemonPlace): Promise<void> {
  const socket = await reach(place);
  if (socket === undefined) return io.stdout('The local process is not running.\n');
  sendLine(socket, { type: 'stop' });
  await new Promise((resolve) => socket.once('close', resolve).resume().end());
  io.stdout('The local process has stopped. Restart your clients to start their servers.\n');
}

const STARTING_MS = 10_000;

/** Runs `work` unless another process of this user is starting too. */
async function alone(path: string, work: () => Promise<void>): Promise<void> {
  const lock = `${path}.lock`;
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > STARTING_MS) rmSync(lock, { recursive: true, force: true });
  try {
    mkdirSync(lock);
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? RUNS_ALREADY : cause;
  }
  try {
    await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function serve(place: DaemonPlace, idleMs: number): Promise<void> {
  const { state, version, environment } = place;
  const path = socketAddress(state, version);
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    service.close(path);
    process.exit(0);
  };
  const onIdle = (): void => {
    clearTimeout(idle);
    idle = setTimeout(() => (service.connections === 0 ? end() : undefined), idleMs);
  };
  const service = new Service({ state, environment, keys: wrapKeys(state, undefined), onIdle, onStop: end });
  await alone(path, async () => {
    const running = await reach(place);
    if (running !== undefined) {
      running.destroy();
      throw RUNS_ALREADY;
    }
    // The socket of a process that was killed is still there.
    rmSync(path, { force: true });
    await service.listen(path);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  onIdle();
}

interface DaemonOptions {
  readonly stop?: boolean;
  readonly idle: number;
}

export function daemonCommand(io: Io, version: string): Command {
  return new Command('daemon')
    .option('--stop', 'stop it')
    .addOption(
      new Option('--idle <seconds>', 'end when no server has used it for this long')
        .argParser(seconds)
        .default(IDLE_SECONDS),
    )
    .addHelpText('after', HELP)
    .action(async ({ stop: isStop, idle }: DaemonOptions) => {
      const { environment } = io;
      const place = { state: stateFolder(environment), version, environment };
      if (isStop === true) return stop(io, place);
      try {
        await serve(place, idle * 1000);
      } catch (cause) {
        if (!(cause instanceof NoDaemonError)) throw cause;
        throw new CommandError(`the local process cannot run: ${cause.message}.`, 'servers are wrapped without it.');
      }
    });
}
