import type { Outcome, Preset, TableChanges } from '@sallyport/core';
import { SUPPLIERS } from '@sallyport/core/adapter';
import { OUTCOMES } from '@sallyport/core/stages';
import type { ToolKnowledge } from '@sallyport/mcp-proxy';
import type { PolicyBody, ServerPolicy } from './body.ts';
import { withinFloor } from './floor.ts';

function mapValues<V, W>(values: Readonly<Record<string, V>>, change: (value: V) => W): Readonly<Record<string, W>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** A name that versions before 0.2 found anywhere in a result is now a field at its top. */
function pointerOf(name: string): string {
  return name.startsWith('/') ? name : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The rows that an effect had before 0.2: whether the user asked for the call. */
const ROWS = ['asked', 'not asked', 'unheard'];
type Cells = Readonly<Record<string, Outcome>>;
type Rows = Readonly<Record<string, Cells | undefined>>;

/** The strictest of the cells of an effect that became one. Less strict than a preset only if all of them are. */
function strictest(cells: readonly (Outcome | undefined)[], supplier: string): Outcome | undefined {
  const outcome = [...OUTCOMES].reverse().find((each) => cells.includes(each));
  const isLoose = outcome === 'allow' || (supplier === 'instructed' && outcome === 'ask');
  return isLoose && cells.includes(undefined) ? undefined : outcome;
}

/**
 * A table as any version has stored it, in the form of this one. Before 0.2 each effect had rows, and content that the user pointed
 * at and requests in content had cells of their own, where `content` is now.
 */
function storedTable(table: TableChanges): TableChanges {
  return mapValues(table as Readonly<Record<string, Cells | Rows>>, (stored) => {
    if (!ROWS.some((row) => Object.hasOwn(stored, row))) return stored;
    const folded = SUPPLIERS.flatMap((supplier) => {
      const names = supplier === 'content' ? ['content', 'named', 'requested'] : [supplier];
      const cells = ROWS.flatMap((row) => names.map((name) => (stored as Rows)[row]?.[name]));
      const outcome = strictest(cells, supplier);
      return outcome === undefined ? [] : [[supplier, outcome]];
    });
    return Object.fromEntries(folded);
  }) as TableChanges;
}

/** A tool's settings as versions before 0.2 stored them: under the names `free` and `fields`, with names of fields. */
function toolOf({ free, fields, ...tool }: ToolKnowledge & { free?: unknown; fields?: unknown }): ToolKnowledge {
  const { serviceFields = fields, table, ...rest } = tool as ToolKnowledge & { serviceFields?: unknown };
  const pointers = Object.entries(serviceFields ?? {}).map(([name, shape]) => [pointerOf(name), shape]);
  return {
    ...(free === undefined ? {} : { modelText: free }),
    ...(serviceFields === undefined ? {} : { serviceFields: Object.fromEntries(pointers) }),
    ...(table === undefined ? {} : { table: storedTable(table) }),
    ...rest,
  } as ToolKnowledge;
}

/** The preset that versions before 0.2 called `observe`. */
const OBSERVE = 'observe' as Preset;

/** Settings that versions before 0.2 accepted for a server and did not apply to it. */
type Unapplied = Pick<PolicyBody, 'preset' | 'limit' | 'thresholds'>;

function serverOf({ preset, limit, thresholds, ...server }: ServerPolicy & Unapplied): ServerPolicy {
  return server.tools === undefined ? server : { ...server, tools: mapValues(server.tools, toolOf) };
}

/** A policy as any version has stored it, in the form of this one. A threshold above the floor is lowered to it. */
export function storedPolicy(body: PolicyBody): PolicyBody {
  const presets = body.preset === OBSERVE ? { preset: 'balanced' as const, observe: true } : {};
  const table = body.table === undefined ? {} : { table: storedTable(body.table) };
  const servers = body.servers === undefined ? {} : { servers: mapValues(body.servers, serverOf) };
  const thresholds = body.thresholds === undefined ? {} : { thresholds: mapValues(body.thresholds, withinFloor) };
  return { ...body, ...presets, ...table, ...thresholds, ...servers };
}
