import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Bus } from '../../cache/bus.ts';
import { CachedValue, type CachedValueOptions } from '../../cache/cached-value.ts';
import { recordAudit } from '../audit/audit.ts';
import { type Database, runQuery } from '../database.ts';
import type { Caller, Scope } from './keys.ts';

/** The rights of a person, by the id of the workspace. */
export type Roles = ReadonlyMap<string, ReadonlySet<Scope>>;

/** A person's new session. */
export interface StartedLogin {
  /** The secret of the session, for the person's browser alone. */
  readonly text: string;
  /** Seconds until the session ends. */
  readonly seconds: number;
}

interface LoginRow {
  readonly workspace_id: string;
  readonly digest: Buffer;
  readonly principal: string;
  readonly scopes: Scope[];
  readonly expires_at: Date;
}

/** A working day: the roles of a person are those of their last login. */
const TERM_SECONDS = 8 * 3600;
const SECRET_BYTES = 32;
const FORM = /^([\w-]{43})\.([\w-]{43})$/;

const sorted = (scopes: Iterable<Scope>): Scope[] => [...scopes].toSorted();

export interface LoginsOptions {
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
  /** How long a session that was read is used. */
  readonly cache?: CachedValueOptions;
}

/** The sessions of people who have logged in. They are stored, so that any replica can end one. */
export class Logins {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #keys: readonly Uint8Array[];
  readonly #clock: () => number;
  readonly #rows: CachedValue<LoginRow | undefined>;

  /** The keys prove that the gateway made a secret, so that a flood of invented ones costs no queries. The first is used for new ones. */
  constructor(
    database: Database,
    bus: Bus,
    keys: readonly Uint8Array[],
    { clock = Date.now, cache = {} }: LoginsOptions = {},
  ) {
    this.#database = database;
    this.#bus = bus;
    this.#keys = keys;
    this.#clock = clock;
    this.#rows = new CachedValue(
      bus,
      'logins',
      async (digest) => {
        const [row] = await runQuery(
          () => database.system<LoginRow[]>`select * from sallyport.find_login(decode(${digest}, 'hex'))`,
        );
        return row;
      },
      cache,
    );
  }

  /** The digest under which a session is stored; undefined if the gateway did not make this secret. */
  #digestOf(text: string): string | undefined {
    const [, secret = '', proof = ''] = FORM.exec(text) ?? [];
    const given = Buffer.from(proof, 'base64url');
    const isOwn = this.#keys.some((key) => {
      const expected = createHmac('sha256', key).update(secret).digest();
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    return isOwn ? createHash('sha256').update(secret).digest('hex') : undefined;
  }

  /** Starts a session. Each has a new secret, whatever the browser had before. */
  async start(workspace: string, principal: string, scopes: ReadonlySet<Scope>): Promise<StartedLogin> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const proof = createHmac('sha256', this.#keys[0] as Uint8Array)
      .update(secret)
      .digest('base64url');
    const digest = createHash('sha256').update(secret).digest();
    await this.#database.inWorkspace(workspace, async (sql) => {
      await sql`insert into logins (workspace_id, digest, principal, scopes, expires_at) values (${workspace}, ${digest},
        ${principal}, ${sorted(scopes)}::text[], now() + make_interval(secs => ${TERM_SECONDS}))`;
      await sql`insert into people (workspace_id, principal, scopes) values (${workspace}, ${principal}, ${sorted(scopes)}::text[])
        on conflict (workspace_id, principal) do update set scopes = excluded.scopes, logged_in_at = excluded.logged_in_at`;
      const event = { type: 'login', what: 'began', by: principal, scopes: sorted(scopes) } as const;
      await recordAudit(this.#database, sql, workspace, event);
    });
    return { text: `${secret}.${proof}`, seconds: TERM_SECONDS };
  }

  /** The person with this session; undefined if there is none, or if it has ended. */
  async find(text: string): Promise<Caller | undefined> {
    const digest = this.#digestOf(text);
    const row = digest === undefined ? undefined : await this.#rows.get(digest);
    if (row === undefined || row.expires_at.getTime() <= this.#clock()) return undefined;
    return { workspace: row.workspace_id, principal: row.principal, scopes: new Set(row.scopes) };
  }

  /** Ends a session on all replicas. */
  async end(text: string): Promise<void> {
    const digest = this.#digestOf(text);
    const caller = await this.find(text);
    if (digest === undefined || caller === undefined) return;
    const { workspace, principal } = caller;
    await this.#database.inWorkspace(workspace, async (sql) => {
      const { count } =
        await sql`delete from logins where workspace_id = ${workspace} and digest = decode(${digest}, 'hex')`;
      if (count > 0) await recordAudit(this.#database, sql, workspace, { type: 'login', what: 'ended', by: principal });
    });
    await this.#bus.publish('logins', workspace, digest);
  }

  /** Ends all sessions of a person in a workspace, and returns their number. */
  async endAll(workspace: string, principal: string, by: string): Promise<number> {
    const count = await this.#database.inWorkspace(workspace, async (sql) => {
      const ended = await sql`delete from logins where workspace_id = ${workspace} and principal = ${principal}`;
      if (ended.count > 0)
        await recordAudit(this.#database, sql, workspace, { type: 'login', what: 'ended', principal, by });
      return ended.count;
    });
    await this.#bus.publish('logins', workspace, '');
    return count;
  }

  /** Ends the sessions of a person that allow something else than the person may do now. */
  async endChanged(principal: string, roles: Roles): Promise<void> {
    const scopes = [...roles.values()].map((each) => sorted(each).join(' '));
    const rows = await runQuery(
      () => this.#database.system<{ workspace: string }[]>`select sallyport.changed_logins(${principal},
        ${[...roles.keys()]}::uuid[], ${scopes}::text[]) as workspace`,
    );
    for (const { workspace } of rows) await this.#endOthers(workspace, principal, roles.get(workspace));
    await this.#bus.publish('logins', '', '');
  }

  /** Ends the sessions of a person in a workspace that do not have exactly these scopes. */
  async #endOthers(workspace: string, principal: string, scopes: ReadonlySet<Scope> | undefined): Promise<void> {
    const kept = scopes === undefined ? null : sorted(scopes);
    await this.#database.inWorkspace(workspace, async (sql) => {
      const { count } = await sql`delete from logins where workspace_id = ${workspace} and principal = ${principal}
        and scopes is distinct from ${kept}::text[]`;
      const event = { type: 'login', what: 'ended', principal, by: principal } as const;
      if (count > 0) await recordAudit(this.#database, sql, workspace, event);
    });
  }

  close(): void {
    this.#rows.close();
  }
}
