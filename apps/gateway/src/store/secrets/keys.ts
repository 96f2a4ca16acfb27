import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { skeletonOf } from '@sallyport/mcp-proxy';
import type { Bus } from '../../cache/bus.ts';
import { CachedValue, type CachedValueOptions } from '../../cache/cached-value.ts';
import { recordAudit } from '../audit/audit.ts';
import { type Database, runQuery, type Transaction } from '../database.ts';
import { StoreError } from '../errors.ts';

/**
 * The scopes of a caller. `mcp`: use servers. `approve:own`: see and answer held calls of their own principal.
 * `approve:any`: those of the whole workspace, see and judge their findings, and promote submissions. `pins`: accept
 * changed definitions. `policy`: read and change the policy and thresholds. `submit`: hand in what an agent has
 * written. `audit`: read the audit. `admin`: servers and keys.
 */
export const SCOPES = ['mcp', 'approve:own', 'approve:any', 'pins', 'policy', 'submit', 'audit', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

/** An authenticated caller. */
export interface Caller {
  readonly workspace: string;
  readonly principal: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Groups by which the policy says what the caller reaches. @default none */
  readonly groups?: readonly string[];
  /** The person whose key it is, if it is known. @default the principal */
  readonly person?: string;
  /** The key's public id; absent for a JWT. */
  readonly keyId?: string;
}

export interface KeyInput {
  readonly principal: string;
  /** A name for people. */
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** @default none */
  readonly groups?: readonly string[];
  /** The person whose key it is: the principal of their login, such as `sub:ada`, or one name for all their keys. @default not known */
  readonly person?: string;
  /** @default never */
  readonly expires?: Date;
}

/** A key as it is listed, without its secret. */
export interface KeyInfo {
  readonly id: string;
  readonly principal: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly groups: readonly string[];
  readonly person?: string;
  readonly madeAt: Date;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

interface KeyRow {
  readonly workspace_id: string;
  readonly public_id: string;
  readonly digest: Buffer;
  readonly principal: string;
  readonly label: string;
  readonly scopes: Scope[];
  readonly groups: string[];
  readonly person: string | null;
  readonly made_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY = /^sp_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43})$/;
const MAX_NAME_LENGTH = 256;
const SECRET_BYTES = 32;

export interface KeysOptions {
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
  /** How long a key that was read is used. */
  readonly cache?: CachedValueOptions;
}

/** Longest group, and most groups of one key. */
const MAX_GROUPS = 100;

function check({ principal, label, scopes, groups = [], person = principal, expires }: KeyInput, now: number): void {
  const isNamed = [principal, label, person].every(
    (name) => /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(name) && name.length <= MAX_NAME_LENGTH,
  );
  if (!isNamed)
    throw new StoreError(
      'invalid',
      `\`principal\`, \`label\` and \`person\` must have 1 to ${MAX_NAME_LENGTH} characters, without control characters.`,
    );
  if (scopes.length === 0 || !scopes.every((scope) => SCOPES.includes(scope)))
    throw new StoreError('invalid', `\`scopes\` must be one or more of ${SCOPES.join(', ')}.`);
  if (groups.length > MAX_GROUPS || !groups.every((group) => /^[^\p{C}]{1,200}$/u.test(group)))
    throw new StoreError(
      'invalid',
      `\`groups\` must be at most ${MAX_GROUPS} names of 1 to 200 characters, without control characters.`,
    );
  if (expires !== undefined && !(expires.getTime() > now))
    throw new StoreError('invalid', '`expires` must be in the future.');
}

/** Refuses a principal whose name can be mistaken for another one of the workspace, even for one whose keys were revoked. */
async function checkPrincipal(sql: Transaction, workspace: string, principal: string): Promise<void> {
  // Two keys that are created at the same time must see each other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`principals ${workspace}`}, 0))`;
  const rows = await sql<
    { principal: string }[]
  >`select distinct principal from keys where workspace_id = ${workspace}`;
  if (rows.some((row) => row.principal === principal)) return;
  const skeleton = skeletonOf(principal);
  if (rows.some((row) => skeletonOf(row.principal) === skeleton))
    throw new StoreError(
      'conflict',
      '`principal` looks like another principal of the workspace: use exactly that name, or a name that differs more.',
    );
}

function infoOf(row: KeyRow): KeyInfo {
  const { public_id: id, principal, label, scopes, groups, person, made_at: madeAt, expires_at, revoked_at } = row;
  return {
    id,
    principal,
    label,
    scopes,
    groups,
    ...(person === null ? {} : { person }),
    madeAt,
    expiresAt: expires_at ?? undefined,
    revokedAt: revoked_at ?? undefined,
  };
}

/** The API keys of all workspaces. */
export class Keys {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #peppers: readonly Uint8Array[];
  readonly #clock: () => number;
  readonly #rows: CachedValue<KeyRow | undefined>;

  /**
   * The pepper is derived from `SALLYPORT_KEY`, so a copy of the database is not enough to test keys. Of several peppers, the
   * first is used for new keys.
   */
  constructor(
    database: Database,
    bus: Bus,
    pepper: Uint8Array | readonly Uint8Array[],
    { clock = Date.now, cache = {} }: KeysOptions = {},
  ) {
    this.#database = database;
    this.#bus = bus;
    this.#peppers = [pepper].flat();
    this.#clock = clock;
    const load = async (id: string): Promise<KeyRow | undefined> => {
      const [row] = await runQuery(() => database.system<KeyRow[]>`select * from sallyport.find_key(${id})`);
      // Not cached: an id without a key must not push out the rows of valid keys.
      if (row === undefined) queueMicrotask(() => this.#rows.forget(id));
      return row;
    };
    this.#rows = new CachedValue(bus, 'keys', load, cache);
  }

  #digests(id: string, secret: string): readonly [Buffer, ...Buffer[]] {
    const digests = this.#peppers.map((pepper) => createHmac('sha256', pepper).update(`${id}\n${secret}`).digest());
    return digests as [Buffer, ...Buffer[]];
  }

  /** The caller with this key; undefined if the key does not exist, has expired or was revoked. */
  async find(text: string): Promise<Caller | undefined> {
    const [, id, secret] = KEY.exec(text) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const row = await this.#rows.get(id);
    const isMatch = (digest: Buffer): boolean =>
      row?.digest.length === digest.length && timingSafeEqual(row.digest, digest);
    if (row === undefined || !this.#digests(id, secret).some(isMatch)) return undefined;
    if (row.expires_at !== null && row.expires_at.getTime() <= this.#clock()) return undefined;
    const { workspace_id: workspace, principal, scopes, groups, person } = row;
    const known = person === null ? {} : { person };
    return { workspace, principal, scopes: new Set(scopes), groups, ...known, keyId: id };
  }

  async #insert(
    sql: Transaction,
    workspace: string,
    input: KeyInput,
    by: string,
  ): Promise<{ id: string; text: string }> {
    const id = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    await sql`insert into keys (workspace_id, public_id, digest, principal, label, scopes, groups, person, expires_at) values (${workspace}, ${id},
      ${this.#digests(id, secret)[0]}, ${input.principal}, ${input.label}, ${[...input.scopes]}::text[],
      ${[...(input.groups ?? [])]}::text[], ${input.person ?? null}, ${input.expires ?? null})`;
    const { principal, person } = input;
    const event = {
      type: 'key',
      what: 'made',
      id,
      principal,
      ...(person === undefined ? {} : { person }),
      by,
    } as const;
    await recordAudit(this.#database, sql, workspace, event);
    return { id, text: `sp_${id}_${secret}` };
  }

  /** Creates a key. Its text is returned only here and stored nowhere. */
  async create(
    workspace: string,
    input: KeyInput,
    by: string,
  ): Promise<{ readonly id: string; readonly text: string }> {
    check(input, this.#clock());
    return this.#database.inWorkspace(workspace, async (sql) => {
      await checkPrincipal(sql, workspace, input.principal);
      return this.#insert(sql, workspace, input, by);
    });
  }

  /** Creates a key that replaces another one, which stays valid for `graceSeconds`. */
  async rotate(
    workspace: string,
    id: string,
    graceSeconds: number,
    by: string,
  ): Promise<{ readonly id: string; readonly text: string }> {
    if (!(graceSeconds >= 0 && graceSeconds <= 30 * 24 * 3600))
      throw new StoreError('invalid', '`graceSeconds` must be a number from 0 to 2592000.');
    const made = await this.#database.inWorkspace(workspace, async (sql) => {
      const [row] = await sql<
        KeyRow[]
      >`select * from keys where workspace_id = ${workspace} and public_id = ${id} for update`;
      const { count } = await sql`
        update keys set expires_at = least(expires_at, now() + make_interval(secs => ${graceSeconds}))
          where workspace_id = ${workspace} and public_id = ${id} and revoked_at is null
            and (expires_at is null or expires_at > now())`;
      if (row === undefined || count === 0)
        throw new StoreError('missing', 'There is no valid key of that id: create a new one.');
      await recordAudit(this.#database, sql, workspace, { type: 'key', what: 'expires', id, by });
      // The new key expires when the old one would have.
      const term = row.expires_at === null ? {} : { expires: row.expires_at };
      return this.#insert(sql, workspace, { ...infoOf(row), scopes: row.scopes, ...term }, by);
    });
    await this.#bus.publish('keys', workspace, id);
    return made;
  }

  /** Revokes a key at once. */
  async revoke(workspace: string, id: string, by: string): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      const { count } = await sql`update keys set revoked_at = now()
        where workspace_id = ${workspace} and public_id = ${id} and revoked_at is null`;
      if (count === 0)
        throw new StoreError(
          'missing',
          'There is no key of that id, or it was revoked already: read the list of keys.',
        );
      await recordAudit(this.#database, sql, workspace, { type: 'key', what: 'revoked', id, by });
    });
    await this.#bus.publish('keys', workspace, id);
  }

  async list(workspace: string): Promise<readonly KeyInfo[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<KeyRow[]>`select * from keys where workspace_id = ${workspace} order by made_at, public_id`,
    );
    return rows.map(infoOf);
  }

  close(): void {
    this.#rows.close();
  }
}
