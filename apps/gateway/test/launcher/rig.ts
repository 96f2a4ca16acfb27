import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../fixture/eventually.ts';

const MAIN = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
/** A user that owns nothing. */
export const NOBODY = 65_534;

/** Only root can start a launcher as another user. */
export const isRoot: boolean = process.getuid?.() === 0;
if (!isRoot) process.stderr.write('skipped: only root can run a launcher as another user, and this is not root\n');

export interface RunningLauncher {
  readonly process: ChildProcess;
  /** What it wrote. */
  readonly output: () => string;
  /** Ends it, and waits until it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** A folder for the socket, which the launcher's user owns. */
export class SocketFolder {
  readonly #root = mkdtempSync(join(tmpdir(), 'sallyport-launcher-'));
  readonly folder: string = join(this.#root, 'run');
  readonly socket: string = join(this.folder, 'launcher.sock');
  readonly #running: RunningLauncher[] = [];

  constructor(mode = 0o750) {
    mkdirSync(this.folder, { mode });
    // Others may pass through it, so that only the folder of the socket decides.
    chmodSync(this.#root, 0o711);
    chownSync(this.folder, NOBODY, NOBODY);
  }

  /** Runs `sallyport gateway launcher` as a user, and waits until it listens or has ended. */
  async launch(
    commands: unknown,
    { user = NOBODY, environment = {} }: { user?: number; environment?: Record<string, string> } = {},
  ): Promise<RunningLauncher> {
    const env = {
      PATH: process.env.PATH ?? '',
      SALLYPORT_LAUNCHER: this.socket,
      SALLYPORT_COMMANDS: JSON.stringify(commands),
      ...environment,
    };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const child = spawn(process.execPath, [MAIN, 'gateway', 'launcher'], {
      uid: user,
      gid: user,
      env,
      stdio: [...stdio],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += String(chunk);
      });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const running: RunningLauncher = {
      process: child,
      output: () => output,
      stop: (signal = 'SIGTERM') => {
        child.kill(signal);
        return ended;
      },
    };
    this.#running.push(running);
    await eventually(() => {
      if (!output.includes('Listening on') && child.exitCode === null) throw new Error('not yet');
    });
    return running;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#running.map((each) => each.stop()));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** The numbers of the running processes that have an argument. */
export function processesOf(argument: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(argument);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}
