import type postgres from 'postgres';
import { StoreError } from '../errors.ts';
import type { AuditKey, Head } from '../links.ts';
import { listWorkspaces } from '../workspaces.ts';
import { verifyChain } from './chain.ts';
import { readChain } from './verify.ts';

/** A monthly partition. */
interface Month {
  readonly name: string;
  readonly end: Date;
}

/** The months that end before a time, oldest first. */
async function monthsBefore(owner: postgres.Sql, before: Date): Promise<readonly Month[]> {
  const rows = await owner<{ name: string }[]>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'sallyport.audit'::regclass and relname ~ '^audit_[0-9]{4}_[0-9]{2}$' order by relname`;
  const months = rows.map(({ name }) => {
    const [, year, month] = name.split('_').map(Number);
    return { name, end: new Date(Date.UTC(year as number, month as number, 1)) };
  });
  return months.filter(({ end }) => end <= before);
}

/** Verifies a chain, and signs the end of a month as its start. The rows before it are not part of the chain any more. */
async function cut(
  sql: postgres.TransactionSql,
  keys: readonly AuditKey[],
  workspace: string,
  end: Head,
): Promise<void> {
  const report = await verifyChain(
    workspace,
    readChain((work) => work(sql), workspace),
    { keys },
  );
  if (!report.isWhole)
    throw new StoreError(
      'conflict',
      `The audit chain of workspace ${workspace} is damaged (${report.problem}): export it before you remove anything.`,
    );
  const { seq, hash } = end;
  const { signature } = (keys[0] as AuditKey).sign(workspace, 'start', end);
  await sql`insert into audit_checkpoints (workspace_id, seq, kind, hash, signature)
    values (${workspace}, ${seq}, 'start', ${Buffer.from(hash, 'hex')}, ${Buffer.from(signature, 'hex')}) on conflict do nothing`;
  await sql`delete from audit_checkpoints
    where workspace_id = ${workspace} and (seq < ${seq} or seq = ${seq} and kind = 'head')`;
}

async function cutMonth(
  owner: postgres.Sql,
  keys: readonly AuditKey[],
  workspace: string,
  { end }: Month,
): Promise<void> {
  await owner.begin(async (sql) => {
    await sql`select sallyport.enter(${workspace}::uuid)`;
    const [last] = await sql<{ seq: string; hash: Buffer }[]>`select seq, hash from audit
      where workspace_id = ${workspace} and at < ${end} order by seq desc limit 1`;
    if (last !== undefined) await cut(sql, keys, workspace, { seq: Number(last.seq), hash: last.hash.toString('hex') });
  });
}

/** Replicas write to the audit meanwhile: they wait this long at most, and then the removal is what fails. */
const LOCK_TIMEOUT = '3s';

/**
 * Removes the months of all audit chains that ended before a time, and returns their names. Each chain keeps a signed start,
 * which distinguishes this removal from tampering. All chains are cut before a month is dropped, each in a short transaction of
 * its own: a run that was interrupted goes on where it ended. Needs a connection as the owner of the tables.
 */
export async function removeBefore(
  owner: postgres.Sql,
  keys: readonly AuditKey[],
  before: Date,
): Promise<readonly string[]> {
  const months = await monthsBefore(owner, before);
  const last = months.at(-1);
  // Once, at the end of the last month: each chain is verified from its start, which takes long.
  if (last !== undefined)
    for (const workspace of await listWorkspaces(owner)) await cutMonth(owner, keys, workspace, last);
  for (const month of months)
    await owner.begin(async (sql) => {
      await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
      await sql`drop table ${sql(`sallyport.${month.name}`)}`;
    });
  return months.map(({ name }) => name);
}
