import postgres from 'postgres';
import { ARRAYS } from './array.ts';

/** What a query is asked by: the pool, or a transaction of it. */
export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

export interface DatabaseOptions {
  /** Connections at most. @default 10 */
  readonly max?: number;
}

const MAX_CONNECTIONS = 10;
const CONNECT_SECONDS = 3;
const STATEMENT_MILLISECONDS = 5000;
const IDLE_MILLISECONDS = 10_000;
/** A server that is stopped keeps no time of its own. */
const ANSWER_MILLISECONDS = 8000;

/** The role that owns nothing and cannot pass by row-level security. */
const APP_ROLE = 'sallyport_app';

/** Rejects what takes too long. Whether it was done is then unknown. */
async function inTime<T>(work: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error('The database has not answered in time: see whether it runs, and what it is busy with.');
    timer = setTimeout(() => reject(error), ANSWER_MILLISECONDS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The server was told to stop, stopped, or starts. */
const RESTARTING: ReadonlySet<unknown> = new Set(['57P01', '57P02']);
const MAX_TRIES = 32;

/**
 * The driver gives a connection's last error also to the first query after it has connected again, which it did not send.
 * A query that was really under way is rejected with another code, so nothing is done twice here.
 */
async function again<T>(work: () => Promise<T>, canRetry: () => boolean = () => true): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !RESTARTING.has((error as { code?: unknown }).code) || !canRetry()) throw error;
    }
  }
}

/** Asks in one round trip, within a time limit. */
export function ask<T>(query: () => PromiseLike<T>): Promise<T> {
  return inTime(again(async () => query()));
}

/** Whether a query failed because its connection did, and not by an answer of the server. */
function isLost(error: unknown): boolean {
  return error instanceof Error && error.name !== 'PostgresError' && 'query' in error;
}

/** Never settles. */
function silence(): Promise<never> {
  return new Promise(() => undefined);
}

/**
 * A transaction that asks no more once its connection is lost. The driver would write to a socket that is gone, in the next
 * query or in its rollback, and end the process by that. It rejects the transaction by itself.
 */
async function begin<T>(system: Sql, mode: string, work: (sql: Transaction) => Promise<T>): Promise<T> {
  let hasEnded = false;
  const done = system.begin(mode, async (sql) => {
    const apply = (target: Transaction, self: unknown, given: unknown[]): unknown => {
      if (hasEnded) throw new Error('The connection to the database was lost: do it again.');
      return Reflect.apply(target, self, given);
    };
    try {
      const value = await work(new Proxy(sql, { apply: apply as never }));
      return hasEnded ? await silence() : value;
    } catch (error) {
      return hasEnded || isLost(error) ? await silence() : Promise.reject(error);
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

  /** The driver never again sends anything by a connection that was lost while it wrote: such a pool is replaced. */
  #renew(): Sql {
    const pool = this.#open(() => {
      if (this.#isClosing || this.#pool !== pool) return;
      this.#pool = this.#renew();
      pool.end({ timeout: RETIRED_SECONDS }).catch(() => undefined);
    });
    return pool;
  }

  /** Outside of any workspace: tables look empty. For functions that name their workspace. Do not keep it: it is replaced. */
  get system(): Sql {
    return this.#pool;
  }

  /** Does work in one transaction within one workspace. No row of another one can be read or written. */
  async within<T>(workspace: string, work: (sql: Transaction) => Promise<T>, mode = ''): Promise<T> {
    let hasBegun = false;
    const transaction = (): Promise<T> =>
      begin(this.system, mode, async (sql) => {
        hasBegun = true;
        await sql`select enter(${workspace}::uuid)`;
        return work(sql);
      });
    return again(transaction, () => !hasBegun);
  }

  /** Resolves where the database answers, and rejects otherwise. */
  async check(): Promise<void> {
    const [row] = await ask(() => this.system<{ role: string }[]>`select current_user as role`);
    if (row?.role !== APP_ROLE) throw new Error(`The database is asked as ${row?.role}: it must be ${APP_ROLE}.`);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#pool.end({ timeout: 5 });
  }
}

/** Opens a pool whose connections all have the application's role. Run `migrate` before. */
export function openDatabase(url: string, { max = MAX_CONNECTIONS }: DatabaseOptions = {}): Database {
  return new Database((onclose) =>
    postgres(url, {
      max,
      // A connection that ends is a fault.
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
