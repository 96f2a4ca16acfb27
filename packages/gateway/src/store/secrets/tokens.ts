import type { TokenStore } from '../../upstream/credentials.ts';
import type { Database } from '../database.ts';
import type { Vault } from './vault.ts';

/** The gateway's tokens for one server, sealed and shared by all replicas. */
export function tokenStore(database: Database, vault: Vault, workspace: string, server: string): TokenStore {
  const binding = [workspace, server, 'tokens'] as const;
  return {
    async read() {
      const [row] = await database.inWorkspace(
        workspace,
        (sql) =>
          sql<{ body: string }[]>`select body from tokens where workspace_id = ${workspace} and server = ${server}`,
      );
      return row === undefined ? undefined : vault.open(row.body, binding);
    },
    async write(text) {
      const sealed = vault.seal(text, binding);
      await database.inWorkspace(
        workspace,
        (sql) => sql`insert into tokens (workspace_id, server, body) values (${workspace}, ${server}, ${sealed})
          on conflict (workspace_id, server) do update set body = excluded.body, changed_at = now()`,
      );
    },
    /** The lock ends with its transaction, even if the replica is killed. */
    exclusively: (work) =>
      database.inWorkspace(workspace, async (sql) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(binding)}, 0))`;
        return work();
      }),
  };
}
