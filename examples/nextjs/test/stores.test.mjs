// The stores, against a real PostgreSQL.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { approvalStore, heldStore, TABLES } from '../lib/stores.ts';
import { createDatabase } from './application.mjs';

const NOW = 1_000_000;
const GIVEN = {
  key: 'k',
  scope: 'once',
  conversation: 'c',
  tool: 'pay',
  values: [],
  rule: 'r',
  by: 'ann',
  created: NOW,
};

describe('the stores', () => {
  let database;
  let pool;
  let approvals;

  before(async () => {
    database = await createDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 20 });
    // Connections that are closing when the database is dropped.
    pool.on('error', () => undefined);
    await pool.query(TABLES);
    approvals = approvalStore(pool);
  });
  after(async () => {
    await pool.end();
    await database.drop();
  });

  it('let one of many processes take the last use', async () => {
    for (const uses of [1, 3]) {
      const key = `race-${uses}`;
      await approvals.add({ ...GIVEN, id: key, key, uses });
      const taken = await Promise.all(Array.from({ length: 40 }, () => approvals.take(['other', key], NOW)));
      assert.equal(taken.filter((each) => each !== undefined).length, uses);
      assert.deepEqual(
        taken.flatMap((each) => each?.uses ?? []).sort(),
        Array.from({ length: uses }, (_, at) => at + 1),
      );
    }
  });

  it('take the approval of the first key, whatever its age, and none that has expired', async () => {
    await approvals.add({ ...GIVEN, id: 'old', key: 'second' });
    await approvals.add({ ...GIVEN, id: 'new', key: 'first', created: NOW + 1 });
    await approvals.add({ ...GIVEN, id: 'over', key: 'zeroth', until: NOW });
    assert.equal((await approvals.take(['zeroth', 'first', 'second'], NOW))?.id, 'new');
    assert.equal((await approvals.take(['zeroth'], NOW - 1))?.id, 'over');
    assert.equal(await approvals.take(['none'], NOW), undefined);
    assert.equal(await approvals.take([], NOW), undefined);
  });

  it('give an approval back as it was, and end it once', async () => {
    const approval = { ...GIVEN, id: 'a', key: 'ka', scope: 'always', owner: 'ann', until: NOW + 5, cell: 'x' };
    await approvals.add(approval);
    assert.deepEqual(await approvals.take(['ka'], NOW), approval);
    assert.deepEqual(await approvals.list({ conversation: 'other', owner: 'ann' }), [approval]);
    assert.deepEqual(await approvals.list({ conversation: 'other', owner: 'ben' }), []);
    assert.equal(await approvals.revoke('a'), true);
    assert.equal(await approvals.revoke('a'), false);
  });

  it('list held calls by conversation, by owner, or all', async () => {
    const held = heldStore(pool);
    const calls = [
      { id: '1', conversation: 'c', owner: 'ann', created: 1 },
      { id: '2', conversation: 'd', owner: 'ann', created: 2 },
      { id: '3', conversation: 'e', created: 3 },
    ];
    for (const call of calls) await held.put(call);
    const ids = async (place) => (await held.list(place)).map(({ id }) => id).join();
    assert.deepEqual(
      [await ids({ conversation: 'c' }), await ids({ owner: 'ann' }), await ids({})],
      ['1', '1,2', '1,2,3'],
    );
    await held.put({ ...calls[0], rejection: { by: 'ann' } });
    assert.deepEqual((await held.get('1')).rejection, { by: 'ann' });
    await held.delete('1');
    assert.equal(await held.get('1'), undefined);
  });
});
