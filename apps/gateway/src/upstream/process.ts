import type { Readable, Writable } from 'node:stream';
import { type Line, Lines } from '@sallyport/mcp-proxy';
import { type ServerCommand, SpawnedChild } from './spawned-child.ts';

export interface ProcessEvents {
  onLine(line: Line): void;
  /** A log line. Untrusted: the server wrote it. */
  onLog(line: string): void;
  /** Called once, when the process has ended or could not be started. */
  onGone(): void;
}

/** A running server, started here or by the launcher. */
export interface Child {
  /** Returns false if the process does not read its input. */
  write(text: string): boolean;
  stop(): Promise<void>;
  kill(): void;
}

/** Starts a server. Rejects if it cannot be started. */
export type StartChild = (events: ProcessEvents) => Promise<Child>;

const MAX_LINE_LENGTH = 16 * 1024 * 1024;
const MAX_LOG_LENGTH = 4096;
/** Maximum number of log lines in a second. Further lines are only counted. */
const MAX_LOGS = 50;
/** Maximum number of unread bytes before a child counts as stuck. */
const MAX_UNREAD = 32 * 1024 * 1024;

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

function readFrom(stream: Readable, maxBytes: number, take: (line: Line) => void): void {
  const lines = new Lines(maxBytes);
  stream.on('data', (chunk: Uint8Array) => {
    for (const line of lines.push(chunk)) take(line);
  });
  // The stream has ended: the `close` event follows.
  stream.on('error', () => undefined);
}

/** Reads the messages of a server. */
export function readMessages(stream: Readable, take: (line: Line) => void): void {
  readFrom(stream, MAX_LINE_LENGTH, take);
}

/** Writes a message to a server. Returns false if it does not read. */
export function writeMessage(stream: Writable, text: string): boolean {
  if (!stream.writable || stream.writableLength > MAX_UNREAD) return false;
  // Between JSON tokens a line end is only whitespace, but here it would split the message.
  stream.write(`${text.replace(/[\r\n]+/g, ' ')}\n`);
  return true;
}

/** One run of a server as a child process of this process. */
export class ServerProcess implements Child {
  readonly #child: SpawnedChild;

  /** If the process cannot be started, it throws or calls `onGone`. */
  constructor(command: ServerCommand, events: ProcessEvents, clock: () => number = () => performance.now()) {
    const log = rateLimited((line) => events.onLog(line), clock);
    this.#child = new SpawnedChild(command);
    const { stdout, stderr, started, gone } = this.#child;
    readMessages(stdout, (line) => events.onLine(line));
    readFrom(stderr, MAX_LOG_LENGTH, (line) => log(line.type === 'line' ? line.text : line.beginning));
    started.catch((cause: Error) => log(`The server cannot be started: ${cause.message}`));
    void gone.then(() => events.onGone());
  }

  write(text: string): boolean {
    return writeMessage(this.#child.stdin, text);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  kill(): void {
    this.#child.kill();
  }
}
