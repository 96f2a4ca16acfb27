import { ask, type Database } from './database.ts';
import { StoreError } from './errors.ts';

/** A line of a conversation's log. */
interface LogEntry {
  readonly conversation: string;
  /** JSON, so that it holds no NUL and no half of a character. */
  readonly body: string;
}

export interface Batch {
  /** @default none */
  readonly entries?: readonly LogEntry[];
  /** Lines for the audit chain. @default none */
  readonly audit?: readonly string[];
}

/** Where things stand now that cannot be lost any more. */
export interface Written {
  /** Of each entry, in the conversation's log. */
  readonly places: readonly number[];
  /** Of each line, in the audit chain. */
  readonly seqs: readonly number[];
}

/** The end of a chain. */
export interface Head {
  readonly seq: number;
  /** Hex. */
  readonly hash: string;
}

interface Work {
  readonly entries: readonly LogEntry[];
  readonly audit: readonly string[];
  readonly items: number;
  readonly length: number;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_ITEMS = 500;
const MAX_LENGTH = 1_000_000;
/** What may wait for one workspace, in characters. Beyond, its calls are refused at once. */
const MAX_WAITING = 64_000_000;
const MAX_CONVERSATION_LENGTH = 2000;

function isKept(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** One bad line must not take those of others with it. */
function check(entries: readonly LogEntry[], audit: readonly string[]): void {
  const texts = [...audit, ...entries.flatMap(({ conversation, body }) => [conversation, body])];
  if (!texts.every(isKept)) throw new StoreError('invalid', 'What is written must be JSON text: escape it before.');
  const sizes = entries.map(({ conversation }) => Buffer.byteLength(conversation));
  if (sizes.some((size) => size === 0 || size > MAX_CONVERSATION_LENGTH))
    throw new StoreError('invalid', `The id of a conversation has 1 to ${MAX_CONVERSATION_LENGTH} bytes: shorten it.`);
}

/** As much of what waits as one batch takes, at least one. */
function takeFrom(waiting: Work[]): readonly Work[] {
  let [items, length, count] = [0, 0, 0];
  for (const work of waiting) {
    items += work.items;
    length += work.length;
    if (count > 0 && (items > MAX_ITEMS || length > MAX_LENGTH)) break;
    count++;
  }
  return waiting.splice(0, count);
}

/**
 * Writes logs and audit chains. Of each workspace one write is under way, and what comes meanwhile is the next one: the more
 * there is to do, the less each costs.
 */
export class Writer {
  readonly #database: Database;
  readonly #waiting = new Map<string, Work[]>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #lengths = new Map<string, number>();
  #heads = new Map<string, Head>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves when all of it is committed. When it rejects, whether it was written is unknown. */
  async write(workspace: string, { entries = [], audit = [] }: Batch): Promise<Written> {
    check(entries, audit);
    const items = entries.length + audit.length;
    if (items === 0) return { places: [], seqs: [] };
    const length = [...audit, ...entries.map(({ body }) => body)].reduce((sum, text) => sum + text.length, 0);
    const waitingLength = this.#lengths.get(workspace) ?? 0;
    if (waitingLength > 0 && waitingLength + length > MAX_WAITING)
      throw new Error('Too much waits to be written for this workspace: try again later.');
    this.#lengths.set(workspace, waitingLength + length);
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(workspace) ?? [];
      waiting.push({ entries, audit, items, length, resolve, reject });
      this.#waiting.set(workspace, waiting);
      if (!this.#running.has(workspace)) this.#running.set(workspace, this.#run(workspace, waiting));
    });
  }

  async #run(workspace: string, waiting: Work[]): Promise<void> {
    // What is written in the same turn of the loop goes together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = takeFrom(waiting);
      try {
        await this.#commit(workspace, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      const done = batch.reduce((sum, { length }) => sum + length, 0);
      this.#lengths.set(workspace, (this.#lengths.get(workspace) ?? 0) - done);
    }
    this.#waiting.delete(workspace);
    this.#running.delete(workspace);
    this.#lengths.delete(workspace);
  }

  async #commit(workspace: string, batch: readonly Work[]): Promise<void> {
    const entries = batch.flatMap((work) => work.entries);
    const audit = batch.flatMap((work) => work.audit);
    const [row] = await ask(
      () => this.#database.system<{ places: string[] | null; seq: string; hash: Buffer }[]>`
        select * from write_entries(${workspace}::uuid, ${entries.map(({ conversation }) => conversation)}::text[],
          ${entries.map(({ body }) => body)}::text[], ${audit}::text[])`,
    );
    if (row === undefined || (row.places ?? []).length !== entries.length) throw new Error('Not all was written.');
    const last = Number(row.seq);
    if (audit.length > 0) this.#heads.set(workspace, { seq: last, hash: row.hash.toString('hex') });
    const places = (row.places ?? []).map(Number);
    let [place, seq] = [0, last - audit.length];
    for (const work of batch) {
      const seqs = work.audit.map(() => ++seq);
      work.resolve({ places: places.slice(place, place + work.entries.length), seqs });
      place += work.entries.length;
    }
  }

  /** The ends of the chains that have grown since this was asked last, by workspace. */
  takeHeads(): ReadonlyMap<string, Head> {
    const heads = this.#heads;
    this.#heads = new Map();
    return heads;
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }
}
