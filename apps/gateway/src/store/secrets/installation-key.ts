import { type Database, runQuery } from '../database.ts';
import { StoreError } from '../errors.ts';

/**
 * Checks that `SALLYPORT_KEY` is the one that this database was created with. The first key is stored, and so is a new key that
 * is listed together with a known one, as during a rotation. Only digests are stored.
 */
export async function checkInstallationKey(database: Database, digests: readonly Uint8Array[]): Promise<void> {
  const texts = digests.map((digest) => `\\x${Buffer.from(digest).toString('hex')}`);
  const [row] = await runQuery(
    () => database.system<{ is_known: boolean }[]>`select sallyport.know_keys(${texts}::text[]::bytea[]) as is_known`,
  );
  if (row?.is_known === true) return;
  throw new StoreError(
    'invalid',
    'SALLYPORT_KEY is not the key that this database was created with: set that key, or "old,new" to rotate it.',
  );
}
