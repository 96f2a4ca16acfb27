import { createHash } from 'node:crypto';
import type { Head } from '../writer.ts';
import { type Checkpoint, isSigned } from './checkpoint.ts';

export interface AuditRow extends Head {
  readonly payload: string;
  /** When it was written, in milliseconds since 1970. Unknown in an export. */
  readonly at?: number;
}

/** A part of a chain in reading order: the start, then rows, each followed by its checkpoints, then the head. */
export type ChainItem =
  | { readonly type: 'row'; readonly row: AuditRow }
  | { readonly type: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly type: 'head'; readonly head: Head };

/**
 * `edit`: a row was changed. `gap`: rows are missing. `order`: a row is duplicated or out of order. `truncated`: the end is
 * missing. `head`: the recorded head differs from the last row. `forged`: a checkpoint was not signed by the gateway.
 * `rewritten`: the rows are consistent, but differ from a checkpoint or from the anchor. `unsigned`: older rows have no
 * checkpoint. `malformed`: not an export.
 */
export type ChainProblem =
  | 'edit'
  | 'gap'
  | 'order'
  | 'truncated'
  | 'head'
  | 'forged'
  | 'rewritten'
  | 'unsigned'
  | 'malformed';

/** The result of verifying an audit chain. */
export type ChainReport =
  | {
      readonly isWhole: true;
      /** Sequence number before the first row: 0, or the last row that was removed. */
      readonly start: number;
      readonly rows: number;
      readonly head: Head;
      /** Sequence number of the last valid checkpoint; 0 if no key was given. */
      readonly signed: number;
    }
  | { readonly isWhole: false; readonly problem: ChainProblem; readonly seq: number };

export interface VerifyOptions {
  /** The audit key, or several if it was rotated. @default none: signatures are not checked */
  readonly key?: Uint8Array | readonly Uint8Array[];
  /** A head that was recorded elsewhere and must be in the chain. @default none */
  readonly anchor?: Head;
  /** Rows written before this time, in milliseconds since 1970, must be signed. @default not checked */
  readonly signedBefore?: number;
  /** Called every 10,000 items with the number of rows and checkpoints read so far. */
  readonly onProgress?: (items: number) => void;
}

const PROGRESS_EVERY = 10_000;

/** Ends the reading at the first problem. */
export class ChainError extends Error {
  readonly problem: ChainProblem;
  readonly seq: number;

  constructor(problem: ChainProblem, seq: number) {
    super(`${problem} at ${seq}`);
    this.problem = problem;
    this.seq = seq;
  }
}

export function hashOf(before: string, seq: number, payload: string): string {
  const number = Buffer.alloc(8);
  number.writeBigInt64BE(BigInt(seq));
  return createHash('sha256').update(before, 'hex').update(number).update(payload, 'utf8').digest('hex');
}

/** The hash before the first row of a workspace's chain. */
function genesisOf(workspace: string): string {
  return createHash('sha256').update(workspace.replaceAll('-', ''), 'hex').digest('hex');
}

function ensure(isTrue: boolean, problem: ChainProblem, seq: number): void {
  if (!isTrue) throw new ChainError(problem, seq);
}

/** Verifies a chain row by row. */
class Chain {
  readonly #workspace: string;
  readonly #options: VerifyOptions;
  #start = 0;
  #last: Head;
  #rows = 0;
  #signed = 0;
  #at = Number.NEGATIVE_INFINITY;
  #unsignedSince: number | undefined;
  #isAnchored: boolean;
  #hasEnded = false;

  constructor(workspace: string, options: VerifyOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.#last = { seq: 0, hash: genesisOf(workspace) };
    this.#isAnchored = options.anchor === undefined;
    this.#compareAnchor();
  }

  #compareAnchor(): void {
    const { anchor } = this.#options;
    if (anchor?.seq !== this.#last.seq) return;
    ensure(anchor.hash === this.#last.hash, 'rewritten', anchor.seq);
    this.#isAnchored = true;
  }

  take(item: ChainItem): void {
    if (item.type === 'row') this.#takeRow(item.row);
    else if (item.type === 'checkpoint') this.#takeCheckpoint(item.checkpoint);
    else this.#takeHead(item.head);
  }

  #takeRow(row: AuditRow): void {
    const expected = this.#last.seq + 1;
    ensure(row.seq >= expected && !this.#hasEnded, 'order', row.seq);
    ensure(row.seq === expected, 'gap', expected);
    ensure(row.hash === hashOf(this.#last.hash, row.seq, row.payload), 'edit', row.seq);
    const { at = this.#at } = row;
    ensure(at >= this.#at, 'edit', row.seq);
    this.#at = at;
    this.#unsignedSince ??= at;
    this.#last = { seq: row.seq, hash: row.hash };
    this.#rows++;
    this.#compareAnchor();
  }

  #takeCheckpoint(checkpoint: Checkpoint): void {
    const { key } = this.#options;
    const { kind, seq, hash } = checkpoint;
    ensure(key === undefined || isSigned([key].flat(), this.#workspace, checkpoint), 'forged', seq);
    if (kind === 'start' && this.#rows === 0 && seq > this.#last.seq) {
      this.#start = seq;
      this.#last = { seq, hash };
      this.#compareAnchor();
    }
    ensure(seq <= this.#last.seq, 'truncated', this.#last.seq + 1);
    ensure(seq === this.#last.seq, 'order', seq);
    ensure(hash === this.#last.hash, 'rewritten', seq);
    if (key === undefined) return;
    this.#signed = seq;
    this.#unsignedSince = undefined;
  }

  #takeHead({ seq, hash }: Head): void {
    ensure(seq <= this.#last.seq, 'truncated', this.#last.seq + 1);
    ensure(seq === this.#last.seq && hash === this.#last.hash, 'head', seq);
    this.#hasEnded = true;
  }

  end(): ChainReport {
    const { key, anchor, signedBefore } = this.#options;
    ensure(this.#hasEnded, 'truncated', this.#last.seq + 1);
    // An anchor before the start cannot be compared any more: note a later one.
    ensure(this.#isAnchored, (anchor as Head)?.seq > this.#last.seq ? 'truncated' : 'gap', anchor?.seq ?? 0);
    const isLate = signedBefore !== undefined && (this.#unsignedSince ?? signedBefore) < signedBefore;
    ensure(key === undefined || !isLate, 'unsigned', this.#signed + 1);
    return { isWhole: true, start: this.#start, rows: this.#rows, head: this.#last, signed: this.#signed };
  }
}

/** Verifies a chain up to its end or its first problem. */
export async function verifyChain(
  workspace: string,
  items: AsyncIterable<ChainItem>,
  options: VerifyOptions = {},
): Promise<ChainReport> {
  try {
    const chain = new Chain(workspace, options);
    let count = 0;
    for await (const item of items) {
      chain.take(item);
      if (++count % PROGRESS_EVERY === 0) options.onProgress?.(count);
    }
    return chain.end();
  } catch (error) {
    if (error instanceof ChainError) return { isWhole: false, problem: error.problem, seq: error.seq };
    throw error;
  }
}
