import type { Database } from './database.ts';

/** Longer than anything that is done alone: the transaction is idle meanwhile. */
const MAX_IDLE = '120s';

/** Does work that only one replica may do at a time in a workspace. Undefined if another one does it at the moment. */
export function whileAlone<T>(
  database: Database,
  workspace: string,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  return database.inWorkspace(workspace, async (sql) => {
    const [lock] = await sql<{ is_free: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${name} ${workspace}`}, 0)) as is_free,
        set_config('idle_in_transaction_session_timeout', ${MAX_IDLE}, true)`;
    return lock?.is_free === true ? work() : undefined;
  });
}
