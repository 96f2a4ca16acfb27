import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { appendFile, stat } from 'node:fs/promises';
import { StoreError } from '../errors.ts';
import type { AuditKey, Checkpoint, Head } from '../links.ts';
import { type AnchorLine, anchorFiles, dayOf, pathIn, sealLine } from './anchor-lines.ts';
import { noteHeads, readNewest } from './anchor-newest.ts';

/** Where heads of chains are kept outside of the database, so that the database cannot be set back unnoticed. */
export interface AnchorStore {
  /** Keeps signed heads. What was kept must never be changed or removed. */
  publish(heads: ReadonlyMap<string, Checkpoint>): Promise<void>;
  /** The last head of a workspace that is known to be kept; undefined if there is none. */
  last(workspace: string): Head | undefined;
  /** The workspaces of which a head is known to be kept. */
  workspaces(): Iterable<string>;
}

/** Lines from one summary to the next: about an hour of a busy gateway, which is what a start has to read of a file. */
const SUMMARY_EVERY = 64;

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new StoreError(
      'invalid',
      `The folder of anchors ${folder} cannot be written: set SALLYPORT_ANCHORS to a folder on another disk than the database, or to off.`,
      { cause },
    );
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on its disk',
  EDQUOT: 'make room on its disk',
  EROFS: 'mount its disk for writing',
  ENOENT: 'make the folder again',
  ENOTDIR: 'it must be a folder',
};
const PERMISSIONS = 'let the user that runs the gateway write to it, such as with chown';

/** Something else than the gateway has changed or removed the file that a process writes. */
class FileChanged extends Error {
  readonly code = 'CHANGED';

  constructor(path: string) {
    super(
      `Something else than the gateway has changed or removed the anchor file ${path} (CHANGED): run \`sallyport audit verify\`, and find out what writes to its folder.`,
    );
  }
}

/** Heads could not be kept, or their file was changed. The message has the path that the operator has set, and no content. */
export class AnchorFailure extends Error {
  override readonly name = 'AnchorFailure';
  readonly code: string;

  constructor(folder: string, cause: unknown) {
    const { code } = cause as { code?: unknown };
    const known = typeof code === 'string' ? code : 'unknown';
    const why =
      cause instanceof StoreError || cause instanceof FileChanged
        ? cause.message
        : `The anchors in ${folder} cannot be written (${known}): ${ADVICE[known] ?? PERMISSIONS}.`;
    super(`${why} It is tried again each minute, and /ready is 503 until then.`, { cause });
    this.code = known;
  }
}

/** The file that a process writes. No other process writes to it. */
class OwnFile {
  readonly name: string;
  readonly path: string;
  readonly #follows: Readonly<Record<string, number>>;
  #size = 0;
  #pending: Buffer = Buffer.alloc(0);
  #lines = 0;
  #summary: AnchorLine['summary'] = { line: 0, offset: 0 };

  constructor(folder: string, day: string, follows: ReadonlyMap<string, number>) {
    this.name = `${day}.${randomBytes(4).toString('hex')}.jsonl`;
    this.#follows = Object.fromEntries(follows);
    this.path = pathIn(folder, this.name);
  }

  /** The lines that the next file follows: this file's complete ones, or if it has none, those that it follows. */
  get followed(): Readonly<Record<string, number>> {
    const complete = this.#pending.length === 0 ? this.#lines : this.#lines - 1;
    return complete > 0 ? { [this.name]: complete } : this.#follows;
  }

  get isSummaryDue(): boolean {
    return this.#lines - this.#summary.line >= SUMMARY_EVERY || this.#lines === 0;
  }

  async append(key: AuditKey, heads: ReadonlyMap<string, Head>): Promise<void> {
    const [file, line] = [this.name, this.#lines + 1];
    if (this.isSummaryDue) this.#summary = { line, offset: this.#size };
    this.#pending = sealLine(key, {
      file,
      line,
      at: Date.now(),
      summary: this.#summary,
      ...(line === 1 ? { follows: this.#follows } : {}),
      heads: [...heads].map(([workspace, { seq, hash }]) => [workspace, seq, hash]),
    });
    this.#lines = line;
    if (!(await this.finish())) throw new FileChanged(this.path);
  }

  /** Writes what is left of a line that a full disk has cut. False if someone else has changed the file: then it is left as it is. */
  async finish(): Promise<boolean> {
    const size = await stat(this.path).then(
      (found) => found.size,
      (cause: { code?: string }) => {
        if (cause.code === 'ENOENT') return 0;
        throw cause;
      },
    );
    const done = size - this.#size;
    if (done < 0 || done > this.#pending.length) return false;
    if (done < this.#pending.length) await appendFile(this.path, this.#pending.subarray(done), { flush: true });
    this.#size += this.#pending.length;
    this.#pending = Buffer.alloc(0);
    return true;
  }
}

/**
 * Keeps heads in a folder, in a file for each process and day that is only ever appended to. Each begins with a summary of all
 * heads that are known, and has another one now and then, so that a start reads little of it.
 */
class FileAnchors implements AnchorStore {
  readonly #folder: string;
  readonly #keys: readonly AuditKey[];
  readonly #now: () => number;
  readonly #known: Map<string, Head>;
  #file: OwnFile | undefined;
  /** A file of this process that was found changed, until that is reported. */
  #changed: OwnFile | undefined;
  #publishing: Promise<void> = Promise.resolve();

  constructor(folder: string, keys: readonly AuditKey[], now: () => number) {
    this.#folder = folder;
    this.#keys = keys;
    this.#now = now;
    this.#known = this.#read().heads;
  }

  #read(): ReturnType<typeof readNewest> {
    return readNewest(
      this.#folder,
      this.#keys.map((key) => key.public),
    );
  }

  last(workspace: string): Head | undefined {
    return this.#known.get(workspace);
  }

  workspaces(): Iterable<string> {
    return this.#known.keys();
  }

  publish(heads: ReadonlyMap<string, Checkpoint>): Promise<void> {
    // A failed round was reported to its own caller.
    this.#publishing = this.#publishing.catch(() => undefined).then(() => this.#publish(heads));
    return this.#publishing;
  }

  async #publish(given: ReadonlyMap<string, Checkpoint>): Promise<void> {
    const [key] = this.#keys;
    if (given.size === 0 || key === undefined) return;
    try {
      const file = await this.#current();
      await file.append(key, file.isSummaryDue ? new Map([...this.#known, ...given]) : given);
      noteHeads(this.#known, given);
      this.#reportChange();
    } catch (cause) {
      throw new AnchorFailure(this.#folder, cause);
    }
  }

  /** The file to append to: another one on another day, and if someone has changed this one. */
  async #current(): Promise<OwnFile> {
    const today = dayOf(new Date(this.#now()).toISOString());
    const file = this.#file;
    const isWhole = file === undefined || (await file.finish());
    if (file !== undefined && isWhole && dayOf(file.name) >= today) return file;
    // The heads that other processes have kept meanwhile belong in the summary.
    const { heads, lines } = this.#read();
    noteHeads(this.#known, heads);
    // A file of an earlier day may have been removed because it is old.
    if (!isWhole && dayOf(file.name) >= today) this.#changed = file;
    // The disk does not say what this process has written, if someone has changed it.
    const follows = new Map([...lines, ...Object.entries(file?.followed ?? {})]);
    // A clock that was set back must not begin a file that is older than the newest one.
    const days = [...anchorFiles(this.#folder).map(dayOf), today].sort();
    this.#file = new OwnFile(this.#folder, days.at(-1) ?? today, follows);
    return this.#file;
  }

  /** Reports a change once the next file says what this process had written. */
  #reportChange(): void {
    const changed = this.#changed;
    this.#changed = undefined;
    if (changed !== undefined) throw new FileChanged(changed.path);
  }
}

/** Keeps heads in files. What is kept already is read first. */
export function fileAnchors(
  folder: string,
  keys: readonly AuditKey[],
  { now = Date.now }: { readonly now?: () => number } = {},
): AnchorStore {
  makeFolder(folder);
  return new FileAnchors(folder, keys, now);
}
