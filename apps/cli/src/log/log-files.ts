import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from '../state.ts';
import { boundedEntry, type LogEntry, readEntry } from './entry.ts';

/** Bytes after which a file is kept as an older one, and how many older ones are kept. */
const MAX_BYTES = 2_000_000;
const MAX_OLDER = 3;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The bytes of a file from a position, and which file it was. */
function readFrom(path: string, start: number): { readonly text: string; readonly end: number; readonly file: number } {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { text: '', end: start, file: 0 };
    throw cause;
  }
  try {
    const { size, ino } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const count = bytes.length === 0 ? 0 : readSync(descriptor, bytes, 0, bytes.length, start);
    return { text: bytes.toString('utf8', 0, count), end: start + count, file: ino };
  } finally {
    closeSync(descriptor);
  }
}

function entriesIn(text: string): readonly LogEntry[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : (readEntry(line) ?? [])));
}

/** One log of bounded size, for all processes. Only the user can read it. */
class RotatingFile {
  readonly #path: string;
  // Where `newEntries` has read up to.
  #position = 0;
  #file = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  #older(index: number): string {
    return this.#path.replace(/\.jsonl$/, `.${index}.jsonl`);
  }

  append(entry: LogEntry): void {
    const line = `${JSON.stringify(boundedEntry(entry))}\n`;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    if (sizeOf(this.#path) > MAX_BYTES) this.#rotate();
    appendFileSync(this.#path, line, { mode: 0o600 });
  }

  #rotate(): void {
    withLock(this.#path, () => {
      // Another process may have been faster.
      if (sizeOf(this.#path) <= MAX_BYTES) return;
      for (let index = MAX_OLDER - 1; index >= 1; index--)
        if (sizeOf(this.#older(index)) > 0) renameSync(this.#older(index), this.#older(index + 1));
      renameSync(this.#path, this.#older(1));
    });
  }

  /** All entries, oldest first. */
  entries(): readonly LogEntry[] {
    const paths = Array.from({ length: MAX_OLDER }, (_, index) => this.#older(MAX_OLDER - index));
    return [...paths, this.#path].flatMap((path) => entriesIn(readFrom(path, 0).text));
  }

  /** Starts `newEntries` at the end of the log. */
  skip(): void {
    const { end, file } = readFrom(this.#path, 0);
    [this.#position, this.#file] = [end, file];
  }

  /** The entries since the last call. */
  newEntries(): readonly LogEntry[] {
    const current = readFrom(this.#path, this.#position);
    const isSame = current.file === this.#file || this.#file === 0;
    // The file that was read became an older one: its end comes first.
    const before = isSame ? '' : readFrom(this.#older(1), this.#position).text;
    const { text, end, file } = isSame ? current : readFrom(this.#path, 0);
    [this.#position, this.#file] = [end, file];
    const lines = `${this.#rest}${before}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    return entriesIn(lines.join('\n'));
  }
}

function byTime(one: LogEntry, other: LogEntry): number {
  return Date.parse(one.time) - Date.parse(other.time);
}

/**
 * The history of calls and definitions of all wrapped servers. Flagged text has a file of its own: a server that sends
 * much of it cannot push out what happened to calls, and so have calls that passed.
 */
export class LogFiles {
  readonly #calls: RotatingFile;
  readonly #flagged: RotatingFile;
  readonly #made: RotatingFile;

  constructor(stateFolder: string) {
    this.#calls = new RotatingFile(join(stateFolder, 'log', 'calls.jsonl'));
    this.#flagged = new RotatingFile(join(stateFolder, 'log', 'flagged.jsonl'));
    this.#made = new RotatingFile(join(stateFolder, 'log', 'made.jsonl'));
  }

  append(entry: LogEntry): void {
    (entry.type === 'flagged' ? this.#flagged : entry.type === 'made' ? this.#made : this.#calls).append(entry);
  }

  /** The calls that passed without a question: their time and server. */
  made(): readonly LogEntry[] {
    return this.#made.entries();
  }

  /** All entries, oldest first. */
  entries(): readonly LogEntry[] {
    return [...this.#calls.entries(), ...this.#flagged.entries()].sort(byTime);
  }

  /** Starts `newEntries` after what is in the log now. */
  skip(): void {
    this.#calls.skip();
    this.#flagged.skip();
  }

  newEntries(): readonly LogEntry[] {
    return [...this.#calls.newEntries(), ...this.#flagged.newEntries()].sort(byTime);
  }

  /** The last entry about the call with this id. */
  last(id: string): LogEntry | undefined {
    return this.#calls.entries().findLast((entry) => entry.id === id);
  }

  /** The last denial with this id. */
  denial(id: string): LogEntry | undefined {
    return this.#calls.entries().findLast((entry) => entry.type === 'denied' && entry.id === id);
  }
}
