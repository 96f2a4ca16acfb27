import type postgres from 'postgres';

/** What was removed. */
export interface Forgotten {
  readonly entries: number;
  readonly approvals: number;
}

/**
 * Removes what was read before a time in all workspaces, and approvals that ended before it. In place of each named
 * conversation's part a mark stays: whoever goes on with it is asked about every effect, as nobody knows whose words are whose.
 * What was read in no named conversation goes without one: nothing else ends it. What servers say of their tools stays.
 * Asked as the owner of the tables, not as the application.
 */
export async function forgetBefore(owner: postgres.Sql, before: Date): Promise<Forgotten> {
  // Both statements must see the same rows: a mark that was just made must not be taken for old.
  return owner.begin('isolation level repeatable read', async (sql) => {
    await sql`set local search_path to sallyport`;
    const isOwn = sql`conversation like '%,"own"]'`;
    const old = sql`select workspace_id, conversation, max(id) as id from log
      where at < ${before} and conversation not like '%,"definitions"]' and not (${isOwn}) group by 1, 2`;
    const marked = await sql`update log set body = '' from (${old}) last
      where log.workspace_id = last.workspace_id and log.conversation = last.conversation and log.id = last.id and body <> ''`;
    const removed = await sql`delete from log using (${old}) last
      where log.workspace_id = last.workspace_id and log.conversation = last.conversation and log.id < last.id`;
    const own = await sql`delete from log where at < ${before} and ${isOwn}`;
    const approvals = await sql`delete from approvals where until < ${before}`;
    return { entries: marked.count + removed.count + own.count, approvals: approvals.count };
  });
}
