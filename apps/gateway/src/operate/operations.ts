import postgres from 'postgres';
import { Bus } from '../cache/bus.ts';
import { type AuditReport, verifyWithAnchors } from '../store/audit/anchor-evidence.ts';
import { type AnchorStore, fileAnchors } from '../store/audit/anchors.ts';
import type { VerifyOptions } from '../store/audit/chain.ts';
import { Signer } from '../store/audit/checkpoint.ts';
import { type Forgotten, forgetBefore } from '../store/audit/forget.ts';
import { removeBefore } from '../store/audit/retention.ts';
import { exportAudit } from '../store/audit/verify.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { StoreError } from '../store/errors.ts';
import { type AuditKey, auditKeysOf } from '../store/links.ts';
import { checkSchema, migrate } from '../store/migrate.ts';
import type { Policy } from '../store/policies.ts';
import type { DryRunSource } from '../store/policy/recorded.ts';
import { checkInstallationKey } from '../store/secrets/installation-key.ts';
import { type KeyInput, Keys, type Scope } from '../store/secrets/keys.ts';
import { doubtAbout } from '../store/secrets/people.ts';
import { createWorkspace, findWorkspace } from '../store/workspaces.ts';
import { Writer } from '../store/writer.ts';
import type { StoreConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import type { RecordedOptions } from './dry-run-source.ts';
import { codeOf } from './log.ts';
import { type Applied, type ApplyOptions, applyPolicy, readRecorded, withPolicies } from './policy-operations.ts';

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
/** All but `mcp` and `submit`: the first key administers, and calls no tools. */
const FIRST_KEY: readonly Scope[] = ['admin', 'approve:any', 'pins', 'policy', 'audit'];
const CONNECT_SECONDS = 3;

interface MakeKeyOptions {
  /** Called if the key is of a person who has not logged in, whose name may be misspelt. @default a warning of the process */
  readonly onWarning?: (message: string) => void;
}

/** Administration of the store, without a running gateway. */
export interface Operations {
  /** Creates a workspace and a first key with every scope of the API, but not `mcp`. The key is shown only once. */
  makeWorkspace(name: string): Promise<{ readonly id: string; readonly key: string }>;
  /** Creates a key. It is shown only once. */
  makeKey(workspace: string, input: KeyInput, options?: MakeKeyOptions): Promise<string>;
  /** The policy that applies in a workspace. */
  readPolicy(workspace: string): Promise<Policy>;
  /** Replaces the policy of a workspace, unless it is the same. */
  applyPolicy(workspace: string, body: unknown, options?: ApplyOptions): Promise<Applied>;
  /** The data for `dryRun` of a policy on recorded calls. It is read while the operations are open. */
  readRecorded(workspace: string, body: unknown, options: RecordedOptions): Promise<DryRunSource>;
  /** Verifies the audit chain of a workspace, against all anchors that are kept. */
  verifyAudit(
    workspace: string,
    options: Pick<VerifyOptions, 'anchor' | 'from' | 'onProgress' | 'signedBefore'> & {
      /** Begins at the last anchor, and reads the newest anchor files only. @default false */
      readonly isFromAnchors?: boolean;
    },
  ): Promise<AuditReport>;
  /** Writes the audit chain of a workspace as JSONL: all of it, or the rows after a number. */
  exportAudit(workspace: string, write: (line: string) => void, after?: number): Promise<void>;
  /** Removes the months of all audit chains that ended before a time, and returns their names. Needs `ownerUrl`. */
  removeAudit(before: Date): Promise<readonly string[]>;
  /** Removes what conversations read before a time. Needs `ownerUrl`. */
  forget(before: Date): Promise<Forgotten>;
}

async function idOf(database: Database, name: string): Promise<string> {
  const id = await findWorkspace(database, name);
  if (id === undefined)
    throw new StoreError('missing', `There is no workspace named ${JSON.stringify(name)}: check the spelling.`);
  return id;
}

async function asOwner<T>(url: string | undefined, work: (owner: postgres.Sql) => Promise<T>): Promise<T> {
  if (url === undefined)
    throw new ConfigError('DATABASE_OWNER_URL is not set: set it to the database as the role that owns the tables.');
  const owner = postgres(url, { max: 1, connect_timeout: CONNECT_SECONDS, onnotice: () => undefined });
  try {
    return await work(owner);
  } finally {
    await owner.end({ timeout: 1 });
  }
}

interface Opened {
  readonly database: Database;
  readonly keys: Keys;
  readonly auditKeys: readonly AuditKey[];
  readonly anchorStore: () => AnchorStore | undefined;
}

function createOperations({ ownerUrl, anchorFolder }: StoreConfig, opened: Opened): Operations {
  const { database, keys, auditKeys, anchorStore } = opened;
  /** Signs what was recorded, because perhaps no replica is running that would. */
  async function signRecorded(): Promise<void> {
    const signer = new Signer(database, new Writer(database), {
      anchorStore: anchorStore(),
      onError: (cause) => {
        throw cause;
      },
    });
    await signer.sweep();
    await signer.publish();
  }
  async function keyIn(workspace: string, input: KeyInput): Promise<string> {
    const { text } = await keys.create(workspace, input, OPERATOR);
    await signRecorded();
    return text;
  }
  return {
    async makeWorkspace(name) {
      const id = await createWorkspace(database, name);
      const input: KeyInput = { principal: OPERATOR, label: 'first key', scopes: FIRST_KEY };
      return { id, key: await keyIn(id, input) };
    },
    async makeKey(workspace, input, { onWarning = (message: string) => process.emitWarning(message) } = {}) {
      if (input.principal.startsWith('sub:'))
        throw new StoreError(
          'invalid',
          '`principal` must not begin with "sub:", which is reserved for tokens: choose another name.',
        );
      const id = await idOf(database, workspace);
      const { person } = input;
      const doubt = person === undefined ? undefined : await doubtAbout(database, { id, name: workspace }, person);
      const key = await keyIn(id, input);
      if (doubt !== undefined) onWarning(doubt);
      return key;
    },
    async readPolicy(workspace) {
      const id = await idOf(database, workspace);
      return withPolicies(database, (policies) => policies.current(id));
    },
    async applyPolicy(workspace, body, options = {}) {
      const id = await idOf(database, workspace);
      const applied = await withPolicies(database, (policies) => applyPolicy(policies, id, body, OPERATOR, options));
      if (applied.version !== applied.before.version) await signRecorded();
      return applied;
    },
    async readRecorded(workspace, body, options) {
      return readRecorded(database, await idOf(database, workspace), body, options);
    },
    async verifyAudit(workspace, options) {
      const id = await idOf(database, workspace);
      return verifyWithAnchors(database, id, { ...options, keys: auditKeys, folder: anchorFolder });
    },
    async exportAudit(workspace, write, after) {
      return exportAudit(database, await idOf(database, workspace), write, after);
    },
    removeAudit: (before) => asOwner(ownerUrl, (owner) => removeBefore(owner, auditKeys, before)),
    forget: (before) => asOwner(ownerUrl, (owner) => forgetBefore(owner, before)),
  };
}

const NOT_MIGRATED = 'run sallyport gateway migrate, with DATABASE_OWNER_URL';
const NOT_PREPARED = 'add ?prepare=false to DATABASE_URL, or let the pooler work in session mode';

/** Advice on an error of PostgreSQL or of the network, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'check the user in the URL of the database',
  '28P01': 'check the user and the password in the URL of the database',
  '3D000': 'create the database that DATABASE_URL names, for example with createdb',
  '42501':
    'grant create on the database to the role in DATABASE_OWNER_URL, and sallyport_app to the one in DATABASE_URL',
  // The role sallyport_app does not exist.
  '42704': 'create the roles of the gateway, as docs/gateway.md says',
  // The schema, a function or a table does not exist yet.
  '3F000': NOT_MIGRATED,
  '42883': NOT_MIGRATED,
  '42P01': NOT_MIGRATED,
  // A pooler in transaction mode without prepared statements.
  '26000': NOT_PREPARED,
  '42P05': NOT_PREPARED,
  AUDIT_DAMAGED: 'run sallyport audit verify, and keep a copy of the database before you touch anything',
  ECONNREFUSED: 'check that PostgreSQL is running at the address in the URL of the database',
  ENOTFOUND: 'check the host in the URL of the database',
};

function adviceFor(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
}

/** Adds advice to an error that has a code. Refusals of the store keep their own message. */
function failureOf(cause: unknown): unknown {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (cause instanceof StoreError || cause instanceof ConfigError || typeof code !== 'string') return cause;
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
  const auditKeys = auditKeysOf(config.keysFor('audit'));
  const { anchorFolder } = config;
  let opened: AnchorStore | undefined;
  // To verify needs no right to write anchors.
  const anchorStore = (): AnchorStore | undefined => {
    opened ??= anchorFolder === undefined ? undefined : fileAnchors(anchorFolder, auditKeys);
    return opened;
  };
  const audit = { keys: auditKeys, anchors: (workspace: string) => anchorStore()?.last(workspace) };
  const database = openDatabase(config.databaseUrl, { max: 2, audit });
  const bus = new Bus();
  const keys = new Keys(database, bus, config.keysFor('keys'));
  try {
    await database.check().catch((cause: unknown) => {
      if (cause instanceof StoreError) throw cause;
      const next = adviceFor(cause) ?? 'check DATABASE_URL, and that it was migrated with sallyport gateway migrate';
      throw new UnreachableError(`The database cannot be used (${codeOf(cause)}): ${next}.`, { cause });
    });
    await checkInstallationKey(database, config.keysFor('known'));
    return await work(createOperations(config, { database, keys, auditKeys, anchorStore }));
  } catch (cause) {
    throw failureOf(cause);
  } finally {
    keys.close();
    bus.close();
    await database.close();
  }
}

/**
 * Applies the migrations that are missing, and returns their names. The role in the URL owns the tables; the gateway connects as
 * another one.
 *
 * @example
 * ```ts
 * const applied = await migrateDatabase(readOwnerUrl(process.env));
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
 * Throws unless the tables are those of this version of the gateway. A replica checks it before it serves.
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
