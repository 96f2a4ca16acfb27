import type postgres from 'postgres';
import { StoreError } from '../errors.ts';
import type { Head } from '../writer.ts';
import { verifyChain } from './chain.ts';
import { macOf } from './checkpoint.ts';
import { readChain } from './verify.ts';

/** The audit keys. The first one signs. */
type Ring = Uint8Array | readonly Uint8Array[];

/** The monthly partitions that end before a time, oldest first. */
async function partsBefore(sql: postgres.TransactionSql, before: Date): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'audit'::regclass and relname ~ '^audit_[0-9]{4}_[0-9]{2}$' order by relname`;
  const endOf = (name: string): number => {
    const [, year, month] = name.split('_').map(Number);
    return Date.UTC(year as number, month as number, 1);
  };
  return rows.map(({ name }) => name).filter((name) => endOf(name) <= before.getTime());
}

/** Removes the beginning of one chain, after verifying it, and leaves a signed start. */
async function cut(sql: postgres.TransactionSql, ring: Ring, workspace: string, end: Head): Promise<void> {
  const report = await verifyChain(workspace, readChain(sql, workspace), { key: ring });
  if (!report.isWhole)
    throw new StoreError(
      'conflict',
      `The audit chain of workspace ${workspace} is damaged (${report.problem}): export it before you remove anything.`,
    );
  const { seq, hash } = end;
  const mac = macOf([ring].flat()[0] as Uint8Array, workspace, 'start', end);
  await sql`insert into audit_checkpoints (workspace_id, seq, kind, hash, mac)
    values (${workspace}, ${seq}, 'start', ${Buffer.from(hash, 'hex')}, ${Buffer.from(mac, 'hex')}) on conflict do nothing`;
  await sql`delete from audit_checkpoints
    where workspace_id = ${workspace} and (seq < ${seq} or seq = ${seq} and kind = 'head')`;
  await sql`delete from audit where workspace_id = ${workspace} and seq <= ${seq}`;
}

/**
 * Removes the months of all audit chains that ended before a time, and returns their names. Each chain keeps a signed start,
 * which distinguishes this removal from tampering. Needs a connection as the owner of the tables.
 */
export async function removeBefore(owner: postgres.Sql, key: Ring, before: Date): Promise<readonly string[]> {
  return owner.begin(async (sql) => {
    await sql`set local search_path to sallyport`;
    const names = await partsBefore(sql, before);
    for (const name of names) {
      const ends = await sql<{ ws: string; seq: string; hash: Buffer }[]>`
        select distinct on (workspace_id) workspace_id as ws, seq, hash from ${sql(name)} order by workspace_id, seq desc`;
      for (const { ws, seq, hash } of ends) await cut(sql, key, ws, { seq: Number(seq), hash: hash.toString('hex') });
      await sql`drop table ${sql(name)}`;
    }
    return names;
  });
}
