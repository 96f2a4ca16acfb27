import type postgres from 'postgres';

/** What was removed. */
export interface Forgotten {
  readonly entries: number;
  readonly approvals: number;
}

/**
 * Removes what conversations of all workspaces had read before a time, and approvals that ended before it. A mark stays in
 * place of each conversation's part: whoever goes on with it is asked about every effect, as nobody knows whose words are
 * whose. Asked as the owner of the tables, not as the application.
 */
export async function forgetBefore(owner: postgres.Sql, before: Date): Promise<Forgotten> {
  return owner.begin(async (sql) => {
    await sql`set local search_path to sallyport`;
    const old = sql`select workspace_id, conversation, max(id) as id from log where at < ${before} group by 1, 2`;
    const marked = await sql`update log set body = '' from (${old}) last
      where log.workspace_id = last.workspace_id and log.conversation = last.conversation and log.id = last.id and body <> ''`;
    const removed = await sql`delete from log using (${old}) last
      where log.workspace_id = last.workspace_id and log.conversation = last.conversation and log.id < last.id`;
    const approvals = await sql`delete from approvals where until < ${before}`;
    return { entries: marked.count + removed.count, approvals: approvals.count };
  });
}
