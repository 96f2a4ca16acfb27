import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { PassThrough, Readable, type Writable } from 'node:stream';
import type { Timer } from '@sallyport/core/stages';

/** A server that runs: the bytes that it reads and writes, and its end. */
export interface RunningServer {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with the exit code when the server has ended. */
  readonly ended: Promise<number>;
  kill(signal: NodeJS.Signals): void;
  /** Calls the listener with every request that a remote server did not answer. */
  onFailed?(listener: (failed: FailedRequest) => void): void;
}

/** A request that was not answered, and what its client is told. */
export interface FailedRequest {
  readonly id: string | number;
  readonly message: string;
}

/** Starts a server. */
export type Start = () => RunningServer | Promise<RunningServer>;

/** The client's side of a wrapper. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Starts a server as a child process. `failed` is called if it cannot be started, and returns the exit code. */
export function startChild(command: readonly string[], failed: (cause: unknown) => number): RunningServer {
  const [program, ...args] = command as [string, ...string[]];
  let child: ChildProcessByStdio<Writable, Readable, null>;
  try {
    child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
  } catch (cause) {
    // Node.js throws some failures and emits others.
    const ended = Promise.resolve(failed(cause));
    return { input: new PassThrough().resume(), output: Readable.from([]), ended, kill: () => undefined };
  }
  // The server closed its input: its exit code says why.
  child.stdin.on('error', () => undefined);
  return {
    input: child.stdin,
    output: child.stdout,
    ended: new Promise((resolve) => {
      child.on('error', (cause) => resolve(failed(cause)));
      child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    }),
    kill: (signal) => child.kill(signal),
  };
}

/** Seconds that a server has to end after a signal, before it is killed. */
const GRACE = 5;

/** Passes the signals that this process gets on to the server. */
export function forwardSignals(server: RunningServer, timer: Timer): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      server.kill(signal);
      timer.set(() => server.kill('SIGKILL'), GRACE * 1000);
    });
  // The client closed its end: it needs the server no longer.
  process.stdout.on('error', () => server.kill('SIGTERM'));
  // A client may close standard error and still read the answers.
  process.stderr.on('error', () => undefined);
}
