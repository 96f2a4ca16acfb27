import type { Bus } from '../cache/bus.ts';
import { CachedValue } from '../cache/cached-value.ts';
import { recordAudit } from './audit/audit.ts';
import { type Database, runQuery } from './database.ts';
import { StoreError } from './errors.ts';
import type { Vault } from './secrets/vault.ts';
import { NAME } from './workspaces.ts';

/** Where a server is: a URL, or a command. */
export type ServerLocation =
  | { readonly kind: 'http'; readonly url: string }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Not for secrets: put those in the credentials. */
      readonly env: Readonly<Record<string, string>>;
    };

export type Server = ServerLocation & {
  readonly name: string;
  readonly hasCredentials: boolean;
};

interface ServerRow {
  readonly name: string;
  readonly kind: 'http' | 'stdio';
  readonly url: string | null;
  readonly command: string | null;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly credentials: string | null;
}

const MAX_LENGTH = 4096;
const MAX_WORDS = 100;

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && !value.includes('\0') && value.isWellFormed();
}

function isWords(values: readonly unknown[]): boolean {
  return values.length <= MAX_WORDS && values.every(isWord);
}

function isLocation(location: ServerLocation): boolean {
  if (location.kind === 'http')
    return isWord(location.url) && /^https?:\/\//.test(location.url) && URL.canParse(location.url);
  const { command, args, env } = location;
  const areNames = Object.keys(env).every((name) => /^[A-Za-z_][A-Za-z0-9_]{0,100}$/.test(name));
  return isWord(command) && command !== '' && isWords(args) && areNames && isWords(Object.values(env));
}

function serverOf(row: ServerRow): Server {
  const { name, kind, url, command, args, env, credentials } = row;
  const shared = { name, hasCredentials: credentials !== null };
  return kind === 'http'
    ? { ...shared, kind, url: url as string }
    : { ...shared, kind, command: command as string, args, env };
}

/** The servers of all workspaces. Their addresses are checked elsewhere, by `AddressRules`. */
export class Servers {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #vault: Vault;
  readonly #rows: CachedValue<ServerRow | undefined>;

  constructor(database: Database, bus: Bus, vault: Vault) {
    this.#database = database;
    this.#bus = bus;
    this.#vault = vault;
    this.#rows = new CachedValue(bus, 'servers', async (key) => {
      const [workspace, name] = JSON.parse(key) as [string, string];
      const [row] = await runQuery(
        () => database.system<ServerRow[]>`select * from sallyport.find_server(${workspace}::uuid, ${name})`,
      );
      return row;
    });
  }

  #row(workspace: string, name: string): Promise<ServerRow | undefined> {
    return NAME.test(name) ? this.#rows.get(JSON.stringify([workspace, name])) : Promise.resolve(undefined);
  }

  async find(workspace: string, name: string): Promise<Server | undefined> {
    const row = await this.#row(workspace, name);
    return row === undefined ? undefined : serverOf(row);
  }

  /** The gateway's credentials for the server; undefined if none were set. */
  async credentials(workspace: string, name: string): Promise<unknown> {
    const sealed = (await this.#row(workspace, name))?.credentials;
    return sealed == null ? undefined : JSON.parse(this.#vault.open(sealed, [workspace, name]));
  }

  /** Adds or changes a server. Credentials: undefined keeps the stored ones if the location is unchanged, null removes them. */
  async set(
    workspace: string,
    name: string,
    location: ServerLocation,
    by: string,
    credentials?: unknown,
  ): Promise<void> {
    if (!NAME.test(name))
      throw new StoreError('invalid', '`name` must have 1 to 40 characters of a-z, 0-9 and hyphens.');
    if (!isLocation(location))
      throw new StoreError('invalid', 'A server must have a `url`, or a `command` with `args` and `env`.');
    const sealed = credentials == null ? null : this.#vault.seal(JSON.stringify(credentials), [workspace, name]);
    const [url, command] = location.kind === 'http' ? [location.url, null] : [null, location.command];
    const [args, env] = location.kind === 'http' ? [[], {}] : [[...location.args], location.env];
    await this.#database.inWorkspace(workspace, async (sql) => {
      // Credentials must not be sent to a new address: a user who changes it could read them there.
      await sql`insert into servers as one (workspace_id, name, kind, url, command, args, env, credentials)
        values (${workspace}, ${name}, ${location.kind}, ${url}, ${command}, ${args}::text[], ${JSON.stringify(env)}::text::jsonb, ${sealed})
        on conflict (workspace_id, name) do update set kind = excluded.kind, url = excluded.url, command = excluded.command,
          args = excluded.args, env = excluded.env, changed_at = now(),
          credentials = case when ${credentials === undefined} and (one.kind, one.url, one.command, one.args, one.env)
            is not distinct from (excluded.kind, excluded.url, excluded.command, excluded.args, excluded.env)
            then one.credentials else excluded.credentials end`;
      // Tokens that were issued for another location or other credentials must not be used for this one.
      await sql`delete from tokens where workspace_id = ${workspace} and server = ${name}`;
      await sql`delete from person_tokens where workspace_id = ${workspace} and server = ${name}`;
      await recordAudit(this.#database, sql, workspace, { type: 'server', what: 'changed', server: name, by });
    });
    await this.#bus.publish('servers', workspace, name);
  }

  /** Replaces only the credentials, for example after tokens were refreshed. */
  async keepCredentials(workspace: string, name: string, credentials: unknown): Promise<void> {
    const sealed = this.#vault.seal(JSON.stringify(credentials), [workspace, name]);
    await this.#database.inWorkspace(workspace, async (sql) => {
      const { count } = await sql`update servers set credentials = ${sealed}
        where workspace_id = ${workspace} and name = ${name}`;
      if (count === 0) throw new StoreError('missing', 'There is no server of that name: read the list of servers.');
    });
    await this.#bus.publish('servers', workspace, name);
  }

  /** Removes a server. Its pins stay, so that it cannot be added again with other tools unnoticed. */
  async remove(workspace: string, name: string, by: string): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      const { count } = await sql`delete from servers where workspace_id = ${workspace} and name = ${name}`;
      if (count === 0) throw new StoreError('missing', 'There is no server of that name: read the list of servers.');
      await sql`delete from tokens where workspace_id = ${workspace} and server = ${name}`;
      await sql`delete from person_tokens where workspace_id = ${workspace} and server = ${name}`;
      await recordAudit(this.#database, sql, workspace, { type: 'server', what: 'removed', server: name, by });
    });
    await this.#bus.publish('servers', workspace, name);
  }

  async list(workspace: string): Promise<readonly Server[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<ServerRow[]>`select * from servers where workspace_id = ${workspace} order by name`,
    );
    return rows.map(serverOf);
  }

  close(): void {
    this.#rows.close();
  }
}
