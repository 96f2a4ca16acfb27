import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Line, Lines } from '@sallyport/mcp-proxy';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  readonly clock?: () => number;
}

export interface ProcessEvents {
  onLine(line: Line): void;
  /** A line for whoever reads the logs. Untrusted: the server wrote it. */
  onLog(line: string): void;
  /** Once, however it ended. */
  onGone(): void;
}

const MAX_LINE_LENGTH = 16 * 1024 * 1024;
const MAX_LOG_LENGTH = 4096;
/** Lines of log in a second; more are counted, not kept. */
const MAX_LOGS = 50;
/** What a child may leave unread before it counts as stuck. */
const MAX_UNREAD = 32 * 1024 * 1024;
/** Milliseconds to end by itself when its input ends, and then when it is told to. */
const GRACE = 1000;

/** Cuts a flood of log lines. */
function limited(say: (line: string) => void, clock: () => number): (line: string) => void {
  let second = 0;
  let said = 0;
  return (line) => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) {
      if (said > MAX_LOGS) say(`(${said - MAX_LOGS} more lines left out)`);
      second = now;
      said = 0;
    }
    said++;
    if (said <= MAX_LOGS) say(line.slice(0, MAX_LOG_LENGTH));
  };
}

/** One life of a server that is a child process. */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #gone: Promise<void>;

  /** Throws, or says that it is gone, where it cannot be started. */
  constructor({ command, args, env, cwd, clock = () => performance.now() }: ServerCommand, events: ProcessEvents) {
    const say = limited((line) => events.onLog(line), clock);
    this.#child = spawn(command, args, {
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A group of its own, so that what it has started ends with it.
      detached: process.platform !== 'win32',
    });
    this.#read(this.#child.stdout, MAX_LINE_LENGTH, (line) => events.onLine(line));
    this.#read(this.#child.stderr, MAX_LOG_LENGTH, (line) => say(line.type === 'line' ? line.text : line.beginning));
    this.#child.stdin.on('error', () => undefined);
    this.#gone = new Promise((resolve) => {
      this.#child.once('error', (cause) => {
        say(`The server cannot be started: ${cause.message}`);
        resolve();
      });
      this.#child.once('close', () => resolve());
      this.#child.once('exit', () => {
        // What it has started goes too, or it would keep the pipes open.
        this.#signal('SIGKILL');
        setTimeout(resolve, GRACE).unref();
      });
    });
    void this.#gone.then(() => events.onGone());
  }

  /** False where it does not read what it is sent. */
  write(text: string): boolean {
    const { stdin } = this.#child;
    if (!stdin.writable || stdin.writableLength > MAX_UNREAD) return false;
    // A line end between tokens of JSON is a blank, and here it would cut the message in two.
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

  #read(stream: Readable, longest: number, take: (line: Line) => void): void {
    const lines = new Lines(longest);
    stream.on('data', (chunk: Uint8Array) => {
      for (const line of lines.push(chunk)) take(line);
    });
    stream.on('error', () => undefined);
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // It is gone already.
    }
  }
}
