import type { Bus } from '../cache/bus.ts';
import { Fresh } from '../cache/cached-value.ts';
import { note } from './audit/audit.ts';
import { ask, type Database } from './database.ts';
import { StoreError } from './errors.ts';
import type { Vault } from './secrets/vault.ts';
import { NAME } from './workspaces.ts';

/** Where a server is: an address, or a command. */
export type ServerPlace =
  | { readonly kind: 'http'; readonly url: string }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** Nothing secret: that belongs into the credentials. */
      readonly env: Readonly<Record<string, string>>;
    };

export type Server = ServerPlace & {
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

function isPlace(place: ServerPlace): boolean {
  if (place.kind === 'http') return isWord(place.url) && /^https?:\/\//.test(place.url) && URL.canParse(place.url);
  const { command, args, env } = place;
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

/** The servers of all workspaces. Which addresses may be connected to is not judged here. */
export class Servers {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #vault: Vault;
  readonly #fresh: Fresh<ServerRow | undefined>;

  constructor(database: Database, bus: Bus, vault: Vault) {
    this.#database = database;
    this.#bus = bus;
    this.#vault = vault;
    this.#fresh = new Fresh(bus, 'servers', async (key) => {
      const [workspace, name] = JSON.parse(key) as [string, string];
      const [row] = await ask(
        () => database.system<ServerRow[]>`select * from find_server(${workspace}::uuid, ${name})`,
      );
      return row;
    });
  }

  #row(workspace: string, name: string): Promise<ServerRow | undefined> {
    return NAME.test(name) ? this.#fresh.get(JSON.stringify([workspace, name])) : Promise.resolve(undefined);
  }

  async find(workspace: string, name: string): Promise<Server | undefined> {
    const row = await this.#row(workspace, name);
    return row === undefined ? undefined : serverOf(row);
  }

  /** What the gateway shows to the server; undefined where nothing was set. */
  async credentials(workspace: string, name: string): Promise<unknown> {
    const sealed = (await this.#row(workspace, name))?.credentials;
    return sealed == null ? undefined : JSON.parse(this.#vault.open(sealed, [workspace, name]));
  }

  /** Adds a server, or changes it. Credentials: undefined keeps those it has as long as its place stays, null removes them. */
  async set(workspace: string, name: string, place: ServerPlace, by: string, credentials?: unknown): Promise<void> {
    if (!NAME.test(name)) throw new StoreError('invalid', 'A name has 1 to 40 of a-z, 0-9 and hyphens.');
    if (!isPlace(place))
      throw new StoreError('invalid', 'A server has a url, or a command with args and env, all texts.');
    const sealed = credentials == null ? null : this.#vault.seal(JSON.stringify(credentials), [workspace, name]);
    const [url, command] = place.kind === 'http' ? [place.url, null] : [null, place.command];
    const [args, env] = place.kind === 'http' ? [[], {}] : [[...place.args], place.env];
    await this.#database.within(workspace, async (sql) => {
      // Who may change the address must not learn by it what was meant for another one.
      await sql`insert into servers as one (workspace_id, name, kind, url, command, args, env, credentials)
        values (${workspace}, ${name}, ${place.kind}, ${url}, ${command}, ${args}::text[], ${JSON.stringify(env)}::text::jsonb, ${sealed})
        on conflict (workspace_id, name) do update set kind = excluded.kind, url = excluded.url, command = excluded.command,
          args = excluded.args, env = excluded.env, changed_at = now(),
          credentials = case when ${credentials === undefined} and (one.kind, one.url, one.command, one.args, one.env)
            is not distinct from (excluded.kind, excluded.url, excluded.command, excluded.args, excluded.env)
            then one.credentials else excluded.credentials end`;
      // Tokens that were got for another place, or by other credentials, are not for this one.
      await sql`delete from tokens where workspace_id = ${workspace} and server = ${name}`;
      await note(sql, workspace, { type: 'server', what: 'changed', server: name, by });
    });
    await this.#bus.tell('servers', workspace, name);
  }

  /** Replaces the credentials alone, as after a refresh of tokens. */
  async keepCredentials(workspace: string, name: string, credentials: unknown): Promise<void> {
    const sealed = this.#vault.seal(JSON.stringify(credentials), [workspace, name]);
    await this.#database.within(workspace, async (sql) => {
      const { count } = await sql`update servers set credentials = ${sealed}
        where workspace_id = ${workspace} and name = ${name}`;
      if (count === 0) throw new StoreError('missing', 'There is no such server: see the list.');
    });
    await this.#bus.tell('servers', workspace, name);
  }

  /** Removes a server. Its pins stay, so that it cannot come back with other tools. */
  async remove(workspace: string, name: string, by: string): Promise<void> {
    await this.#database.within(workspace, async (sql) => {
      const { count } = await sql`delete from servers where workspace_id = ${workspace} and name = ${name}`;
      if (count === 0) throw new StoreError('missing', 'There is no such server: see the list.');
      await sql`delete from tokens where workspace_id = ${workspace} and server = ${name}`;
      await note(sql, workspace, { type: 'server', what: 'removed', server: name, by });
    });
    await this.#bus.tell('servers', workspace, name);
  }

  async list(workspace: string): Promise<readonly Server[]> {
    const rows = await this.#database.within(
      workspace,
      (sql) => sql<ServerRow[]>`select * from servers where workspace_id = ${workspace} order by name`,
    );
    return rows.map(serverOf);
  }

  close(): void {
    this.#fresh.close();
  }
}
