import { type Appended, AuditDamage, type View } from './chains.ts';
import { type Database, runQuery, type Transaction } from './database.ts';
import { StoreError } from './errors.ts';
import type { Head } from './links.ts';

/** A line of a conversation's log. */
interface LogEntry {
  readonly conversation: string;
  /** JSON, which contains no NUL and no lone surrogate. */
  readonly body: string;
}

export interface Batch {
  /** Entries for the logs of conversations. @default none */
  readonly entries?: readonly LogEntry[];
  /** Lines for the audit chain. @default none */
  readonly audit?: readonly string[];
}

/** The positions of what was committed. */
export interface Written {
  /** Position of each entry in the conversation's log. */
  readonly places: readonly number[];
  /** Sequence number of each line in the audit chain. */
  readonly seqs: readonly number[];
}

interface PendingWrite {
  readonly entries: readonly LogEntry[];
  readonly audit: readonly string[];
  readonly items: number;
  readonly length: number;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_ITEMS = 500;
const MAX_LENGTH = 1_000_000;
/** Maximum number of characters that wait for one workspace. Further calls are refused at once. */
const MAX_WAITING = 64_000_000;
const MAX_CONVERSATION_LENGTH = 2000;

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Checked before the batch: one invalid line must not fail the lines of others. */
function check(entries: readonly LogEntry[], audit: readonly string[]): void {
  const texts = [...audit, ...entries.flatMap(({ conversation, body }) => [conversation, body])];
  if (!texts.every(isStorable))
    throw new StoreError('invalid', 'An entry must not contain a NUL or a lone surrogate: write it as JSON.');
  const sizes = entries.map(({ conversation }) => Buffer.byteLength(conversation));
  if (sizes.some((size) => size === 0 || size > MAX_CONVERSATION_LENGTH))
    throw new StoreError('invalid', `The id of a conversation must have 1 to ${MAX_CONVERSATION_LENGTH} bytes.`);
}

/** Takes as many pending writes as fit in one batch, at least one. */
function takeFrom(pending: PendingWrite[]): readonly PendingWrite[] {
  let [items, length, count] = [0, 0, 0];
  for (const work of pending) {
    items += work.items;
    length += work.length;
    if (count > 0 && (items > MAX_ITEMS || length > MAX_LENGTH)) break;
    count++;
  }
  return pending.splice(0, count);
}

/**
 * Writes in a transaction. The first attempt locks the chain until the transaction ends, so that a second one, after what others
 * have written is verified, is the last.
 */
export async function appendNext(
  database: Database,
  sql: Transaction,
  workspace: string,
  appended: Appended,
): Promise<{ readonly places: readonly number[]; readonly head: View }> {
  const { chains } = database;
  const first = await chains.append(sql, workspace, appended);
  if (first !== undefined) return first;
  const view = await chains.sync(sql, workspace);
  const second = await chains.append(sql, workspace, appended, view);
  if (second !== undefined) return second;
  throw new AuditDamage(workspace, view.seq, 'the chain does not end at the row that was verified');
}

/**
 * Writes logs and audit chains. Each workspace has one write in progress at a time; everything that arrives meanwhile is
 * written as one batch, so the cost per entry falls under load.
 */
export class Writer {
  readonly #database: Database;
  readonly #pending = new Map<string, PendingWrite[]>();
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
      throw new Error('Too many writes are pending for this workspace: try again later.');
    this.#lengths.set(workspace, waitingLength + length);
    return new Promise((resolve, reject) => {
      const pending = this.#pending.get(workspace) ?? [];
      pending.push({ entries, audit, items, length, resolve, reject });
      this.#pending.set(workspace, pending);
      if (!this.#running.has(workspace)) this.#running.set(workspace, this.#run(workspace, pending));
    });
  }

  async #run(workspace: string, pending: PendingWrite[]): Promise<void> {
    // Everything that is written in the same turn of the event loop becomes one batch.
    await Promise.resolve();
    while (pending.length > 0) {
      const batch = takeFrom(pending);
      try {
        await this.#commit(workspace, batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      const done = batch.reduce((sum, { length }) => sum + length, 0);
      this.#lengths.set(workspace, (this.#lengths.get(workspace) ?? 0) - done);
    }
    this.#pending.delete(workspace);
    this.#running.delete(workspace);
    this.#lengths.delete(workspace);
  }

  async #commit(workspace: string, batch: readonly PendingWrite[]): Promise<void> {
    const entries = batch.flatMap((work) => work.entries);
    const lines = batch.flatMap((work) => work.audit);
    const appended = {
      conversations: entries.map(({ conversation }) => conversation),
      bodies: entries.map(({ body }) => body),
      lines,
    };
    const { chains } = this.#database;
    // In one round trip, unless another replica has written meanwhile: then under the lock of the chain.
    const written =
      (await runQuery(() => chains.append(this.#database.system, workspace, appended))) ??
      (await this.#database.inWorkspace(workspace, (sql) => appendNext(this.#database, sql, workspace, appended)));
    const { places, head } = written;
    if (places.length !== entries.length) throw new Error('The database did not write all entries.');
    if (lines.length > 0) {
      chains.advance(workspace, head);
      this.#heads.set(workspace, head);
    }
    let [place, seq] = [0, head.seq - lines.length];
    for (const work of batch) {
      const seqs = work.audit.map(() => ++seq);
      work.resolve({ places: places.slice(place, place + work.entries.length), seqs });
      place += work.entries.length;
    }
  }

  /** The heads of the chains that have grown since the last call, by workspace. */
  takeHeads(): ReadonlyMap<string, Head> {
    const heads = this.#heads;
    this.#heads = new Map();
    return heads;
  }

  /** Resolves when nothing is pending. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }
}
