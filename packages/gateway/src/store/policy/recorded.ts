import type { Likelihood } from '@sallyport/core/stages';
import type { Pins } from '@sallyport/mcp-proxy';
import { type Database, runQuery } from '../database.ts';
import { MAX_BYTES, nameOf } from '../log.ts';
import type { PolicyBody } from './body.ts';

/** An entry of the log of one principal's conversations. */
export interface RecordedEntry {
  /** `own`, `definitions`, `refused`, or `conversation` and its name. */
  readonly conversation: string;
  readonly place: number;
  readonly text: string;
  /** Milliseconds since 1970; undefined before the time from which calls are judged. */
  readonly at: number | undefined;
}

/** A principal, and the conversations that have entries since a time. */
export interface RecordedPrincipal {
  readonly name: string;
  readonly conversations: readonly string[];
  /** The groups of the principal's valid keys. Those of a token are not recorded. */
  readonly groups: readonly string[];
}

/** The entries of a principal's conversations. */
export interface RecordedEntries {
  /** In the order in which they were written. */
  readonly entries: readonly RecordedEntry[];
  /** Conversations that are left out, because there is too much to read. */
  readonly unread: number;
}

/** What is needed to judge recorded calls again. */
export interface DryRunSource {
  readonly active: PolicyBody;
  readonly proposed: PolicyBody;
  readonly servers: readonly { readonly name: string; readonly pins: Pins | undefined }[];
  /** The thresholds of each server that people set because of false alarms. */
  readonly raised: readonly ReadonlyMap<string, Likelihood>[];
  readonly principals: readonly RecordedPrincipal[];
  /** Conversations whose names are too long to be known again. */
  readonly unread: number;
  load(principal: RecordedPrincipal): Promise<RecordedEntries>;
}

const MAX_CONVERSATIONS = 100_000;
/** Characters of one principal that are read, the latest conversations first. */
const MAX_CHARACTERS = 64_000_000;

function readName(text: string): readonly [principal: string, conversation: string] | undefined {
  return text.startsWith('[') ? (JSON.parse(text) as [string, string]) : undefined;
}

/** The values of each name, without repetitions. */
function collect(pairs: readonly (readonly [name: string, value: string])[]): ReadonlyMap<string, readonly string[]> {
  const collected = new Map<string, Set<string>>();
  for (const [name, value] of pairs) collected.set(name, (collected.get(name) ?? new Set()).add(value));
  return new Map([...collected].map(([name, values]) => [name, [...values]]));
}

/** The principals with entries since a time, those with the latest ones first. */
export async function recordedPrincipals(
  database: Database,
  workspace: string,
  since: Date,
): Promise<Pick<DryRunSource, 'principals' | 'unread'>> {
  const [rows, keys] = await database.inWorkspace(workspace, async (sql) => [
    await sql<{ conversation: string }[]>`select conversation from log
      where workspace_id = ${workspace} and at >= ${since} group by 1 order by max(id) desc limit ${MAX_CONVERSATIONS}`,
    await sql<{ principal: string; groups: string[] }[]>`select principal, groups from keys
      where workspace_id = ${workspace} and revoked_at is null and (expires_at is null or expires_at > now())`,
  ]);
  const names = rows.flatMap(({ conversation }) => {
    const name = readName(conversation);
    return name === undefined ? [] : [name];
  });
  const groups = collect(keys.flatMap((key) => key.groups.map((group) => [key.principal, group] as const)));
  const principals = [...collect(names)].map(([name, conversations]) => ({
    name,
    conversations,
    groups: groups.get(name) ?? [],
  }));
  return { principals, unread: rows.length - names.length };
}

/** The entries of a principal's conversations from their beginning. */
export async function recordedEntries(
  database: Database,
  workspace: string,
  { name, conversations }: RecordedPrincipal,
  since: Date,
): Promise<RecordedEntries> {
  const entries: RecordedEntry[] = [];
  let [characters, unread] = [0, 0];
  // First what all conversations share.
  for (const conversation of new Set(['own', 'definitions', ...conversations])) {
    if (characters > MAX_CHARACTERS) {
      unread++;
      continue;
    }
    const stored = nameOf(name, conversation);
    const rows = await runQuery(
      () => database.system<{ place: string; entry: string }[]>`
        select place, entry from sallyport.log_since(${workspace}::uuid, ${stored}, 0, ${MAX_BYTES})`,
    );
    const times = await database.inWorkspace(
      workspace,
      (sql) => sql<{ id: string; at: Date }[]>`select id, at from log
        where workspace_id = ${workspace} and conversation = ${stored} and at >= ${since}`,
    );
    const timeOf = new Map(times.map(({ id, at }) => [id, at.getTime()]));
    for (const { place, entry } of rows) {
      entries.push({ conversation, place: Number(place), text: entry, at: timeOf.get(place) });
      characters += entry.length;
    }
  }
  return { entries: entries.sort((one, other) => one.place - other.place), unread };
}
