import type postgres from 'postgres';
import {
  type AuditKey,
  type Checkpoint,
  type CheckpointKind,
  genesisOf,
  type Head,
  hashOf,
  type Link,
} from './links.ts';

type Sql = postgres.Sql | postgres.TransactionSql;

/** Rows that are written at once, all or none. */
export interface Appended {
  readonly conversations: readonly string[];
  readonly bodies: readonly string[];
  readonly lines: readonly string[];
}

/** How far a replica has verified a chain. */
export interface View extends Head {
  readonly at: number;
}

interface AppendRow {
  readonly is_written: boolean;
  readonly places: readonly string[] | null;
}

export interface AuditOptions {
  /** The first one proves what is written; all of them verify. */
  readonly keys: readonly AuditKey[];
  /** The last head of a workspace that an anchor store outside of the database knows. @default none */
  readonly anchors?: (workspace: string) => Head | undefined;
}

const PAGE = 1000;

const NEXT =
  'Run `sallyport audit verify`. If the database was restored from a backup, move the folder of SALLYPORT_ANCHORS away and start the replicas again.';

/** The chain in the database is not what this replica has verified before. Nothing is written to it any more. */
export class AuditDamage extends Error {
  override readonly name = 'AuditDamage';
  readonly code = 'AUDIT_DAMAGED';
  readonly workspace: string;

  constructor(workspace: string, seq: number, problem: string) {
    super(`The audit chain of workspace ${workspace} is damaged at row ${seq}: ${problem}. ${NEXT}`);
    this.workspace = workspace;
  }
}

/**
 * The known end of each chain. A row is written only after one that was verified, and only what was verified is signed:
 * a chain that was changed in the database is not continued.
 */
export class Chains {
  readonly #options: AuditOptions;
  readonly #views = new Map<string, View>();
  /** Milliseconds that the clock of the database is ahead. */
  #ahead = 0;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  get key(): AuditKey {
    const [key] = this.#options.keys;
    if (key === undefined) throw new TypeError('The database was opened without an audit key: it can only be read.');
    return key;
  }

  /** Checks that one of the keys has signed a head. */
  isSigned(workspace: string, checkpoint: Checkpoint): boolean {
    return this.#options.keys.some((key) => key.public.hasSigned(workspace, checkpoint));
  }

  /** Writes if no other replica has written since. Returns the positions in the log and the new end; undefined if nothing was written. */
  async append(
    sql: Sql,
    workspace: string,
    { conversations, bodies, lines }: Appended,
    seen?: View,
  ): Promise<{ readonly places: readonly number[]; readonly head: View } | undefined> {
    const isPlain = lines.length === 0;
    const view = seen ?? (isPlain ? { ...genesisOf(workspace), at: 0 } : await this.#view(sql, workspace));
    const at = Math.max(view.at, Date.now() + this.#ahead);
    const [hashes, macs]: [string[], string[]] = [[], []];
    let { seq, hash } = view;
    for (const payload of lines) {
      hash = hashOf(hash, { seq: ++seq, at, payload });
      hashes.push(hash);
      macs.push(this.key.macOf(workspace, hash));
    }
    const [row] = await sql<
      AppendRow[]
    >`select * from sallyport.append_entries(${workspace}::uuid, ${[...conversations]}::text[],
      ${[...bodies]}::text[], ${view.seq}, ${view.hash}, ${at}, ${[...lines]}::text[], ${hashes}::text[], ${macs}::text[])`;
    if (row?.is_written !== true) return undefined;
    return { places: (row.places ?? []).map(Number), head: { seq, hash, at } };
  }

  /** Remembers what was committed. */
  advance(workspace: string, head: View): void {
    if (head.seq >= (this.#views.get(workspace)?.seq ?? 0)) this.#views.set(workspace, head);
  }

  async #view(sql: Sql, workspace: string): Promise<View> {
    return this.#views.get(workspace) ?? this.catchUp(sql, workspace);
  }

  /** Verifies what others have committed, and remembers it. Not within a transaction that has written. */
  async catchUp(sql: Sql, workspace: string): Promise<View> {
    const view = await this.sync(sql, workspace);
    this.advance(workspace, view);
    return view;
  }

  /** Verifies what was written since, and returns the end. Throws if it does not continue what was verified before. */
  async sync(sql: Sql, workspace: string): Promise<View> {
    let view = this.#views.get(workspace) ?? (await this.#begin(sql, workspace));
    for (let isMore = true; isMore; ) {
      const rows = await this.#read(sql, workspace, view.seq);
      for (const row of rows) view = this.#verified(workspace, view, row);
      isMore = rows.length === PAGE;
    }
    return view;
  }

  /** Where verification begins: at what an anchor store knows, or at the last valid signature, or at the first row. */
  async #begin(sql: Sql, workspace: string): Promise<View> {
    const rows = await sql<{ seq: string; kind: CheckpointKind; hash: string; signature: string; clock: string }[]>`
      select * from sallyport.last_checkpoints(${workspace}::uuid)`;
    const signed = rows.map((row): Checkpoint => ({ ...row, seq: Number(row.seq) }));
    const valid = signed.filter((each) => this.isSigned(workspace, each));
    const start = valid.find(({ kind }) => kind === 'start');
    const known = this.#options.anchors?.(workspace) ?? valid[0] ?? genesisOf(workspace);
    const begin = start !== undefined && start.seq > known.seq ? start : known;
    if (begin.seq > 0 && begin.seq !== start?.seq) {
      const [row] = await this.#read(sql, workspace, begin.seq - 1, 1);
      if (row?.seq !== begin.seq) throw new AuditDamage(workspace, begin.seq, 'a row that was signed is missing');
      if (row.hash !== begin.hash) throw new AuditDamage(workspace, begin.seq, 'it differs from what was signed');
      return { seq: begin.seq, hash: begin.hash, at: row.at };
    }
    return { seq: begin.seq, hash: begin.hash, at: 0 };
  }

  async #read(
    sql: Sql,
    workspace: string,
    after: number,
    most: number = PAGE,
  ): Promise<readonly (Link & { hash: string; mac: string })[]> {
    const rows = await sql<{ seq: string; at: string; payload: string; hash: string; mac: string; clock: string }[]>`
      select * from sallyport.rows_after(${workspace}::uuid, ${after}, ${most})`;
    const [row] = rows;
    if (row !== undefined) this.#ahead = Number(row.clock) - Date.now();
    return rows.map((each) => ({ ...each, seq: Number(each.seq), at: Number(each.at) }));
  }

  #verified(workspace: string, view: View, row: Link & { hash: string; mac: string }): View {
    const { seq, at, hash, mac } = row;
    if (seq !== view.seq + 1) throw new AuditDamage(workspace, view.seq + 1, 'the row is missing');
    if (hash !== hashOf(view.hash, row) || at < view.at) throw new AuditDamage(workspace, seq, 'it was changed');
    if (!this.#options.keys.some((key) => key.isMac(workspace, hash, mac)))
      throw new AuditDamage(workspace, seq, 'the gateway has not written it');
    return { seq, hash, at };
  }
}
