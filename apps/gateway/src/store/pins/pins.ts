import { parseJson } from '@sallyport/core/json';
import {
  type Definition,
  definitionDigest,
  type Held,
  type HeldAs,
  type Listed,
  type PinStore,
  type Pins,
} from '@sallyport/mcp-proxy';
import type { Bus } from '../../cache/bus.ts';
import { recordAudit } from '../audit/audit.ts';
import { type Database, runQuery, type Transaction } from '../database.ts';
import { StoreError } from '../errors.ts';
import {
  changesOf,
  type HeldChanges,
  heldRows,
  keyOf,
  type Lister,
  listersWithout,
  type OfferedRow,
  SHARED,
} from './held-rows.ts';

/** A definition that is held back until a person accepts it. */
export interface HeldPin {
  readonly server: string;
  readonly held: Held;
  /** Digest of exactly this definition: accepting it does not accept a later one. */
  readonly digest: string;
  readonly at: Date;
  /** The person who rejected it; absent while it waits. */
  readonly rejectedBy?: string;
  readonly rejectedAt?: Date;
  /** The principals that are offered it, or `SHARED`. */
  readonly listers: readonly string[];
}

interface HeldRow {
  readonly server: string;
  readonly body: string;
  readonly digest: string;
  readonly at: Date;
  readonly rejected_by: string | null;
  readonly rejected_at: Date | null;
  readonly listers: readonly string[];
}

interface PinRow {
  readonly kind: 'seen' | 'tool' | 'instructions' | 'accepted';
  readonly name: string;
  readonly body: string;
}

/** Maximum number of withdrawn definitions of one server that are kept, so that a person who answers late learns why. */
const MAX_WITHDRAWN = 100;

const EVERYONE: Lister = { principal: SHARED, isShared: () => true };

/** The held definitions of a server that a principal is offered. */
export function heldFor(held: readonly HeldPin[], server: string, principal: string): readonly HeldPin[] {
  const isOffered = ({ listers }: HeldPin): boolean => listers.includes(SHARED) || listers.includes(principal);
  return held.filter((each) => each.server === server && isOffered(each));
}

/** The tool whose calls a held definition refuses. One that is only flagged may be called until a person rejects it. */
function refusedTool({ held, rejectedBy }: HeldPin): readonly (readonly [string, HeldAs])[] {
  if (held.type === 'instructions' || (held.type === 'flagged' && rejectedBy === undefined)) return [];
  return [[held.tool, rejectedBy === undefined ? 'waits' : 'rejected']];
}

/** The tools of a server whose calls are refused to a principal, and why. */
export function heldTools(held: readonly HeldPin[], server: string, principal: string): ReadonlyMap<string, HeldAs> {
  return new Map(heldFor(held, server, principal).flatMap(refusedTool));
}

/** A name as it is stored: JSON, so that different names stay different. */
const nameOf = (name: string): string => JSON.stringify(name);

function pinsOf(rows: readonly PinRow[]): Pins | undefined {
  if (rows.length === 0) return undefined;
  const named = (kind: PinRow['kind']): unknown =>
    Object.fromEntries(
      rows.filter((row) => row.kind === kind).map(({ name, body }) => [parseJson(name), parseJson(body)]),
    );
  const instructions = rows.find(({ kind }) => kind === 'instructions');
  const isAnyAccepted = rows.some(({ kind }) => kind === 'accepted');
  return {
    tools: named('tool') as Record<string, Definition>,
    ...(isAnyAccepted ? { accepted: named('accepted') as Record<string, string> } : {}),
    ...(instructions === undefined ? {} : { instructions: parseJson(instructions.body) as string }),
  };
}

/** The digest of an accepted definition as a row. */
function acceptedRow(tool: string, digest: string): { kind: string; key: string; name: string; body: string } {
  return { kind: 'accepted', key: keyOf(tool), name: nameOf(tool), body: JSON.stringify(digest) };
}

/** The definitions that each server showed first, or that people have accepted since. */
export class PinBook {
  readonly #database: Database;
  readonly #bus: Bus;

  constructor(database: Database, bus: Bus) {
    this.#database = database;
    this.#bus = bus;
  }

  /** The pins of one server, for the proxy of a principal. */
  store(workspace: string, server: string, { principal, isShared }: Lister = EVERYONE): PinStore {
    const database = this.#database;
    return {
      load: async () =>
        pinsOf(
          await runQuery(
            () =>
              database.system<
                PinRow[]
              >`select kind, name, body from sallyport.load_pins(${workspace}::uuid, ${server})`,
          ),
        ),
      add: (pins) => this.#add(workspace, server, pins),
      hold: (held, listed) => this.#hold({ workspace, server, lister: isShared() ? SHARED : principal }, held, listed),
      waits: async (tool) => {
        const heldAs = heldTools(await this.held(workspace), server, principal).get(tool);
        return heldAs === 'rejected' ? heldAs : heldAs !== undefined;
      },
      others: async () => {
        const rows = await runQuery(
          () =>
            database.system<
              { name: string; server: string }[]
            >`select name, server from sallyport.other_tools(${workspace}::uuid, ${server})`,
        );
        return new Map(rows.map(({ name, server: owner }) => [parseJson(name) as string, owner]));
      },
    };
  }

  async #add(workspace: string, server: string, { tools, instructions, accepted = {} }: Pins): Promise<void> {
    const rows = [
      { kind: 'seen', key: '', name: '""', body: 'true' },
      ...Object.entries(tools).map(([tool, definition]) => ({
        kind: 'tool',
        key: keyOf(tool),
        name: nameOf(tool),
        body: JSON.stringify(definition),
      })),
      ...Object.entries(accepted).map(([tool, digest]) => acceptedRow(tool, digest)),
      ...(instructions === undefined
        ? []
        : [{ kind: 'instructions', key: '', name: '""', body: JSON.stringify(instructions) }]),
    ];
    await this.#database.inWorkspace(
      workspace,
      (sql) => sql`insert into pins (workspace_id, server, kind, key, name, body)
        select ${workspace}::uuid, ${server}, kind, key, name, body from unnest(${rows.map(({ kind }) => kind)}::text[],
          ${rows.map(({ key }) => key)}::text[], ${rows.map(({ name }) => name)}::text[], ${rows.map(({ body }) => body)}::text[])
          as given (kind, key, name, body)
        on conflict (workspace_id, server, kind, key) do update set body = excluded.body, at = now()
          where excluded.kind = 'accepted' and pins.body <> excluded.body`,
    );
    await this.#bus.publish('pins', workspace, server);
  }

  /**
   * Stores what the server offers this lister now. What it has listed under the same names before and does not offer any more is
   * withdrawn, as soon as no other lister is offered it.
   */
  async #hold(
    { workspace, server, lister }: { readonly workspace: string; readonly server: string; readonly lister: string },
    held: readonly Held[],
    listed?: Listed,
  ): Promise<void> {
    const rows = heldRows(held);
    const isChanged = await this.#database.inWorkspace(workspace, async (sql) => {
      const changes = async (): Promise<HeldChanges> => {
        const before = await sql<OfferedRow[]>`select kind, key, digest, listers from held
          where workspace_id = ${workspace} and server = ${server} and withdrawn_at is null`;
        return changesOf(before, rows, lister, listed);
      };
      const seen = await changes();
      if (seen.added.length === 0 && seen.gone.length === 0) return false;
      // Replicas that list at the same time would change the same rows.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`held ${workspace} ${server}`}, 0))`;
      const { added, gone } = await changes();
      for (const row of gone) {
        const left = listersWithout(lister, row);
        const isWithdrawn = left.length === 0;
        await sql`update held set withdrawn_at = case when ${isWithdrawn} then now() end,
            listers = ${[...(isWithdrawn ? row.listers : left)]}::text[]
          where workspace_id = ${workspace} and server = ${server}
            and kind = ${row.kind} and key = ${row.key} and digest = ${row.digest}`;
      }
      for (const { kind, key, body, digest } of added)
        await sql`insert into held (workspace_id, server, kind, key, body, digest, listers)
          values (${workspace}, ${server}, ${kind}, ${key}, ${body}, ${digest}, ${[lister]}::text[])
          on conflict (workspace_id, server, kind, key, digest) do update set withdrawn_at = null, listers =
            case when held.withdrawn_at is null then array_remove(held.listers, ${lister}) else '{}' end || excluded.listers`;
      await sql`delete from held where workspace_id = ${workspace} and server = ${server} and rejected_at is null
        and (withdrawn_at < now() - interval '1 day' or digest in (select digest from held
          where workspace_id = ${workspace} and server = ${server} and rejected_at is null and withdrawn_at is not null
          order by withdrawn_at desc offset ${MAX_WITHDRAWN}))`;
      return true;
    });
    if (isChanged) await this.#bus.publish('pins', workspace, server);
  }

  /** The held definitions that the servers of a workspace offer, oldest first. */
  async held(workspace: string): Promise<readonly HeldPin[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<HeldRow[]>`select server, body, digest, at, rejected_by, rejected_at, listers from held
        where workspace_id = ${workspace} and withdrawn_at is null order by at, server, key`,
    );
    return rows.map(({ server, body, digest, at, listers, rejected_by: by, rejected_at: rejectedAt }) => ({
      server,
      held: parseJson(body) as Held,
      digest,
      at,
      listers,
      ...(by === null || rejectedAt === null ? {} : { rejectedBy: by, rejectedAt }),
    }));
  }

  /** Pins the definition that a person was shown under a digest, if the server still offers it. */
  async accept(workspace: string, server: string, digest: string, by: string): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      const { key, body, withdrawn_at } = await this.#find(sql, workspace, server, digest);
      if (withdrawn_at !== null)
        throw new StoreError(
          'conflict',
          'The server no longer offers this definition, so it is not accepted: read the list again.',
        );
      const held = parseJson(body) as Held;
      if (held.type === 'unreadable')
        throw new StoreError(
          'invalid',
          'This tool cannot be accepted, because its definition cannot be shown safely: its server has to rename it or its arguments.',
        );
      const tool = held.type === 'instructions' ? undefined : held.tool;
      const kind = tool === undefined ? 'instructions' : 'tool';
      const pinned = { kind, key, name: nameOf(tool ?? ''), body: JSON.stringify(held.after) };
      const accepted = held.type === 'instructions' ? [] : [acceptedRow(held.tool, definitionDigest(held.after))];
      for (const row of [pinned, ...accepted])
        await sql`insert into pins (workspace_id, server, kind, key, name, body, accepted_by)
          values (${workspace}, ${server}, ${row.kind}, ${row.key}, ${row.name}, ${row.body}, ${by})
          on conflict (workspace_id, server, kind, key)
            do update set body = excluded.body, accepted_by = excluded.accepted_by, at = now()`;
      await sql`delete from held where workspace_id = ${workspace} and server = ${server} and digest = ${digest}`;
      await recordAudit(this.#database, sql, workspace, { type: 'pin', what: 'accepted', server, tool, digest, by });
    });
    await this.#bus.publish('pins', workspace, server);
  }

  /** Rejects the definition that a person was shown under a digest, for as often as the server offers it. The pins stay. */
  async reject(workspace: string, server: string, digest: string, by: string): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      const { body } = await this.#find(sql, workspace, server, digest);
      const held = parseJson(body) as Held;
      const tool = held.type === 'instructions' ? undefined : held.tool;
      await sql`update held set rejected_by = ${by}, rejected_at = now()
        where workspace_id = ${workspace} and server = ${server} and digest = ${digest}`;
      await recordAudit(this.#database, sql, workspace, { type: 'pin', what: 'rejected', server, tool, digest, by });
    });
    await this.#bus.publish('pins', workspace, server);
  }

  async #find(
    sql: Transaction,
    workspace: string,
    server: string,
    digest: string,
  ): Promise<{ readonly key: string; readonly body: string; readonly withdrawn_at: Date | null }> {
    const [row] = await sql<{ key: string; body: string; withdrawn_at: Date | null }[]>`
      select key, body, withdrawn_at from held
        where workspace_id = ${workspace} and server = ${server} and digest = ${digest} for update`;
    if (row === undefined)
      throw new StoreError('missing', 'There is no held definition with that digest: read the list again.');
    return row;
  }
}
