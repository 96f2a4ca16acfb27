import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { Signer } from '../../src/store/audit/checkpoint.ts';
import { removeBefore } from '../../src/store/audit/retention.ts';
import { verifyAudit, verifyExport } from '../../src/store/audit/verify.ts';
import { hashOf } from '../../src/store/links.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { Writer } from '../../src/store/writer.ts';
import { eventually } from '../fixture/eventually.ts';
import { give, openChains } from './chain-rig.ts';

const { opened, keys, grow, plant, linesOf } = await openChains();

test('the next replica signs what a killed replica left unsigned', async () => {
  const workspace = await createWorkspace(opened.database, 'killed');
  await new Writer(opened.database).write(workspace, { audit: ['{}'] });
  expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({ signed: 0 });
  await new Signer(opened.database, new Writer(opened.database)).sweep();
  expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({ isWhole: true, signed: 1 });
});

test('a signer signs every second, and when it stops', async () => {
  const workspace = await createWorkspace(opened.database, 'signed');
  const own = new Writer(opened.database);
  const time = new ManualTime();
  const ticking = new Signer(opened.database, own, { timer: time.timer });
  ticking.start();
  await own.write(workspace, { audit: ['1'] });
  expect(time.waiting).toEqual([1000]);
  time.advance(1000);
  const signed = (): Promise<unknown> => verifyAudit(opened.database, workspace, { keys });
  await eventually(async () => expect(await signed()).toMatchObject({ signed: 1 }));
  await own.write(workspace, { audit: ['2'] });
  await ticking.stop();
  expect(await signed()).toMatchObject({ signed: 2 });
  expect(time.waiting).toEqual([]);
});

describe('retention', () => {
  let count = 0;

  /** A chain whose first six rows were written in a month long past. */
  async function agedChain(): Promise<string> {
    const workspace = await createWorkspace(opened.database, `old-${count++}`);
    await opened.attacker.unsafe(`create table if not exists audit_2020_01 partition of audit
      for values from ('2020-01-01Z') to ('2020-02-01Z')`);
    const [old, now] = [new Date('2020-01-05Z'), new Date(Math.floor(Date.now() / 1000) * 1000)];
    await plant(
      workspace,
      Array.from({ length: 9 }, (_, index) => ({ at: index < 6 ? old : now, payload: '{}' })),
    );
    return workspace;
  }

  test('does not look like a gap to a verification that has begun', async () => {
    const workspace = await agedChain();
    const { database } = opened;
    let reads = 0;
    const racing = {
      inWorkspace: async (...given: Parameters<typeof database.inWorkspace>) => {
        // After the start was read, and before the rows are.
        if (++reads === 4) await removeBefore(opened.attacker, keys, new Date('2020-02-01Z'));
        return database.inWorkspace(...given);
      },
    } as unknown as typeof database;
    expect(await verifyAudit(racing, workspace, { keys })).toMatchObject({ isWhole: true, start: 6, rows: 3 });
    expect(reads).toBeGreaterThan(5);
  });

  test('removes old months and leaves a whole chain with a signed start', async () => {
    const workspace = await agedChain();
    const owner = postgres(opened.ownerUrl, { max: 1, onnotice: () => undefined });
    await opened.attacker`alter table audit_2020_01 owner to current_user`;
    const [row] = await opened.attacker`select tableowner from pg_tables where tablename = 'audit'`;
    await opened.attacker.unsafe(`alter table audit_2020_01 owner to ${row?.tableowner}`);
    await removeOthers(workspace);
    // A month is dropped as a whole: its rows are not deleted one by one before.
    await opened.attacker.unsafe(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'deleted one by one'; end $$`);
    await opened.attacker.unsafe(
      'create trigger refuse before delete on audit_2020_01 for each row execute function refuse()',
    );
    expect(await removeBefore(owner, keys, new Date('2020-01-31Z'))).toEqual([]);
    expect(await removeBefore(owner, keys, new Date('2020-02-01Z'))).toEqual(['audit_2020_01']);
    await owner.end();
    const expected = { isWhole: true, start: 6, rows: 3, signed: 9 };
    expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject(expected);
    expect(await verifyExport(give(await linesOf(workspace)), { keys })).toMatchObject(expected);
    await grow(workspace, 1);
    expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({ ...expected, rows: 4 });
    const before = { seq: 2, hash: hashOf('', { seq: 2, at: 0, payload: '' }) };
    expect(await verifyAudit(opened.database, workspace, { keys, anchor: before })).toMatchObject({
      problem: 'gap',
      seq: 2,
    });
    await opened.attacker`delete from audit where workspace_id = ${workspace} and seq = 7`;
    expect(await verifyAudit(opened.database, workspace, { keys })).toMatchObject({ problem: 'gap', seq: 7 });
  });

  test('refuses a damaged chain, so that it does not hide the damage', async () => {
    const workspace = await agedChain();
    await opened.attacker`update audit set payload = '[]' where workspace_id = ${workspace} and seq = 2`;
    await expect(removeBefore(opened.attacker, keys, new Date('2020-02-01Z'))).rejects.toThrow('is damaged (edit)');
    await opened.attacker`drop table audit_2020_01`;
  });

  /** Removes the chains that other tests have damaged. */
  async function removeOthers(workspace: string): Promise<void> {
    await opened.attacker`delete from audit_2020_01 where workspace_id <> ${workspace}`;
  }

  test('partitions for the coming months exist, and a second call creates none', async () => {
    const count = (): Promise<unknown> =>
      opened.attacker`select count(*)::int as count from pg_inherits where inhparent = 'audit'::regclass`;
    const before = await count();
    await opened.database.system`select sallyport.audit_ahead(3)`;
    expect(await count()).toEqual(before);
    expect(before).toEqual([{ count: 5 }]);
  });
});
