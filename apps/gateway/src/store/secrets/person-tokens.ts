import type { TokenStore } from '../../upstream/oauth-tokens.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Database } from '../database.ts';
import { lockedTokens } from './tokens.ts';
import type { Vault } from './vault.ts';

/** A principal, and a server that their account is connected with. */
export interface Person {
  readonly workspace: string;
  readonly server: string;
  readonly principal: string;
}

/** The tokens of one person for one server. */
export interface PersonTokenStore extends TokenStore {
  /** Stores the tokens of a new connection, and writes it to the audit. */
  connect(text: string): Promise<void>;
}

/** A connection as it is listed, without its tokens. */
export interface PersonConnection {
  readonly server: string;
  readonly principal: string;
  /** When it began, or was last refreshed. */
  readonly changedAt: Date;
}

interface Bound {
  /** Digest of the settings that the tokens were issued under. */
  readonly settings: string;
  readonly tokens: string;
}

/** The tokens of persons for servers, each sealed for its person and shared by all replicas. */
export class PersonTokens {
  readonly #database: Database;
  readonly #vault: Vault;

  constructor(database: Database, vault: Vault) {
    this.#database = database;
    this.#vault = vault;
  }

  /** The tokens that a person got under these settings of the server. Those of other settings are not read. */
  of(person: Person, settings: string): PersonTokenStore {
    const { workspace, server, principal } = person;
    const binding = [workspace, server, principal, 'person-tokens'] as const;
    const sealed = (tokens: string): string => this.#vault.seal(JSON.stringify({ settings, tokens }), binding);
    const store = lockedTokens(this.#database, workspace, binding, (run) => ({
      read: async () => {
        const [row] = await run(
          (sql) => sql<{ body: string }[]>`select body from person_tokens
            where workspace_id = ${workspace} and server = ${server} and principal = ${principal}`,
        );
        if (row === undefined) return undefined;
        const bound = JSON.parse(this.#vault.open(row.body, binding)) as Bound;
        return bound.settings === settings ? bound.tokens : undefined;
      },
      async write(text) {
        // Only if the connection was not removed meanwhile.
        await run(
          (sql) => sql`update person_tokens set body = ${sealed(text)}, changed_at = now()
            where workspace_id = ${workspace} and server = ${server} and principal = ${principal}`,
        );
      },
    }));
    return { ...store, connect: (text) => this.#connect(person, sealed(text)) };
  }

  #connect({ workspace, server, principal }: Person, body: string): Promise<void> {
    return this.#database.inWorkspace(workspace, async (sql) => {
      await sql`insert into person_tokens (workspace_id, server, principal, body)
        values (${workspace}, ${server}, ${principal}, ${body})
        on conflict (workspace_id, server, principal) do update set body = excluded.body, changed_at = now()`;
      const event = { type: 'server', what: 'connected', server, by: principal } as const;
      await recordAudit(this.#database, sql, workspace, event);
    });
  }

  /** The connections of a workspace, sorted by server and principal. */
  list(workspace: string): Promise<readonly PersonConnection[]> {
    return this.#database.inWorkspace(
      workspace,
      (sql) => sql<PersonConnection[]>`select server, principal, changed_at as "changedAt" from person_tokens
        where workspace_id = ${workspace} order by server, principal`,
    );
  }

  /** Removes the tokens of a person for a server, or for all, and returns their number. `by` is the principal who does it. */
  end(
    { workspace, principal, server }: Pick<Person, 'workspace' | 'principal'> & { readonly server?: string },
    by: string,
  ): Promise<number> {
    return this.#database.inWorkspace(workspace, async (sql) => {
      const rows = await sql<{ server: string }[]>`delete from person_tokens
        where workspace_id = ${workspace} and principal = ${principal} and server = coalesce(${server ?? null}, server) returning server`;
      for (const row of rows) {
        const event = { type: 'server', what: 'disconnected', server: row.server, principal, by } as const;
        await recordAudit(this.#database, sql, workspace, event);
      }
      return rows.length;
    });
  }
}
