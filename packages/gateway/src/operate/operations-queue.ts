import postgres from 'postgres';
import { Bus } from '../cache/bus.ts';
import type { ChainReport, VerifyOptions } from '../store/audit/chain.ts';
import { Signer } from '../store/audit/checkpoint.ts';
import { type Forgotten, forgetBefore } from '../store/audit/forget.ts';
import { removeBefore } from '../store/audit/retention.ts';
import { exportAudit, verifyAudit } from '../store/audit/verify.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { StoreError } from '../store/errors.ts';
import { checkForm, migrate } from '../store/migrate.ts';
import { checkKnown } from '../store/secrets/checked-keys.ts';
import { type KeyInput, Keys } from '../store/secrets/keys.ts';
import { createWorkspace, findWorkspace } from '../store/workspaces.ts';
import { Writer } from '../store/writer.ts';
import type { StoreConfig } from './config.ts';
import { codeOf } from './log.ts';

/** The store does not answer, or not as it should. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

const OPERATOR = 'operator';
const CONNECT_SECONDS = 3;

/** What an operator does beside serving. */
export interface Desk {
  /** Makes a workspace, and a first key that may do everything in it but use servers. The key is given this once. */
  makeWorkspace(name: string): Promise<{ readonly id: string; readonly key: string }>;
  /** Makes a key. It is given this once. */
  makeKey(workspace: string, input: KeyInput): Promise<string>;
  verifyAudit(
    workspace: string,
    options: Pick<VerifyOptions, 'anchor' | 'onProgress' | 'signedBefore'>,
  ): Promise<ChainReport>;
  exportAudit(workspace: string, write: (line: string) => void): Promise<void>;
  /** Removes whole months of all audit chains that ended before; gives their names. Takes the owner of the tables. */
  removeAudit(before: Date): Promise<readonly string[]>;
  /** Removes what conversations had read before. Takes the owner of the tables. */
  forget(before: Date): Promise<Forgotten>;
}

async function idOf(database: Database, name: string): Promise<string> {
  const id = await findWorkspace(database, name);
  if (id === undefined) throw new StoreError('missing', 'There is no workspace of that name: see how it is spelled.');
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

function deskOf({ databaseUrl, keyFor, keysFor }: StoreConfig, database: Database, keys: Keys): Desk {
  async function keyIn(workspace: string, input: KeyInput): Promise<string> {
    const { text } = await keys.create(workspace, input, OPERATOR);
    // Perhaps no replica runs that would sign what was noted.
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
        throw new StoreError('invalid', 'A principal that begins with sub: is named by a token: choose another name.');
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

/** What to do about what PostgreSQL or the network says, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'see the user in DATABASE_URL',
  '28P01': 'see the user and the password in DATABASE_URL',
  '3D000': 'make the database that DATABASE_URL names, as by createdb',
  '42501':
    'start the gateway once, with a role that owns the database and may create roles (ALTER ROLE ... CREATEROLE)',
  // Neither the role nor a table of ours is there.
  '22023': 'start the gateway once without --no-migrate, with the role that owns the database',
  '42P01': 'start the gateway once without --no-migrate, with the role that owns the database',
  ECONNREFUSED: 'see that PostgreSQL runs where DATABASE_URL says',
  ENOTFOUND: 'see the host in DATABASE_URL',
};

function adviceFor(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
}

/** What the store itself has not refused is its failure, where it has a code. */
function failureOf(cause: unknown): unknown {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (cause instanceof StoreError || typeof code !== 'string') return cause;
  const next = adviceFor(cause) ?? 'see that it runs, and try again';
  return new UnreachableError(`The database failed (${codeOf(cause)}): ${next}.`, { cause });
}

/** Works on the store, and closes it again. */
export async function atDesk<T>(config: StoreConfig, work: (desk: Desk) => Promise<T>): Promise<T> {
  const database = openDatabase(config.databaseUrl, { max: 2 });
  const bus = new Bus();
  const keys = new Keys(database, bus, config.keysFor('keys'));
  try {
    await database.check().catch((cause: unknown) => {
      const next = adviceFor(cause) ?? 'see DATABASE_URL, and that the gateway was started once';
      throw new UnreachableError(`The database does not answer as it should (${codeOf(cause)}): ${next}.`, { cause });
    });
    await checkKnown(database, config.keysFor('known'));
    return await work(deskOf(config, database, keys));
  } catch (cause) {
    throw failureOf(cause);
  } finally {
    keys.close();
    bus.close();
    await database.close();
  }
}

/** Brings the database to the newest form; gives the names of what was applied. */
export async function migrateDatabase(url: string): Promise<readonly string[]> {
  try {
    return await migrate(url);
  } catch (cause) {
    throw failureOf(cause);
  }
}

/** Throws where a later version has changed the database. Changes nothing: for a gateway that does not migrate. */
export async function checkDatabase(url: string): Promise<void> {
  try {
    await checkForm(url);
  } catch (cause) {
    throw failureOf(cause);
  }
}
