import { createHmac, timingSafeEqual } from 'node:crypto';
import { backgroundTimer } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';
import { repeat } from '../../timer.ts';
import { type Database, runQuery } from '../database.ts';
import type { Head, Writer } from '../writer.ts';

/** `head`: the chain had this hash at the time of signing. `start`: the rows up to here were removed on purpose. */
export type CheckpointKind = 'head' | 'start';

/** A position of the chain, signed with a key that is not in the database. */
export interface Checkpoint extends Head {
  readonly kind: CheckpointKind;
  /** Hex. */
  readonly mac: string;
}

export function macOf(key: Uint8Array, workspace: string, kind: CheckpointKind, { seq, hash }: Head): string {
  return createHmac('sha256', key).update(`sallyport audit\n${kind}\n${workspace}\n${seq}\n${hash}`).digest('hex');
}

/** Whether one of these keys has signed it. */
export function isSigned(keys: readonly Uint8Array[], workspace: string, checkpoint: Checkpoint): boolean {
  const given = Buffer.from(checkpoint.mac, 'hex');
  return keys.some((key) => {
    const expected = Buffer.from(macOf(key, workspace, checkpoint.kind, checkpoint), 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const EVERY_MILLISECONDS = 1000;
/** Rounds between sweeps, which sign what other replicas left unsigned and what was recorded in the transaction of a change. */
const SWEEP_EVERY = 10;
/** Rounds between the creation of partitions for the coming months. */
const AHEAD_EVERY = 3600;
const MONTHS_AHEAD = 3;
const MAX_AT_ONCE = 1000;

export interface SignerOptions {
  /** Called when signing failed. It is retried. */
  readonly onError?: (error: unknown) => void;
  /** @default the platform's */
  readonly timer?: Timer;
}

/** Signs the chains that a replica has written, once a second. */
export class Signer {
  readonly #database: Database;
  readonly #writer: Writer;
  readonly #key: Uint8Array;
  readonly #onError: (error: unknown) => void;
  #due = new Map<string, Head>();
  readonly #timer: Timer;
  #end: (() => void) | undefined;
  #rounds = 0;
  #signing: Promise<void> = Promise.resolve();

  constructor(
    database: Database,
    writer: Writer,
    key: Uint8Array,
    { onError = () => undefined, timer = backgroundTimer }: SignerOptions = {},
  ) {
    this.#database = database;
    this.#writer = writer;
    this.#key = key;
    this.#onError = onError;
    this.#timer = timer;
  }

  /** Starts signing, first what a killed replica has left unsigned. */
  start(): void {
    this.#end ??= repeat(this.#timer, EVERY_MILLISECONDS, () => void this.#round().catch(this.#onError));
    this.sweep().catch(this.#onError);
  }

  async #round(): Promise<void> {
    const round = ++this.#rounds;
    await this.sign();
    if (round % SWEEP_EVERY === 0) await this.sweep();
    if (round % AHEAD_EVERY === 0) await runQuery(() => this.#database.system`select audit_ahead(${MONTHS_AHEAD})`);
  }

  /** Signs the end of every chain that has grown. */
  sign(): Promise<void> {
    for (const [workspace, head] of this.#writer.takeHeads()) this.#due.set(workspace, head);
    // A failed round was reported to its own caller.
    this.#signing = this.#signing.catch(() => undefined).then(() => this.#signDue());
    return this.#signing;
  }

  async #signDue(): Promise<void> {
    const heads = [...this.#due];
    if (heads.length === 0) return;
    await this.#add(heads);
    for (const [workspace, head] of heads) if (this.#due.get(workspace) === head) this.#due.delete(workspace);
  }

  /** Signs the chains of all replicas whose head is unsigned. */
  async sweep(): Promise<void> {
    const rows = await runQuery(
      () =>
        this.#database.system<
          { ws: string; seq: string; hash: Buffer }[]
        >`select * from unsigned_heads(${MAX_AT_ONCE})`,
    );
    await this.#add(rows.map(({ ws, seq, hash }) => [ws, { seq: Number(seq), hash: hash.toString('hex') }]));
  }

  async #add(heads: readonly (readonly [string, Head])[]): Promise<void> {
    if (heads.length === 0) return;
    const macs = heads.map(([workspace, head]) => macOf(this.#key, workspace, 'head', head));
    await runQuery(
      () => this.#database.system`select add_checkpoints(${heads.map(([workspace]) => workspace)}::uuid[],
        ${heads.map(([, { seq }]) => String(seq))}::bigint[], ${heads.map(([, { hash }]) => hash)}::text[], ${macs}::text[])`,
    );
  }

  /** Stops, and signs what is left. Drain the writer first. */
  async stop(): Promise<void> {
    this.#end?.();
    await this.sign();
    await this.sweep();
  }
}
