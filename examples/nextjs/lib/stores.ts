// Where approvals and held calls are kept, so that every process of the application sees the same.
import type { ApprovalStore, HeldStore, StoredApproval, StoredHeldCall } from '@sallyport/core';
import type { Pool } from 'pg';

export const TABLES = `
  CREATE TABLE IF NOT EXISTS approvals (
    id text PRIMARY KEY,
    key text NOT NULL,
    conversation text NOT NULL,
    owner text,
    scope text NOT NULL,
    created bigint NOT NULL,
    until bigint,
    uses integer,
    approval jsonb NOT NULL
  );
  CREATE INDEX IF NOT EXISTS approvals_key ON approvals (key);
  CREATE TABLE IF NOT EXISTS held_calls (
    id text PRIMARY KEY,
    conversation text NOT NULL,
    owner text,
    created bigint NOT NULL,
    call jsonb NOT NULL
  );
  CREATE INDEX IF NOT EXISTS held_calls_owner ON held_calls (owner, conversation);
`;

// #region approvals
interface ApprovalRow {
  readonly approval: StoredApproval;
  readonly uses: number | null;
}

/** The approval as it was given, with the uses that are left. */
function approvalOf({ approval, uses }: ApprovalRow): StoredApproval {
  return uses === null ? approval : { ...approval, uses };
}

// One statement: of two processes that take the last use, the second waits for the row, then finds it used and takes no row.
// What is returned is the approval before this use.
const TAKE = `
  UPDATE approvals SET uses = uses - 1
  WHERE id = (
    SELECT id FROM approvals
    WHERE key = ANY($1) AND (until IS NULL OR until > $2) AND (uses IS NULL OR uses > 0)
    ORDER BY array_position($1, key), created
    LIMIT 1
    FOR UPDATE
  )
  RETURNING approval, uses + 1 AS uses`;

export function approvalStore(pool: Pool): ApprovalStore {
  return {
    async take(keys, now) {
      const { rows } = await pool.query<ApprovalRow>(TAKE, [keys, now]);
      return rows[0] && approvalOf(rows[0]);
    },
    async add(approval) {
      const { id, key, conversation, owner, scope, created, until, uses } = approval;
      await pool.query(
        'INSERT INTO approvals VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING',
        [...[id, key, conversation, owner, scope, created, until, uses], JSON.stringify(approval)],
      );
    },
    async list({ conversation, owner }) {
      const { rows } = await pool.query<ApprovalRow>(
        `SELECT approval, uses FROM approvals
         WHERE (scope = 'always' AND owner = $2) OR (scope <> 'always' AND conversation = $1) ORDER BY created`,
        [conversation, owner],
      );
      return rows.map(approvalOf);
    },
    async revoke(id) {
      const { rowCount } = await pool.query('DELETE FROM approvals WHERE id = $1', [id]);
      return rowCount === 1;
    },
  };
}
// #endregion approvals

// #region held
export function heldStore(pool: Pool): HeldStore {
  return {
    async put(call) {
      await pool.query(
        'INSERT INTO held_calls VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE SET call = excluded.call',
        [call.id, call.conversation, call.owner, call.created, JSON.stringify(call)],
      );
    },
    async get(id) {
      const { rows } = await pool.query<{ call: StoredHeldCall }>('SELECT call FROM held_calls WHERE id = $1', [id]);
      return rows[0]?.call;
    },
    async list({ conversation, owner }) {
      const { rows } = await pool.query<{ call: StoredHeldCall }>(
        `SELECT call FROM held_calls
         WHERE ($1::text IS NULL OR conversation = $1) AND ($2::text IS NULL OR owner = $2) ORDER BY created`,
        [conversation, owner],
      );
      return rows.map(({ call }) => call);
    },
    async delete(id) {
      await pool.query('DELETE FROM held_calls WHERE id = $1', [id]);
    },
  };
}
// #endregion held
