import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The number of the user and group that it runs as. Needs the rights of root. @default those of this process */
  readonly user?: number;
}

/** Milliseconds that a child has to end after its input was closed, and again after SIGTERM. */
const GRACE = 1000;

/** A process with its streams. It ends with all its own child processes. */
export class SpawnedChild {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Resolves when the process has started. Rejects if it cannot be. */
  readonly started: Promise<void>;
  /** Resolves when the process has ended, or could not be started. */
  readonly gone: Promise<void>;

  constructor({ command, args, env, cwd, user }: ServerCommand) {
    this.#child = spawn(command, args, {
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      ...(user === undefined ? {} : { uid: user, gid: user }),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A process group of its own, so that its own child processes end with it.
      detached: process.platform !== 'win32',
    });
    // A broken pipe: the `exit` event follows.
    this.#child.stdin.on('error', () => undefined);
    this.started = new Promise((resolve, reject) => {
      this.#child.once('spawn', resolve);
      this.#child.once('error', reject);
    });
    this.started.catch(() => undefined);
    this.gone = new Promise((resolve) => {
      this.#child.once('error', () => resolve());
      this.#child.once('close', () => resolve());
      this.#child.once('exit', () => {
        // Its own child processes are killed too: they would keep the pipes open.
        this.#signal('SIGKILL');
        setTimeout(resolve, GRACE).unref();
      });
    });
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  get stderr(): Readable {
    return this.#child.stderr;
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    const timers = [
      setTimeout(() => this.#signal('SIGTERM'), GRACE),
      setTimeout(() => this.#signal('SIGKILL'), 2 * GRACE),
    ];
    await this.gone;
    for (const timer of timers) clearTimeout(timer);
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // The process has ended already.
    }
  }
}
