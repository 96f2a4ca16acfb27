import {
  type AuditKey,
  type Checkpoint,
  genesisOf,
  type Head,
  hashOf,
  type Link,
  type PublicAuditKey,
} from '../links.ts';

export interface AuditRow extends Head, Link {
  /** Proof that the gateway has written it, hex. */
  readonly mac: string;
}

/** A part of a chain in reading order: the start, then rows, each followed by its checkpoints, then the head. */
export type ChainItem =
  | { readonly type: 'row'; readonly row: AuditRow }
  | { readonly type: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly type: 'head'; readonly head: Head };

/**
 * `edit`: a row was changed. `gap`: rows are missing. `order`: a row is duplicated or out of order. `truncated`: the end is
 * missing. `head`: the recorded head differs from the last row. `forged`: a row or a checkpoint was not made by the gateway.
 * `rewritten`: the rows are consistent, but differ from a checkpoint, an anchor store or the anchor. `unsigned`: older rows have no
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
      /** How many heads of `anchors` are in the chain. Those of rows that retention removed are not. */
      readonly compared: number;
      /**
       * Only the export itself says that it begins after `start`: someone may have removed the rows before. Pass `from` or `anchor`.
       * @default false
       */
      readonly isStartClaimed?: true;
    }
  | { readonly isWhole: false; readonly problem: ChainProblem; readonly seq: number };

export interface VerifyOptions {
  /** Audit keys: rows and signatures are checked. @default none: rows are checked by their hashes alone */
  readonly keys?: readonly AuditKey[];
  /** Public keys, with which signatures are checked. @default those of `keys`; without either, signatures are not checked */
  readonly publicKeys?: readonly PublicAuditKey[];
  /** Verifies only the rows after this head, which an earlier run has verified. @default the beginning */
  readonly from?: Head;
  /** Heads that an anchor store outside of the database has kept, and that must be in the chain. @default none */
  readonly anchors?: readonly Head[];
  /** A head that was recorded elsewhere and must be in the chain. @default none */
  readonly anchor?: Head;
  /** Rows written before this time, in milliseconds since 1970, must be signed. @default not checked */
  readonly signedBefore?: number;
  /** Called every 10,000 items with the number of rows and checkpoints read so far. */
  readonly onProgress?: (items: number) => void;
}

const PROGRESS_EVERY = 10_000;
/** In place of a hash, where two different ones were noted. */
const CONTRADICTION = 'contradiction';

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
  readonly #publicKeys: readonly PublicAuditKey[];
  /** The hashes that must still be found, by number: `CONTRADICTION` where anchors disagree. */
  readonly #expected = new Map<number, string>();
  /** The number of a checkpoint whose row was not read before it. */
  #early: number | undefined;
  #hasEnded = false;

  constructor(workspace: string, options: VerifyOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.#publicKeys = options.publicKeys ?? options.keys?.map((key) => key.public) ?? [];
    this.#last = options.from ?? genesisOf(workspace);
    this.#start = this.#last.seq;
    for (const { seq, hash } of [...(options.anchor === undefined ? [] : [options.anchor]), ...(options.anchors ?? [])])
      this.#expected.set(seq, (this.#expected.get(seq) ?? hash) === hash ? hash : CONTRADICTION);
    this.#compare();
  }

  /** Compares the last row with what was noted elsewhere. */
  #compare(): void {
    const { seq, hash } = this.#last;
    const expected = this.#expected.get(seq);
    if (expected === undefined) return;
    ensure(expected === hash, 'rewritten', seq);
    this.#expected.delete(seq);
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
    ensure(this.#early === undefined, 'order', row.seq);
    ensure(row.hash === hashOf(this.#last.hash, row), 'edit', row.seq);
    const { keys } = this.#options;
    const isProved = keys?.some((key) => key.isMac(this.#workspace, row.hash, row.mac)) ?? true;
    ensure(isProved, 'forged', row.seq);
    const { at } = row;
    ensure(at >= this.#at, 'edit', row.seq);
    this.#at = at;
    this.#unsignedSince ??= at;
    this.#last = { seq: row.seq, hash: row.hash };
    this.#rows++;
    this.#compare();
  }

  #takeCheckpoint(checkpoint: Checkpoint): void {
    const isChecked = this.#publicKeys.length > 0;
    const { kind, seq, hash } = checkpoint;
    const isSigned = this.#publicKeys.some((key) => key.hasSigned(this.#workspace, checkpoint));
    ensure(!isChecked || isSigned, 'forged', seq);
    if (kind === 'start' && this.#rows === 0 && seq > this.#last.seq) {
      this.#start = seq;
      this.#last = { seq, hash };
      this.#compare();
    }
    // The next row tells whether rows are missing in the middle or at the end.
    if (seq > this.#last.seq) {
      this.#early ??= seq;
      return;
    }
    ensure(seq === this.#last.seq, 'order', seq);
    ensure(hash === this.#last.hash, 'rewritten', seq);
    if (!isChecked) return;
    this.#signed = seq;
    this.#unsignedSince = undefined;
  }

  #takeHead({ seq, hash }: Head): void {
    ensure(seq <= this.#last.seq, 'truncated', this.#last.seq + 1);
    ensure(seq === this.#last.seq && hash === this.#last.hash, 'head', seq);
    this.#hasEnded = true;
  }

  end(): ChainReport {
    const { anchor, anchors = [], signedBefore } = this.#options;
    ensure(this.#hasEnded && this.#early === undefined, 'truncated', this.#last.seq + 1);
    // Anchors of removed rows cannot be compared any more. An anchor can be noted again, after each removal.
    const missing = [...this.#expected.keys()].filter((seq) => seq > this.#start || seq === anchor?.seq);
    if (missing.length > 0)
      throw new ChainError(Math.max(...missing) > this.#last.seq ? 'truncated' : 'gap', missing[0] as number);
    const isLate = signedBefore !== undefined && (this.#unsignedSince ?? signedBefore) < signedBefore;
    ensure(this.#publicKeys.length === 0 || !isLate, 'unsigned', this.#signed + 1);
    const compared = anchors.filter(({ seq }) => !this.#expected.has(seq)).length;
    return { isWhole: true, start: this.#start, rows: this.#rows, head: this.#last, signed: this.#signed, compared };
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
