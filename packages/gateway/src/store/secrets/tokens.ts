import type { StoredTokens, TokenStore } from '../../upstream/oauth-tokens.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Database, Transaction } from '../database.ts';
import type { Vault } from './vault.ts';

/** Runs queries in a transaction of their own, or in one that is open. */
type Run = <T>(query: (sql: Transaction) => Promise<T>) => Promise<T>;

/** Waiting for a token endpoint occupies a connection to the database: no more than this many at a time in a replica. */
const MAX_HELD = 3;
const turns = new WeakMap<Database, Turns>();

/** Lets a few tasks run at a time, in the order in which they came. */
class Turns {
  #free = MAX_HELD;
  readonly #waiting: (() => void)[] = [];

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/** Tokens that are read and written by `tokensWith`. The lock ends with its transaction, even if the replica is killed. */
function storeOf(
  database: Database,
  workspace: string,
  binding: readonly string[],
  tokensWith: (run: Run) => StoredTokens,
): TokenStore {
  const own = turns.get(database) ?? new Turns();
  turns.set(database, own);
  return {
    ...tokensWith((query) => database.inWorkspace(workspace, query)),
    exclusively: (work) =>
      own.run(() =>
        database.inWorkspace(workspace, async (sql) => {
          await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(binding)}, 0))`;
          return work(tokensWith((query) => query(sql)));
        }),
      ),
  };
}

/** The gateway's tokens for one server, sealed and shared by all replicas. */
export function tokenStore(database: Database, vault: Vault, workspace: string, server: string): TokenStore {
  const binding = [workspace, server, 'tokens'] as const;
  return storeOf(database, workspace, binding, (run) => ({
    async read() {
      const [row] = await run(
        (sql) =>
          sql<{ body: string }[]>`select body from tokens where workspace_id = ${workspace} and server = ${server}`,
      );
      return row === undefined ? undefined : vault.open(row.body, binding);
    },
    async write(text) {
      const sealed = vault.seal(text, binding);
      await run(
        (sql) => sql`insert into tokens (workspace_id, server, body) values (${workspace}, ${server}, ${sealed})
          on conflict (workspace_id, server) do update set body = excluded.body, changed_at = now()`,
      );
    },
  }));
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
  const store = storeOf(database, workspace, binding, (run) => ({
    async read() {
      const [row] = await run(
        (sql) => sql<{ body: string }[]>`select body from person_tokens
          where workspace_id = ${workspace} and server = ${server} and principal = ${principal}`,
      );
      return row === undefined ? undefined : vault.open(row.body, binding);
    },
    async write(text) {
      // Only if the connection was not removed meanwhile.
      await run(
        (sql) => sql`update person_tokens set body = ${vault.seal(text, binding)}, changed_at = now()
          where workspace_id = ${workspace} and server = ${server} and principal = ${principal}`,
      );
    },
  }));
  return {
    ...store,
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
