import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkKnown } from '../../src/store/secrets/checked-keys.ts';
import { freshDatabase, type TestDatabase } from '../fixture/database.ts';

let opened: TestDatabase;
const digest = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

beforeAll(async () => {
  opened = await freshDatabase();
});

afterAll(() => opened.drop());

test('the first key counts, a new one beside a known one, and no other', async () => {
  const { database } = opened;
  await checkKnown(database, [digest(1)]);
  await checkKnown(database, [digest(1)]);
  await expect(checkKnown(database, [digest(2)])).rejects.toThrow('not the one that this database was made with');
  await expect(checkKnown(database, [digest(2), digest(3)])).rejects.toMatchObject({ problem: 'invalid' });
  await checkKnown(database, [digest(2), digest(1)]);
  await checkKnown(database, [digest(2)]);
  await expect(checkKnown(database, [digest(3)])).rejects.toThrow('old,new');
});
