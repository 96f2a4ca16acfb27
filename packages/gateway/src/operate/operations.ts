import postgres from 'postgres';
import { Bus } from '../cache/bus.ts';
import type { ChainReport, VerifyOptions } from '../store/audit/chain.ts';
import { Signer } from '../store/audit/checkpoint.ts';
import { type Forgotten, forgetBefore } from '../store/audit/forget.ts';
import { removeBefore } from '../store/audit/retention.ts';
import { exportAudit, verifyAudit } from '../store/audit/verify.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { StoreError } from '../store/errors.ts';
import { checkSchema, migrate } from '../store/migrate.ts';
import { checkInstallationKey } from '../store/secrets/installation-key.ts';
import { type KeyInput, Keys } from '../store/secrets/keys.ts';
import { createWorkspace, findWorkspace } from '../store/workspaces.ts';
import { Writer } from '../store/writer.ts';
import type { StoreConfig } from './config.ts';
import { codeOf } from './log.ts';

/**
 * The database cannot be reached or used. The message says what to do.
 *
 * @example
 * ```ts
 * try {
 *   await migrateDatabase(databaseUrl);
 * } catch (error) {
 *   if (error instanceof UnreachableError) console.error(error.message);
 * }
 * ```
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

const OPERATOR = 'operator';
const CONNECT_SECONDS = 3;

/** Administration of the store, without a running gateway. */
export interface Operations {
  /** Creates a workspace and a first key with every scope of the API, but not `mcp`. The key is shown only once. */
  makeWorkspace(name: string): Promise<{ readonly id: string; readonly key: string }>;
  /** Creates a key. It is shown only once. */
  makeKey(workspace: string, input: KeyInput): Promise<string>;
  /** Verifies the audit chain of a workspace. */
  verifyAudit(
    workspace: string,
    options: Pick<VerifyOptions, 'anchor' | 'onProgress' | 'signedBefore'>,
  ): Promise<ChainReport>;
  /** Writes the audit chain of a workspace as JSONL. */
  exportAudit(workspace: string, write: (line: string) => void): Promise<void>;
  /** Removes the months of all audit chains that ended before a time, and returns their names. Needs the owner of the tables. */
  removeAudit(before: Date): Promise<readonly string[]>;
  /** Removes what conversations read before a time. Needs the owner of the tables. */
  forget(before: Date): Promise<Forgotten>;
}

async function idOf(database: Database, name: string): Promise<string> {
  const id = await findWorkspace(database, name);
  if (id === undefined)
    throw new StoreError('missing', `There is no workspace named ${JSON.stringify(name)}: check the spelling.`);
  return id;
}

async function asOwner<T>(url: string, work: (owner: postgres.Sql) => Promise<T>): Promise<T> {
  const owner = postgres(url, { max: 1, connect_timeout: CONNECT_SECONDS, onnotice: () => undefined });
  try {
    return await work(owner);
  } finally {
    await owner.end({ timeout: 1 });
  }
}

function createOperations({ databaseUrl, keyFor, keysFor }: StoreConfig, database: Database, keys: Keys): Operations {
  async function keyIn(workspace: string, input: KeyInput): Promise<string> {
    const { text } = await keys.create(workspace, input, OPERATOR);
    // Signed here, because perhaps no replica is running that would.
    await new Signer(database, new Writer(database), keyFor('audit')).sweep();
    return text;
  }
  return {
    async makeWorkspace(name) {
      const id = await createWorkspace(database, name);
      const input: KeyInput = { principal: OPERATOR, label: 'first key', scopes: ['admin', 'approve', 'audit'] };
      return { id, key: await keyIn(id, input) };
    },
    async makeKey(workspace, input) {
      if (input.principal.startsWith('sub:'))
        throw new StoreError(
          'invalid',
          '`principal` must not begin with "sub:", which is reserved for tokens: choose another name.',
        );
      return keyIn(await idOf(database, workspace), input);
    },
    async verifyAudit(workspace, options) {
      return verifyAudit(database, await idOf(database, workspace), { ...options, key: keysFor('audit') });
    },
    async exportAudit(workspace, write) {
      return exportAudit(database, await idOf(database, workspace), write);
    },
    removeAudit: (before) => asOwner(databaseUrl, (owner) => removeBefore(owner, keysFor('audit'), before)),
    forget: (before) => asOwner(databaseUrl, (owner) => forgetBefore(owner, before)),
  };
}

/** What to do about an error of PostgreSQL or of the network, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'check the user in DATABASE_URL',
  '28P01': 'check the user and the password in DATABASE_URL',
  '3D000': 'create the database that DATABASE_URL names, for example with createdb',
  '42501':
    'start the gateway once, with a role that owns the database and may create roles (ALTER ROLE ... CREATEROLE)',
  // The role or the tables do not exist yet.
  '22023': 'start the gateway once without --no-migrate, with the role that owns the database',
  '42P01': 'start the gateway once without --no-migrate, with the role that owns the database',
  ECONNREFUSED: 'check that PostgreSQL is running at the address in DATABASE_URL',
  ENOTFOUND: 'check the host in DATABASE_URL',
};

function adviceFor(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
}

/** Adds advice to an error that has a code. Refusals of the store keep their own message. */
function failureOf(cause: unknown): unknown {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (cause instanceof StoreError || typeof code !== 'string') return cause;
  const next = adviceFor(cause) ?? 'check that it is running, and try again';
  return new UnreachableError(`The database failed (${codeOf(cause)}): ${next}.`, { cause });
}

/**
 * Opens the store, runs `work` on it, and closes it again.
 *
 * @example
 * ```ts
 * const config = readStoreConfig(process.env);
 * const { id, key } = await withOperations(config, (operations) => operations.makeWorkspace('team'));
 * ```
 */
export async function withOperations<T>(config: StoreConfig, work: (operations: Operations) => Promise<T>): Promise<T> {
  const database = openDatabase(config.databaseUrl, { max: 2 });
  const bus = new Bus();
  const keys = new Keys(database, bus, config.keysFor('keys'));
  try {
    await database.check().catch((cause: unknown) => {
      const next = adviceFor(cause) ?? 'check DATABASE_URL, and that the gateway has been started once';
      throw new UnreachableError(`The database cannot be used (${codeOf(cause)}): ${next}.`, { cause });
    });
    await checkInstallationKey(database, config.keysFor('known'));
    return await work(createOperations(config, database, keys));
  } catch (cause) {
    throw failureOf(cause);
  } finally {
    keys.close();
    bus.close();
    await database.close();
  }
}

/**
 * Applies the migrations that are missing, and returns their names.
 *
 * @example
 * ```ts
 * const applied = await migrateDatabase('postgres://user@host/name');
 * ```
 */
export async function migrateDatabase(url: string): Promise<readonly string[]> {
  try {
    return await migrate(url);
  } catch (cause) {
    throw failureOf(cause);
  }
}

/**
 * Throws if a later version of the gateway has migrated the database. Use it for a replica that does not migrate by itself.
 *
 * @example
 * ```ts
 * await checkDatabase('postgres://user@host/name');
 * ```
 */
export async function checkDatabase(url: string): Promise<void> {
  try {
    await checkSchema(url);
  } catch (cause) {
    throw failureOf(cause);
  }
}
