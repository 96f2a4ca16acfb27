import { type Label, promoteMemory, restoreMemory, type SavedMemory, storeMemory } from '@sallyport/core';
import type { Asker } from './approvals.ts';
import { note } from './audit/audit.ts';
import type { Database } from './database.ts';
import { StoreError } from './errors.ts';

/** Whose agent wrote it, and where. */
export interface Author extends Asker {
  readonly conversation: string;
}

export type Lifecycle = 'candidate' | 'canonical';

/** What an agent wrote, as it is listed. */
export interface SubmissionInfo {
  readonly id: string;
  readonly principal: string;
  readonly conversation: string;
  readonly label: Label;
  readonly lifecycle: Lifecycle;
  /** Names exactly this text: who promotes it promotes nothing else. */
  readonly digest: string;
  readonly madeAt: Date;
  readonly promotedBy: string | undefined;
}

interface SubmissionRow {
  readonly id: string;
  readonly principal: string;
  readonly conversation: string;
  readonly body: string;
  readonly label: Label;
  readonly lifecycle: Lifecycle;
  readonly digest: string;
  readonly made_at: Date;
  readonly promoted_by: string | null;
}

const MAX_LISTED = 1000;

function isKept(text: string): boolean {
  return text !== '' && !text.includes('\0') && text.isWellFormed() && Buffer.byteLength(text) <= 2000;
}

/** A text that does not validate is read as a candidate of the lowest label. */
function restore({ body }: Pick<SubmissionRow, 'body'>): SavedMemory {
  return restoreMemory(JSON.parse(body), () => undefined);
}

function missing(): StoreError {
  return new StoreError('missing', 'There is no such submission: see the list.');
}

/** What agents have written in all workspaces. It is a candidate until a person promotes it. */
export class Submissions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Keeps what an agent has written. What is there is not replaced. */
  async add({ workspace, principal, conversation }: Author, submission: SavedMemory): Promise<void> {
    const { id, digest, label, lifecycle } = submission;
    if (![id, principal, conversation].every(isKept))
      throw new StoreError('invalid', 'Ids of a submission and its conversation have 1 to 2000 bytes and no NUL.');
    if (lifecycle !== 'candidate')
      throw new StoreError('invalid', 'An agent writes candidates: a person promotes them.');
    await this.#database.within(workspace, async (sql) => {
      const { count } =
        await sql`insert into submissions (workspace_id, id, principal, conversation, body, digest, label)
        values (${workspace}, ${id}, ${principal}, ${conversation}, ${JSON.stringify(storeMemory(submission))}, ${digest},
          ${JSON.stringify(label)}::text::jsonb) on conflict do nothing`;
      if (count === 0) throw new StoreError('conflict', 'There is a submission of that id: choose another one.');
    });
  }

  async find(workspace: string, id: string): Promise<SavedMemory | undefined> {
    if (!isKept(id)) return undefined;
    const [row] = await this.#database.within(
      workspace,
      (sql) => sql<SubmissionRow[]>`select * from submissions where workspace_id = ${workspace} and id = ${id}`,
    );
    return row === undefined ? undefined : restore(row);
  }

  /** The latest first. */
  async list(workspace: string, lifecycle?: Lifecycle): Promise<readonly SubmissionInfo[]> {
    const rows = await this.#database.within(
      workspace,
      (sql) => sql<SubmissionRow[]>`select * from submissions
        where workspace_id = ${workspace} and lifecycle = coalesce(${lifecycle ?? null}, lifecycle)
        order by made_at desc, id limit ${MAX_LISTED}`,
    );
    return rows.map(({ made_at: madeAt, promoted_by: by, body: _, ...row }) => ({
      id: row.id,
      principal: row.principal,
      conversation: row.conversation,
      label: row.label,
      lifecycle: row.lifecycle,
      digest: row.digest,
      madeAt,
      promotedBy: by ?? undefined,
    }));
  }

  /** A person stands for what was shown to him under a digest. */
  async promote(workspace: string, id: string, digest: string, by: string): Promise<SavedMemory> {
    if (!isKept(id)) throw missing();
    return this.#database.within(workspace, async (sql) => {
      const [row] = await sql<SubmissionRow[]>`
        select * from submissions where workspace_id = ${workspace} and id = ${id} for update`;
      if (row === undefined) throw missing();
      const candidate = restore(row);
      if (row.lifecycle !== 'candidate' || candidate.digest !== digest)
        throw new StoreError('conflict', 'It was promoted already, or is not what was shown: look at it again.');
      const promoted = promoteMemory(candidate, { by, at: Date.now() });
      await sql`update submissions set lifecycle = 'canonical', promoted_by = ${by}, promoted_at = now(),
        body = ${JSON.stringify(storeMemory(promoted))}, digest = ${promoted.digest},
        label = ${JSON.stringify(promoted.label)}::text::jsonb where workspace_id = ${workspace} and id = ${id}`;
      await note(sql, workspace, { type: 'submission', what: 'promoted', id, digest, by });
      return promoted;
    });
  }
}
