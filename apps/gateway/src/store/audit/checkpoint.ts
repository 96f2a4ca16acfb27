import { backgroundTimer } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';
import { repeat } from '../../timer.ts';
import { type Database, runQuery } from '../database.ts';
import type { Checkpoint, Head } from '../links.ts';
import type { Writer } from '../writer.ts';
import type { AnchorStore } from './anchors.ts';

const EVERY_MILLISECONDS = 1000;
/** Rounds between sweeps, which sign what other replicas left unsigned and what was recorded in the transaction of a change. */
const SWEEP_EVERY = 10;
/** Rounds between publications of signed heads outside of the database. */
const PUBLISH_EVERY = 60;
/** Rounds between the creation of partitions for the coming months. */
const AHEAD_EVERY = 3600;
const MONTHS_AHEAD = 3;
const MAX_AT_ONCE = 1000;

interface HeadRow {
  readonly ws: string;
  readonly seq: string;
  readonly hash: string;
  readonly signature: string;
}

export interface SignerOptions {
  /** Called when signing failed, or a chain is damaged. It is retried. */
  readonly onError?: (error: unknown) => void;
  /** Keeps signed heads outside of the database. @default none */
  readonly anchorStore?: AnchorStore | undefined;
  /** @default the platform's */
  readonly timer?: Timer;
}

/** Signs the chains that a replica has written, once a second. It signs only what continues what this process has verified. */
export class Signer {
  readonly #database: Database;
  readonly #writer: Writer;
  readonly #anchorStore: AnchorStore | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #due = new Map<string, Head>();
  /** The newest signed head of each chain. */
  readonly #signed = new Map<string, Checkpoint>();
  /** Set while the anchor store has not kept the latest heads. */
  get lacksAnchors(): boolean {
    return this.#lacksAnchors;
  }

  /** The number of the last head that the anchor store has, by workspace. */
  readonly #anchored = new Map<string, number>();
  readonly #timer: Timer;
  #end: (() => void) | undefined;
  #rounds = 0;
  #lacksAnchors = false;
  #signing: Promise<void> = Promise.resolve();

  constructor(
    database: Database,
    writer: Writer,
    { onError = () => undefined, anchorStore, timer = backgroundTimer }: SignerOptions = {},
  ) {
    this.#database = database;
    this.#writer = writer;
    this.#anchorStore = anchorStore;
    this.#onError = onError;
    this.#timer = timer;
  }

  /** Starts signing, first what a killed replica has left unsigned. */
  start(): void {
    this.#end ??= repeat(this.#timer, EVERY_MILLISECONDS, () => void this.#round().catch(this.#onError));
    this.sweep()
      .then(() => this.#verifyEnds())
      .catch(this.#onError);
  }

  /** Reports chains that do not continue what was signed, such as those of a database that was set back: before a call meets one. */
  async #verifyEnds(): Promise<void> {
    const rows = await runQuery(() => this.#database.system<{ ws: string }[]>`select ws from sallyport.signed_heads()`);
    // A chain that was set back to its beginning has no signature any more.
    const known = new Set([...rows.map(({ ws }) => ws), ...(this.#anchorStore?.workspaces() ?? [])]);
    for (const workspace of known)
      await this.#database.chains.catchUp(this.#database.system, workspace).catch(this.#onError);
  }

  async #round(): Promise<void> {
    const round = ++this.#rounds;
    await this.sign();
    if (round % SWEEP_EVERY === 0) await this.sweep();
    if (round % PUBLISH_EVERY === 0) await this.publish();
    if (round % AHEAD_EVERY === 0)
      await runQuery(() => this.#database.system`select sallyport.audit_ahead(${MONTHS_AHEAD})`);
  }

  /** Signs the end of every chain that has grown. */
  sign(): Promise<void> {
    for (const [workspace, head] of this.#writer.takeHeads()) this.#due.set(workspace, head);
    // A failed round was reported to its own caller.
    this.#signing = this.#signing.catch(() => undefined).then(() => this.#signDue());
    return this.#signing;
  }

  async #signDue(): Promise<void> {
    for (const [workspace, head] of [...this.#due]) {
      await this.#add(workspace, head);
      if (this.#due.get(workspace) === head) this.#due.delete(workspace);
    }
  }

  /** Verifies and signs the chains of all replicas whose end is unsigned. A damaged one is reported, and not signed. */
  async sweep(): Promise<void> {
    const rows = await runQuery(
      () => this.#database.system<{ ws: string }[]>`select sallyport.unsigned_chains(${MAX_AT_ONCE}) as ws`,
    );
    for (const { ws } of rows)
      try {
        await this.#add(ws, await this.#database.chains.catchUp(this.#database.system, ws));
      } catch (cause) {
        this.#onError(cause);
      }
  }

  async #add(workspace: string, head: Head): Promise<void> {
    const checkpoint = this.#database.chains.key.sign(workspace, 'head', head);
    const { seq, hash, signature } = checkpoint;
    await runQuery(
      () => this.#database.system`select sallyport.add_checkpoint(${workspace}::uuid, ${seq}, ${hash}, ${signature})`,
    );
    this.#note(workspace, checkpoint);
  }

  #note(workspace: string, checkpoint: Checkpoint): void {
    if (checkpoint.seq > (this.#signed.get(workspace)?.seq ?? 0)) this.#signed.set(workspace, checkpoint);
  }

  /** Notes what all replicas have signed. A signature that the gateway did not make is left to verification. */
  async #noteAll(): Promise<void> {
    const rows = await runQuery(
      () => this.#database.system<HeadRow[]>`select ws, seq, hash, signature from sallyport.signed_heads()`,
    );
    for (const { ws, seq, hash, signature } of rows) {
      const checkpoint = { seq: Number(seq), hash, kind: 'head', signature } as const;
      if (this.#database.chains.isSigned(ws, checkpoint)) this.#note(ws, checkpoint);
    }
  }

  /** Gives the anchor store the heads that it lacks, whichever replica signed them. What it could not keep is given again. */
  async publish(): Promise<void> {
    const store = this.#anchorStore;
    if (store === undefined) return;
    // Without the database, this replica still knows what it has signed itself.
    await this.#noteAll().catch(this.#onError);
    const heads = new Map(
      [...this.#signed].filter(([workspace, { seq }]) => seq > (this.lastAnchored(workspace) ?? 0)),
    );
    try {
      await store.publish(heads);
      this.#lacksAnchors = false;
    } catch (cause) {
      this.#lacksAnchors = true;
      throw cause;
    }
    for (const [workspace, { seq }] of heads) this.#anchored.set(workspace, seq);
  }

  /** The number of the last head that the anchor store has; undefined if it has none, or if there is no store. */
  lastAnchored(workspace: string): number | undefined {
    return this.#anchored.get(workspace) ?? this.#anchorStore?.last(workspace)?.seq;
  }

  /** Stops, and signs what is left. Drain the writer first. */
  async stop(): Promise<void> {
    this.#end?.();
    await this.sign();
    await this.sweep();
    await this.publish();
  }
}
