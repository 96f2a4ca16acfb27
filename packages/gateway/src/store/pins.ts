import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { type Definition, definitionDigest, type Held, type PinStore, type Pins } from '@sallyport/mcp-proxy';
import type { Bus } from '../cache/bus.ts';
import { recordAudit } from './audit/audit.ts';
import { type Database, runQuery } from './database.ts';
import { StoreError } from './errors.ts';

/** A definition that is held back until a person accepts it. */
export interface HeldPin {
  readonly server: string;
  readonly held: Held;
  /** Digest of exactly this definition: accepting it does not accept a later one. */
  readonly digest: string;
  readonly at: Date;
}

interface PinRow {
  readonly kind: 'seen' | 'tool' | 'instructions' | 'accepted';
  readonly name: string;
  readonly body: string;
}

const keyOf = (name: string): string => digestText(name);

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

/** A held definition as a row: one for each tool, one for each that is only flagged, and one for the instructions. */
function heldRow(held: Held): { kind: string; key: string; body: string; digest: string } {
  const body = canonicalJson(held);
  const key = held.type === 'instructions' ? '' : keyOf(held.tool);
  const kind = held.type === 'instructions' || held.type === 'flagged' ? held.type : 'tool';
  return { kind, key, body, digest: digestText(body) };
}

/** The definitions that each server showed first, or that people have accepted since. */
export class PinBook {
  readonly #database: Database;
  readonly #bus: Bus;

  constructor(database: Database, bus: Bus) {
    this.#database = database;
    this.#bus = bus;
  }

  /** The pins of one server, for the proxy. */
  store(workspace: string, server: string): PinStore {
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
      hold: (held) => this.#hold(workspace, server, held),
      waits: async (tool) => {
        const [row] = await runQuery(
          () =>
            database.system<
              { waits: boolean }[]
            >`select sallyport.is_held(${workspace}::uuid, ${server}, ${keyOf(tool)}) as waits`,
        );
        return row?.waits !== false;
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

  async #hold(workspace: string, server: string, held: readonly Held[]): Promise<void> {
    if (held.length === 0) return;
    // If two share a name, the last one is stored.
    const rows = [...new Map(held.map(heldRow).map((row) => [`${row.kind} ${row.key}`, row])).values()];
    await this.#database.inWorkspace(
      workspace,
      (sql) => sql`insert into held as one (workspace_id, server, kind, key, body, digest)
        select ${workspace}::uuid, ${server}, kind, key, body, digest from unnest(${rows.map(({ kind }) => kind)}::text[],
          ${rows.map(({ key }) => key)}::text[], ${rows.map(({ body }) => body)}::text[], ${rows.map(({ digest }) => digest)}::text[])
          as given (kind, key, body, digest)
        on conflict (workspace_id, server, kind, key) do update set body = excluded.body, digest = excluded.digest, at = now()
          where one.digest <> excluded.digest`,
    );
    await this.#bus.publish('pins', workspace, server);
  }

  /** The held definitions of a workspace, oldest first. */
  async held(workspace: string): Promise<readonly HeldPin[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) => sql<{ server: string; body: string; digest: string; at: Date }[]>`
        select server, body, digest, at from held where workspace_id = ${workspace} order by at, server, key`,
    );
    return rows.map(({ server, body, digest, at }) => ({ server, held: parseJson(body) as Held, digest, at }));
  }

  /** Pins the definition that a person was shown under a digest. */
  async accept(workspace: string, server: string, digest: string, by: string): Promise<void> {
    await this.#database.inWorkspace(workspace, async (sql) => {
      const [row] = await sql<{ key: string; body: string }[]>`
        delete from held where workspace_id = ${workspace} and server = ${server} and digest = ${digest}
          returning key, body`;
      if (row === undefined)
        throw new StoreError('missing', 'There is no held definition with that digest: read the list again.');
      const held = parseJson(row.body) as Held;
      if (held.type === 'unreadable')
        throw new StoreError(
          'invalid',
          'This tool cannot be accepted, because its definition cannot be shown safely: its server has to rename it or its arguments.',
        );
      const tool = held.type === 'instructions' ? undefined : held.tool;
      const kind = tool === undefined ? 'instructions' : 'tool';
      const pinned = { kind, key: row.key, name: nameOf(tool ?? ''), body: JSON.stringify(held.after) };
      const accepted = held.type === 'instructions' ? [] : [acceptedRow(held.tool, definitionDigest(held.after))];
      for (const { kind: as, key, name, body } of [pinned, ...accepted])
        await sql`insert into pins (workspace_id, server, kind, key, name, body, accepted_by)
          values (${workspace}, ${server}, ${as}, ${key}, ${name}, ${body}, ${by})
          on conflict (workspace_id, server, kind, key)
            do update set body = excluded.body, accepted_by = excluded.accepted_by, at = now()`;
      await recordAudit(this.#database, sql, workspace, { type: 'pin', what: 'accepted', server, tool, digest, by });
    });
    await this.#bus.publish('pins', workspace, server);
  }
}
