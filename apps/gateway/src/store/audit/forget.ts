import type postgres from 'postgres';
import { listWorkspaces } from '../workspaces.ts';

export interface Forgotten {
  readonly entries: number;
  readonly approvals: number;
}

async function forgetIn(sql: postgres.TransactionSql, workspace: string, before: Date): Promise<Forgotten> {
  await sql`select sallyport.enter(${workspace}::uuid)`;
  const isOld = sql`workspace_id = ${workspace} and at < ${before}`;
  const isOwn = sql`(conversation like '%,"own"]' or conversation like '%,"refused"]')`;
  const old = sql`select conversation, max(id) as id from log
    where ${isOld} and conversation not like '%,"definitions"]' and not (${isOwn}) group by 1`;
  const marked = await sql`update log set body = '' from (${old}) last
    where log.workspace_id = ${workspace} and log.conversation = last.conversation and log.id = last.id and body <> ''`;
  // By the time too, so that an index finds them.
  const removed = await sql`delete from log using (${old}) last where log.workspace_id = ${workspace}
    and log.at < ${before} and log.conversation = last.conversation and log.id < last.id`;
  const own = await sql`delete from log where ${isOld} and ${isOwn}`;
  const approvals = await sql`delete from approvals where workspace_id = ${workspace} and until < ${before}`;
  const lasting = await sql`delete from lasting_approvals where workspace_id = ${workspace} and until < ${before}`;
  await sql`delete from findings where workspace_id = ${workspace} and at < ${before}`;
  await sql`update feedback set text = null where workspace_id = ${workspace} and at < ${before} and text is not null`;
  return { entries: marked.count + removed.count + own.count, approvals: approvals.count + lasting.count };
}

/**
 * Removes what was read before a time in all workspaces, and approvals that expired before it. In each named conversation a
 * mark remains: if it continues, every effect needs approval, because the origin of its words is unknown. Content outside named
 * conversations is removed without a mark, because such a conversation never ends. Tool definitions are kept. Each workspace is
 * a transaction of its own. Needs a connection as the owner of the tables.
 */
export async function forgetBefore(owner: postgres.Sql, before: Date): Promise<Forgotten> {
  let [entries, approvals] = [0, 0];
  for (const workspace of await listWorkspaces(owner)) {
    // All statements must see the same rows: a mark that was just written must not be removed as old.
    const forgotten = await owner.begin('isolation level repeatable read', (sql) => forgetIn(sql, workspace, before));
    entries += forgotten.entries;
    approvals += forgotten.approvals;
  }
  return { entries, approvals };
}
