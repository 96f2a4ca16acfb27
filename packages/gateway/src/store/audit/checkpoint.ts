import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Timer } from '@sallyport/core/stages';
import { platformTimer, repeat } from '../../timer.ts';
import { ask, type Database } from '../database.ts';
import type { Head, Writer } from '../writer.ts';

/** `head`: the chain had this hash then. `start`: what stood up to here was removed on purpose. */
export type CheckpointKind = 'head' | 'start';

/** A place of the chain that the gateway has signed, by a key that the database does not hold. */
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
/** So often, in rounds of signing: what others have left, and what was noted beside a change. */
const SWEEP_EVERY = 10;
/** So often the partitions of the months to come are made. */
const AHEAD_EVERY = 3600;
const MONTHS_AHEAD = 3;
const MAX_AT_ONCE = 1000;

export interface SignerOptions {
  /** Told when nothing could be signed. It is tried again. @default nobody */
  readonly onError?: (error: unknown) => void;
  /** @default the platform's */
  readonly timer?: Timer;
}

/** Signs the chains that a replica has written, each second. */
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
    { onError = () => undefined, timer = platformTimer }: SignerOptions = {},
  ) {
    this.#database = database;
    this.#writer = writer;
    this.#key = key;
    this.#onError = onError;
    this.#timer = timer;
  }

  /** Begins, with what a replica that was killed has left. */
  start(): void {
    this.#end ??= repeat(this.#timer, EVERY_MILLISECONDS, () => void this.#round().catch(this.#onError));
    this.sweep().catch(this.#onError);
  }

  async #round(): Promise<void> {
    const round = ++this.#rounds;
    await this.sign();
    if (round % SWEEP_EVERY === 0) await this.sweep();
    if (round % AHEAD_EVERY === 0) await ask(() => this.#database.system`select audit_ahead(${MONTHS_AHEAD})`);
  }

  /** Signs the end of every chain that has grown. */
  sign(): Promise<void> {
    for (const [workspace, head] of this.#writer.takeHeads()) this.#due.set(workspace, head);
    this.#signing = this.#signing.catch(() => undefined).then(() => this.#signDue());
    return this.#signing;
  }

  async #signDue(): Promise<void> {
    const heads = [...this.#due];
    if (heads.length === 0) return;
    await this.#add(heads);
    for (const [workspace, head] of heads) if (this.#due.get(workspace) === head) this.#due.delete(workspace);
  }

  /** Signs the chains, of any replica, whose end nobody has signed. */
  async sweep(): Promise<void> {
    const rows = await ask(
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
    await ask(
      () => this.#database.system`select add_checkpoints(${heads.map(([workspace]) => workspace)}::uuid[],
        ${heads.map(([, { seq }]) => String(seq))}::bigint[], ${heads.map(([, { hash }]) => hash)}::text[], ${macs}::text[])`,
    );
  }

  /** Ends, and signs what is left. Drain the writer before. */
  async stop(): Promise<void> {
    this.#end?.();
    await this.sign();
    await this.sweep();
  }
}
