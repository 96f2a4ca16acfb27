import { ask, type Database } from '../database.ts';
import { StoreError } from '../errors.ts';

/**
 * Sees that the installation's key is the one that this database is used with. The first one is noted, and a new one beside a
 * known one, as while it is changed. Digests alone are kept.
 */
export async function checkKnown(database: Database, digests: readonly Uint8Array[]): Promise<void> {
  const texts = digests.map((digest) => `\\x${Buffer.from(digest).toString('hex')}`);
  const [row] = await ask(
    () => database.system<{ is_known: boolean }[]>`select know_keys(${texts}::text[]::bytea[]) as is_known`,
  );
  if (row?.is_known === true) return;
  throw new StoreError(
    'invalid',
    'SALLYPORT_KEY is not the one that this database was made with: set that one, or old,new to change it.',
  );
}
