import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Definition, Held, PinStore, Pins } from '@sallyport/mcp-proxy';
import type { Bus } from '../cache/bus.ts';
import { note } from './audit/audit.ts';
import { ask, type Database } from './database.ts';
import { StoreError } from './errors.ts';

/** Something that waits for a person. */
export interface HeldPin {
  readonly server: string;
  readonly held: Held;
  /** Names exactly this: who accepts it accepts nothing that came later. */
  readonly digest: string;
  readonly at: Date;
}

interface PinRow {
  readonly kind: 'seen' | 'tool' | 'instructions';
  readonly name: string;
  readonly body: string;
}

const keyOf = (name: string): string => digestText(name);

/** A name as it is kept: JSON, so that no two names become one. */
const nameOf = (name: string): string => JSON.stringify(name);

function pinsOf(rows: readonly PinRow[]): Pins | undefined {
  if (rows.length === 0) return undefined;
  const tools = rows
    .filter(({ kind }) => kind === 'tool')
    .map(({ name, body }) => [JSON.parse(name), JSON.parse(body)]);
  const said = rows.find(({ kind }) => kind === 'instructions');
  return {
    tools: Object.fromEntries(tools) as Record<string, Definition>,
    ...(said === undefined ? {} : { instructions: JSON.parse(said.body) as string }),
  };
}

/** What waits, as a row: one of each tool, and one for the instructions. */
function heldRow(held: Held): { kind: string; key: string; body: string; digest: string } {
  const body = canonicalJson(held);
  const key = held.type === 'instructions' ? '' : keyOf(held.tool);
  return { kind: held.type === 'instructions' ? 'instructions' : 'tool', key, body, digest: digestText(body) };
}

/** What was seen of each server first, or accepted since. */
export class PinBook {
  readonly #database: Database;
  readonly #bus: Bus;

  constructor(database: Database, bus: Bus) {
    this.#database = database;
    this.#bus = bus;
  }

  /** The pins of one server, as a proxy asks for them. */
  store(workspace: string, server: string): PinStore {
    const database = this.#database;
    return {
      load: async () =>
        pinsOf(
          await ask(
            () => database.system<PinRow[]>`select kind, name, body from load_pins(${workspace}::uuid, ${server})`,
          ),
        ),
      add: (pins) => this.#add(workspace, server, pins),
      hold: (held) => this.#hold(workspace, server, held),
      waits: async (tool) => {
        const [row] = await ask(
          () =>
            database.system<
              { waits: boolean }[]
            >`select is_held(${workspace}::uuid, ${server}, ${keyOf(tool)}) as waits`,
        );
        return row?.waits !== false;
      },
      others: async () => {
        const rows = await ask(
          () =>
            database.system<
              { name: string; server: string }[]
            >`select name, server from other_tools(${workspace}::uuid, ${server})`,
        );
        return new Map(rows.map(({ name, server: owner }) => [JSON.parse(name) as string, owner]));
      },
    };
  }

  async #add(workspace: string, server: string, { tools, instructions }: Pins): Promise<void> {
    const rows = [
      { kind: 'seen', key: '', name: '""', body: 'true' },
      ...Object.entries(tools).map(([tool, definition]) => ({
        kind: 'tool',
        key: keyOf(tool),
        name: nameOf(tool),
        body: JSON.stringify(definition),
      })),
      ...(instructions === undefined
        ? []
        : [{ kind: 'instructions', key: '', name: '""', body: JSON.stringify(instructions) }]),
    ];
    await this.#database.within(
      workspace,
      (sql) => sql`insert into pins (workspace_id, server, kind, key, name, body)
        select ${workspace}::uuid, ${server}, kind, key, name, body from unnest(${rows.map(({ kind }) => kind)}::text[],
          ${rows.map(({ key }) => key)}::text[], ${rows.map(({ name }) => name)}::text[], ${rows.map(({ body }) => body)}::text[])
          as given (kind, key, name, body)
        on conflict do nothing`,
    );
    await this.#bus.tell('pins', workspace, server);
  }

  async #hold(workspace: string, server: string, held: readonly Held[]): Promise<void> {
    if (held.length === 0) return;
    // Of two that share a name the last counts.
    const rows = [...new Map(held.map(heldRow).map((row) => [`${row.kind} ${row.key}`, row])).values()];
    await this.#database.within(
      workspace,
      (sql) => sql`insert into held as one (workspace_id, server, kind, key, body, digest)
        select ${workspace}::uuid, ${server}, kind, key, body, digest from unnest(${rows.map(({ kind }) => kind)}::text[],
          ${rows.map(({ key }) => key)}::text[], ${rows.map(({ body }) => body)}::text[], ${rows.map(({ digest }) => digest)}::text[])
          as given (kind, key, body, digest)
        on conflict (workspace_id, server, kind, key) do update set body = excluded.body, digest = excluded.digest, at = now()
          where one.digest <> excluded.digest`,
    );
    await this.#bus.tell('pins', workspace, server);
  }

  /** What waits for a person, the oldest first. */
  async held(workspace: string): Promise<readonly HeldPin[]> {
    const rows = await this.#database.within(
      workspace,
      (sql) => sql<{ server: string; body: string; digest: string; at: Date }[]>`
        select server, body, digest, at from held where workspace_id = ${workspace} order by at, server, key`,
    );
    return rows.map(({ server, body, digest, at }) => ({ server, held: JSON.parse(body) as Held, digest, at }));
  }

  /** A person accepts what was shown to him under a digest: from now on it is pinned. */
  async accept(workspace: string, server: string, digest: string, by: string): Promise<void> {
    await this.#database.within(workspace, async (sql) => {
      const [row] = await sql<{ kind: 'tool' | 'instructions'; key: string; body: string }[]>`
        delete from held where workspace_id = ${workspace} and server = ${server} and digest = ${digest}
          returning kind, key, body`;
      if (row === undefined)
        throw new StoreError('missing', 'Nothing like that waits any more: look at the list again.');
      const held = JSON.parse(row.body) as Held;
      if (held.type === 'unreadable')
        throw new StoreError('invalid', 'This tool cannot be shown: its server has to rename it or its arguments.');
      const tool = held.type === 'instructions' ? undefined : held.tool;
      await sql`insert into pins (workspace_id, server, kind, key, name, body, accepted_by)
        values (${workspace}, ${server}, ${row.kind}, ${row.key}, ${nameOf(tool ?? '')}, ${JSON.stringify(held.after)}, ${by})
        on conflict (workspace_id, server, kind, key)
          do update set body = excluded.body, accepted_by = excluded.accepted_by, at = now()`;
      await note(sql, workspace, { type: 'pin', what: 'accepted', server, tool, digest, by });
    });
    await this.#bus.tell('pins', workspace, server);
  }
}
