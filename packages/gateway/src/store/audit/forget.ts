import type postgres from 'postgres';

/** What was removed. */
export interface Forgotten {
  readonly entries: number;
  readonly approvals: number;
}

/**
 * Removes what was read before a time in all workspaces, and approvals that expired before it. In each named conversation a
 * mark remains: if it continues, every effect needs approval, because the origin of its words is unknown. Content outside named
 * conversations is removed without a mark, because such a conversation never ends. Tool definitions are kept. Needs a
 * connection as the owner of the tables.
 */
export async function forgetBefore(owner: postgres.Sql, before: Date): Promise<Forgotten> {
  // All statements must see the same rows: a mark that was just written must not be removed as old.
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
