import { type Label, promoteMemory, restoreMemory, type SavedMemory, storeMemory } from '@sallyport/core';
import { parseJson } from '@sallyport/core/json';
import type { Asker } from './approvals.ts';
import { recordAudit } from './audit/audit.ts';
import type { Database } from './database.ts';
import { StoreError } from './errors.ts';

/** The principal whose agent wrote it, and the conversation. */
export interface Author extends Asker {
  readonly conversation: string;
}

export type Lifecycle = 'candidate' | 'canonical';

/** A submission as it is listed. */
export interface SubmissionInfo {
  readonly id: string;
  readonly principal: string;
  readonly conversation: string;
  readonly label: Label;
  readonly lifecycle: Lifecycle;
  /** Digest of exactly this text: promoting it does not promote another. */
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

function isStorable(text: string): boolean {
  return text !== '' && !text.includes('\0') && text.isWellFormed() && Buffer.byteLength(text) <= 2000;
}

/** A stored text that is not valid is read as a candidate with the lowest label. */
function restore({ body }: Pick<SubmissionRow, 'body'>): SavedMemory {
  return restoreMemory(parseJson(body), () => undefined);
}

function missing(): StoreError {
  return new StoreError('missing', 'There is no submission of that id: read the list of submissions.');
}

/** The submissions of agents in all workspaces. A submission is a candidate until a person promotes it. */
export class Submissions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores what an agent has written. A stored submission is not replaced. */
  async add({ workspace, principal, conversation }: Author, submission: SavedMemory): Promise<void> {
    const { id, digest, label, lifecycle } = submission;
    if (![id, principal, conversation].every(isStorable))
      throw new StoreError(
        'invalid',
        'The ids of a submission and its conversation must have 1 to 2000 bytes and no NUL.',
      );
    if (lifecycle !== 'candidate')
      throw new StoreError('invalid', 'An agent can only add candidates: a person promotes them.');
    await this.#database.inWorkspace(workspace, async (sql) => {
      const { count } =
        await sql`insert into submissions (workspace_id, id, principal, conversation, body, digest, label)
        values (${workspace}, ${id}, ${principal}, ${conversation}, ${JSON.stringify(storeMemory(submission))}, ${digest},
          ${JSON.stringify(label)}::text::jsonb) on conflict do nothing`;
      if (count === 0) throw new StoreError('conflict', 'A submission of that id exists already: choose another id.');
    });
  }

  async find(workspace: string, id: string): Promise<SavedMemory | undefined> {
    if (!isStorable(id)) return undefined;
    const [row] = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<SubmissionRow[]>`select * from submissions where workspace_id = ${workspace} and id = ${id}`,
    );
    return row === undefined ? undefined : restore(row);
  }

  /** Newest first. */
  async list(workspace: string, lifecycle?: Lifecycle): Promise<readonly SubmissionInfo[]> {
    const rows = await this.#database.inWorkspace(
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

  /** Promotes the submission that a person was shown under a digest. */
  async promote(workspace: string, id: string, digest: string, by: string): Promise<SavedMemory> {
    if (!isStorable(id)) throw missing();
    return this.#database.inWorkspace(workspace, async (sql) => {
      const [row] = await sql<SubmissionRow[]>`
        select * from submissions where workspace_id = ${workspace} and id = ${id} for update`;
      if (row === undefined) throw missing();
      const candidate = restore(row);
      if (row.lifecycle !== 'candidate' || candidate.digest !== digest)
        throw new StoreError('conflict', 'The submission was promoted already, or has another digest: read it again.');
      const promoted = promoteMemory(candidate, { by, at: Date.now() });
      await sql`update submissions set lifecycle = 'canonical', promoted_by = ${by}, promoted_at = now(),
        body = ${JSON.stringify(storeMemory(promoted))}, digest = ${promoted.digest},
        label = ${JSON.stringify(promoted.label)}::text::jsonb where workspace_id = ${workspace} and id = ${id}`;
      await recordAudit(this.#database, sql, workspace, { type: 'submission', what: 'promoted', id, digest, by });
      return promoted;
    });
  }
}
