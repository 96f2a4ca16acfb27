import type { StoredTokens, TokenStore } from '../../upstream/oauth-tokens.ts';
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
export function lockedTokens(
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
  return lockedTokens(database, workspace, binding, (run) => ({
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
