import type { TokenStore } from '../../upstream/oauth-tokens.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Database, Transaction } from '../database.ts';
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
    exclusively: (work) => locked(database, workspace, binding, work),
  };
}

/** The lock ends with its transaction, even if the replica is killed. */
function locked<T>(
  database: Database,
  workspace: string,
  binding: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  return database.inWorkspace(workspace, async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(binding)}, 0))`;
    return work();
  });
}

/** The tokens of one person for one server. */
export interface PersonTokenStore extends TokenStore {
  /** Stores the tokens of a new connection, and writes it to the audit. */
  connect(text: string): Promise<void>;
  /** Returns whether there was a connection. */
  disconnect(): Promise<boolean>;
}

/** The tokens of one person for one server, sealed for this person and shared by all replicas. */
export function personTokenStore(
  database: Database,
  vault: Vault,
  { workspace, server, principal }: { readonly workspace: string; readonly server: string; readonly principal: string },
): PersonTokenStore {
  const binding = [workspace, server, principal, 'person-tokens'] as const;
  const put = (sql: Transaction, text: string): Promise<unknown> =>
    sql`insert into person_tokens (workspace_id, server, principal, body)
      values (${workspace}, ${server}, ${principal}, ${vault.seal(text, binding)})
      on conflict (workspace_id, server, principal) do update set body = excluded.body, changed_at = now()`;
  const audit = (sql: Transaction, what: 'connected' | 'disconnected'): Promise<void> =>
    recordAudit(database, sql, workspace, { type: 'server', what, server, by: principal });
  return {
    async read() {
      const [row] = await database.inWorkspace(
        workspace,
        (sql) => sql<{ body: string }[]>`select body from person_tokens
          where workspace_id = ${workspace} and server = ${server} and principal = ${principal}`,
      );
      return row === undefined ? undefined : vault.open(row.body, binding);
    },
    async write(text) {
      // Only if the connection was not removed meanwhile.
      await database.inWorkspace(
        workspace,
        (sql) => sql`update person_tokens set body = ${vault.seal(text, binding)}, changed_at = now()
          where workspace_id = ${workspace} and server = ${server} and principal = ${principal}`,
      );
    },
    exclusively: (work) => locked(database, workspace, binding, work),
    connect: (text) =>
      database.inWorkspace(workspace, async (sql) => {
        await put(sql, text);
        await audit(sql, 'connected');
      }),
    disconnect: () =>
      database.inWorkspace(workspace, async (sql) => {
        const { count } = await sql`delete from person_tokens
          where workspace_id = ${workspace} and server = ${server} and principal = ${principal}`;
        if (count > 0) await audit(sql, 'disconnected');
        return count > 0;
      }),
  };
}
