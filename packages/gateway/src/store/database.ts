import postgres from 'postgres';
import { ARRAYS } from './array.ts';

/** Runs queries: the pool, or a transaction of it. */
export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

export interface DatabaseOptions {
  /** Maximum number of connections. @default 10 */
  readonly max?: number;
}

const MAX_CONNECTIONS = 10;
const CONNECT_SECONDS = 3;
const STATEMENT_MILLISECONDS = 5000;
const IDLE_MILLISECONDS = 10_000;
/** A stopped server cannot enforce its own timeout, so the client has one too. */
const ANSWER_MILLISECONDS = 8000;

/** The role of the application: it owns no table and cannot bypass row-level security. */
const APP_ROLE = 'sallyport_app';

/** Rejects a query that takes too long. Whether it was executed is then unknown. */
async function withTimeout<T>(work: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(
      `The database did not answer within ${ANSWER_MILLISECONDS} milliseconds: check that it is running and not overloaded.`,
    );
    timer = setTimeout(() => reject(error), ANSWER_MILLISECONDS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The server is shutting down (57P01) or has crashed (57P02). */
const RESTARTING: ReadonlySet<unknown> = new Set(['57P01', '57P02']);
const MAX_TRIES = 32;

/**
 * After a reconnect, the driver rejects the first query with the old connection's last error, without having sent it. This
 * retries such a query. A query that was in progress is rejected with another code, so nothing is executed twice.
 */
async function retryOnRestart<T>(work: () => Promise<T>, canRetry: () => boolean = () => true): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !RESTARTING.has((error as { code?: unknown }).code) || !canRetry()) throw error;
    }
  }
}

/** Runs a query in one round trip, within a time limit. */
export function runQuery<T>(query: () => PromiseLike<T>): Promise<T> {
  return withTimeout(retryOnRestart(async () => query()));
}

/** Whether a query failed because its connection was lost, rather than by an error of the server. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && error.name !== 'PostgresError' && 'query' in error;
}

/** Never settles. */
function pendingForever(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * A transaction that sends nothing more once its connection is lost. Otherwise the driver would write the next query or the
 * rollback to a closed socket, which ends the process. The driver rejects the transaction itself.
 */
async function begin<T>(system: Sql, mode: string, work: (sql: Transaction) => Promise<T>): Promise<T> {
  let hasEnded = false;
  const done = system.begin(mode, async (sql) => {
    const apply = (target: Transaction, self: unknown, given: unknown[]): unknown => {
      if (hasEnded) throw new Error('The connection to the database was lost: try again.');
      return Reflect.apply(target, self, given);
    };
    try {
      const value = await work(new Proxy(sql, { apply: apply as never }));
      return hasEnded ? await pendingForever() : value;
    } catch (error) {
      return hasEnded || isConnectionLost(error) ? await pendingForever() : Promise.reject(error);
    }
  });
  try {
    return (await done) as T;
  } finally {
    hasEnded = true;
  }
}

const RETIRED_SECONDS = 60;

/** The database as the application's role sees it. */
export class Database {
  readonly #open: (onclose: () => void) => Sql;
  #pool: Sql;
  #isClosing = false;

  constructor(open: (onclose: () => void) => Sql) {
    this.#open = open;
    this.#pool = this.#renew();
  }

  /** Replaces a pool that lost a connection, because the driver never uses a connection again that was lost while writing. */
  #renew(): Sql {
    const pool = this.#open(() => {
      if (this.#isClosing || this.#pool !== pool) return;
      this.#pool = this.#renew();
      // The old pool is broken already; its queries are rejected to their callers.
      pool.end({ timeout: RETIRED_SECONDS }).catch(() => undefined);
    });
    return pool;
  }

  /**
   * The pool outside any workspace: row-level security hides every row. Use it for SQL functions that take a workspace. Do not
   * store it, because it is replaced after a lost connection.
   */
  get system(): Sql {
    return this.#pool;
  }

  /** Runs `work` in one transaction in one workspace. Rows of other workspaces can be neither read nor written. */
  async inWorkspace<T>(workspace: string, work: (sql: Transaction) => Promise<T>, mode = ''): Promise<T> {
    let hasBegun = false;
    const transaction = (): Promise<T> =>
      begin(this.system, mode, async (sql) => {
        hasBegun = true;
        await sql`select enter(${workspace}::uuid)`;
        return work(sql);
      });
    return retryOnRestart(transaction, () => !hasBegun);
  }

  /** Resolves if the database answers with the right role, and rejects otherwise. */
  async check(): Promise<void> {
    const [row] = await runQuery(() => this.system<{ role: string }[]>`select current_user as role`);
    if (row?.role !== APP_ROLE) throw new Error(`The database role must be ${APP_ROLE}; received ${row?.role}.`);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#pool.end({ timeout: 5 });
  }
}

/** Opens a pool whose connections all have the application's role. Run `migrate` first. */
export function openDatabase(url: string, { max = MAX_CONNECTIONS }: DatabaseOptions = {}): Database {
  return new Database((onclose) =>
    postgres(url, {
      max,
      // No planned reconnects: a closed connection is always a fault.
      max_lifetime: null,
      connect_timeout: CONNECT_SECONDS,
      backoff: false,
      fetch_types: false,
      types: ARRAYS,
      onnotice: () => undefined,
      onclose,
      connection: {
        application_name: 'sallyport',
        role: APP_ROLE,
        search_path: 'sallyport, pg_catalog',
        statement_timeout: STATEMENT_MILLISECONDS,
        idle_in_transaction_session_timeout: IDLE_MILLISECONDS,
      },
    }),
  );
}
