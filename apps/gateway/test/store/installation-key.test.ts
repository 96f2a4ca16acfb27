import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInstallationKey } from '../../src/store/secrets/installation-key.ts';
import { freshDatabase, type TestDatabase } from '../fixture/database.ts';

let opened: TestDatabase;
const digest = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

beforeAll(async () => {
  opened = await freshDatabase();
});

afterAll(() => opened.drop());

test('the first key is accepted, and a new key only together with a known one', async () => {
  const { database } = opened;
  await checkInstallationKey(database, [digest(1)]);
  await checkInstallationKey(database, [digest(1)]);
  await expect(checkInstallationKey(database, [digest(2)])).rejects.toThrow(
    'not the key that this database was created with',
  );
  await expect(checkInstallationKey(database, [digest(2), digest(3)])).rejects.toMatchObject({ problem: 'invalid' });
  await checkInstallationKey(database, [digest(2), digest(1)]);
  await checkInstallationKey(database, [digest(2)]);
  await expect(checkInstallationKey(database, [digest(3)])).rejects.toThrow('old,new');
});
