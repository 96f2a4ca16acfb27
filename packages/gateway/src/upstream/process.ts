import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Line, Lines } from '@sallyport/mcp-proxy';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A monotonic clock, in milliseconds. @default performance.now */
  readonly clock?: () => number;
}

export interface ProcessEvents {
  onLine(line: Line): void;
  /** A log line. Untrusted: the server wrote it. */
  onLog(line: string): void;
  /** Called once, when the process has ended or could not be started. */
  onGone(): void;
}

const MAX_LINE_LENGTH = 16 * 1024 * 1024;
const MAX_LOG_LENGTH = 4096;
/** Maximum number of log lines in a second. Further lines are only counted. */
const MAX_LOGS = 50;
/** Maximum number of unread bytes before a child counts as stuck. */
const MAX_UNREAD = 32 * 1024 * 1024;
/** Milliseconds that a child has to end after its input was closed, and again after SIGTERM. */
const GRACE = 1000;

/** Limits the number and length of log lines. */
function rateLimited(write: (line: string) => void, clock: () => number): (line: string) => void {
  let second = 0;
  let count = 0;
  return (line) => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) {
      if (count > MAX_LOGS) write(`(${count - MAX_LOGS} more lines omitted)`);
      second = now;
      count = 0;
    }
    count++;
    if (count <= MAX_LOGS) write(line.slice(0, MAX_LOG_LENGTH));
  };
}

/** One run of a server as a child process. */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #gone: Promise<void>;

  /** If the process cannot be started, it throws or calls `onGone`. */
  constructor({ command, args, env, cwd, clock = () => performance.now() }: ServerCommand, events: ProcessEvents) {
    const log = rateLimited((line) => events.onLog(line), clock);
    this.#child = spawn(command, args, {
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A process group of its own, so that its own child processes end with it.
      detached: process.platform !== 'win32',
    });
    this.#read(this.#child.stdout, MAX_LINE_LENGTH, (line) => events.onLine(line));
    this.#read(this.#child.stderr, MAX_LOG_LENGTH, (line) => log(line.type === 'line' ? line.text : line.beginning));
    // A broken pipe: the `exit` event follows.
    this.#child.stdin.on('error', () => undefined);
    this.#gone = new Promise((resolve) => {
      this.#child.once('error', (cause) => {
        log(`The server cannot be started: ${cause.message}`);
        resolve();
      });
      this.#child.once('close', () => resolve());
      this.#child.once('exit', () => {
        // Its own child processes are killed too: they would keep the pipes open.
        this.#signal('SIGKILL');
        setTimeout(resolve, GRACE).unref();
      });
    });
    void this.#gone.then(() => events.onGone());
  }

  /** Returns false if the process does not read its input. */
  write(text: string): boolean {
    const { stdin } = this.#child;
    if (!stdin.writable || stdin.writableLength > MAX_UNREAD) return false;
    // Between JSON tokens a line end is only whitespace, but here it would split the message.
    stdin.write(`${text.replace(/[\r\n]+/g, ' ')}\n`);
    return true;
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    const timers = [
      setTimeout(() => this.#signal('SIGTERM'), GRACE),
      setTimeout(() => this.#signal('SIGKILL'), 2 * GRACE),
    ];
    await this.#gone;
    for (const timer of timers) clearTimeout(timer);
  }

  kill(): void {
    this.#signal('SIGKILL');
  }

  #read(stream: Readable, maxBytes: number, take: (line: Line) => void): void {
    const lines = new Lines(maxBytes);
    stream.on('data', (chunk: Uint8Array) => {
      for (const line of lines.push(chunk)) take(line);
    });
    // The stream has ended: the `close` event follows.
    stream.on('error', () => undefined);
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
