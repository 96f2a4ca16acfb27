import postgres from 'postgres';
import { ARRAYS } from './array.ts';
import { type AuditOptions, Chains } from './chains.ts';
import { StoreError } from './errors.ts';

/** Runs queries: the pool, or a transaction of it. */
export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

export interface DatabaseOptions {
  /** Maximum number of connections. @default 10 */
  readonly max?: number;
  /** The keys and anchors of the audit. @default none: nothing can be written to the audit */
  readonly audit?: AuditOptions;
}

const MAX_CONNECTIONS = 10;
const CONNECT_SECONDS = 3;
/** A stopped server cannot enforce its own timeout, so the client has one too. */
const ANSWER_MILLISECONDS = 8000;

interface RoleRow {
  readonly role: string;
  readonly passes: boolean;
  readonly owns: boolean;
  readonly is_member: boolean;
  readonly timeout: string;
}

/** Why the gateway must not connect as a role. The first reason that applies; undefined if it may. */
function roleProblem({ role, passes, owns, is_member, timeout }: RoleRow): string | undefined {
  if (passes) return `The role ${role} bypasses row-level security: connect as a role without SUPERUSER and BYPASSRLS.`;
  if (owns) return `The role ${role} owns the tables: DATABASE_URL must name a role that owns nothing.`;
  if (!is_member) return `The role ${role} is not a member of sallyport_app: grant sallyport_app to ${role}.`;
  if (timeout === '0') return `The role ${role} has no time limit: alter role ${role} set statement_timeout = '5s'.`;
  return undefined;
}

/** Rejects a query that takes too long. It may have been executed. */
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

/** Distinguishes a lost connection from an error of the server. */
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

/** The database as the role of the application sees it, which owns no table and cannot bypass row-level security. */
export class Database {
  /** The audit chains, as far as this process has verified them. */
  readonly chains: Chains;
  readonly #open: (onclose: () => void) => Sql;
  #pool: Sql;
  #isClosing = false;

  constructor(open: (onclose: () => void) => Sql, audit: AuditOptions = { keys: [] }) {
    this.chains = new Chains(audit);
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
        await sql`select sallyport.enter(${workspace}::uuid)`;
        return work(sql);
      });
    return retryOnRestart(transaction, () => !hasBegun);
  }

  /** Resolves if the database answers and the role owns nothing and is bound by row-level security; rejects otherwise. */
  async check(): Promise<void> {
    const [row] = await runQuery(
      () => this.system<RoleRow[]>`
        select rolname as role, rolsuper or rolbypassrls as passes, current_setting('statement_timeout') as timeout,
          pg_has_role(oid, 'sallyport_app', 'usage') as is_member,
          exists (select from pg_class where relnamespace = to_regnamespace('sallyport') and pg_has_role(pg_roles.oid, relowner, 'member')) as owns
        from pg_roles where rolname = current_user`,
    );
    const problem = roleProblem(row as RoleRow);
    if (problem !== undefined) throw new StoreError('invalid', problem);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#pool.end({ timeout: 5 });
  }
}

/**
 * Opens a pool for the application's role. Run `migrate` first. Nothing is set for a connection, because a pooler shares it
 * with others: the schema is in every statement, and limits are those of the role and of each transaction.
 */
export function openDatabase(url: string, { max = MAX_CONNECTIONS, audit }: DatabaseOptions = {}): Database {
  return new Database(
    (onclose) =>
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
        connection: { application_name: 'sallyport' },
      }),
    audit,
  );
}
