import { setImmediate } from 'node:timers/promises';
import type { Likelihood } from '@sallyport/core/stages';
import type { Pins } from '@sallyport/mcp-proxy';
import type { Database } from '../database.ts';
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

/** Receives a portion of a principal's entries: those of one conversation in their order, conversation after conversation. */
export type ReceiveEntries = (entries: readonly RecordedEntry[]) => void;

/** The rules for judging recorded calls. */
export interface RecordedRules {
  readonly policy: PolicyBody;
  /** The thresholds of each server that people set because of false alarms. */
  readonly raised: readonly ReadonlyMap<string, Likelihood>[];
}

/** The data for judging recorded calls again. */
export interface DryRunSource {
  readonly active: RecordedRules;
  readonly proposed: RecordedRules;
  readonly servers: readonly { readonly name: string; readonly pins: Pins | undefined }[];
  readonly principals: readonly RecordedPrincipal[];
  /** Conversations whose names are too long to be known again. */
  readonly unread: number;
  /** Reads the entries in portions. Returns how many conversations are left out, because there is too much to read. */
  load(principal: RecordedPrincipal, receive: ReceiveEntries): Promise<number>;
}

/** The data for showing a recorded conversation. */
export interface ViewSource extends Pick<DryRunSource, 'servers' | 'active'> {
  /** Other rules, by which calls are judged too. @default none */
  readonly proposed?: RecordedRules;
  readonly principal: RecordedPrincipal;
  /** Undefined: the principal's. */
  readonly conversation: string | undefined;
  /** Reads the entries in portions. Returns how many conversations are left out, because there is too much to read. */
  load(receive: ReceiveEntries): Promise<number>;
}

const MAX_CONVERSATIONS = 100_000;
/** Characters of one principal that are read, the latest conversations first. */
const MAX_CHARACTERS = 64_000_000;
/** Entries that are read at once. */
const PORTION = 20;
/** Characters that are passed on at once, so that nothing else waits for long meanwhile. One entry may have more. */
const PORTION_CHARACTERS = 1_000_000;

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

/** The groups of a principal's valid keys. */
export async function groupsOf(database: Database, workspace: string, principal: string): Promise<readonly string[]> {
  const rows = await database.inWorkspace(
    workspace,
    (sql) => sql<{ name: string }[]>`select distinct unnest(groups) as name from keys
      where workspace_id = ${workspace} and principal = ${principal} and revoked_at is null
        and (expires_at is null or expires_at > now())`,
  );
  return rows.map(({ name }) => name);
}

/** A conversation of the log. */
export interface RecordedConversation {
  readonly principal: string;
  /** Undefined: the principal's, of clients that name none. */
  readonly conversation: string | undefined;
}

export interface ListedConversation extends RecordedConversation {
  readonly from: Date;
  readonly to: Date;
  /** The entries read and called in the requested time. */
  readonly entries: number;
}

/** Looks for a conversation in the log. */
export async function isRecorded(
  database: Database,
  workspace: string,
  { principal, conversation }: RecordedConversation,
): Promise<boolean> {
  const stored = nameOf(principal, conversation === undefined ? 'own' : NAMED + conversation);
  const rows = await database.inWorkspace(
    workspace,
    (sql) => sql`select from log where workspace_id = ${workspace} and conversation = ${stored} limit 1`,
  );
  return rows.length > 0;
}

const MAX_LISTED = 1000;
const NAMED = 'conversation ';

/** The conversations with entries since a time, the latest first; of one principal, or of all. */
export async function recordedConversations(
  database: Database,
  workspace: string,
  since: Date,
  principal?: string,
): Promise<readonly ListedConversation[]> {
  const start = principal === undefined ? '[' : `${JSON.stringify([principal]).slice(0, -1)},`;
  const rows = await database.inWorkspace(
    workspace,
    (sql) => sql<{ conversation: string; begun: Date; last: Date; entries: number }[]>`
      select conversation, min(at) as begun, max(at) as last, count(*)::int as entries from log
        where workspace_id = ${workspace} and at >= ${since} and starts_with(conversation, ${start})
          and conversation !~ '","(definitions|refused)"]$'
        group by 1 order by max(at) desc limit ${MAX_LISTED}`,
  );
  return rows.flatMap(({ conversation, begun, last, entries }) => {
    const [owner, name] = readName(conversation) ?? [];
    if (owner === undefined || name === undefined) return [];
    const named = name.startsWith(NAMED) ? name.slice(NAMED.length) : undefined;
    return [{ principal: owner, conversation: named, from: begun, to: last, entries }];
  });
}

const lengthOf = (entries: readonly RecordedEntry[]): number =>
  entries.reduce((total, { text }) => total + text.length, 0);

/** Splits entries into portions of at most 1,000,000 characters; a longer entry is a portion of its own. */
function portionsOf(entries: readonly RecordedEntry[]): readonly (readonly RecordedEntry[])[] {
  const portions: RecordedEntry[][] = [];
  for (const entry of entries) {
    const last = portions.at(-1);
    if (last !== undefined && lengthOf(last) + entry.text.length <= PORTION_CHARACTERS) last.push(entry);
    else portions.push([entry]);
  }
  return portions;
}

/** Reads a conversation from its beginning, in portions. Returns the number of characters. */
async function readConversation(
  database: Database,
  workspace: string,
  { name, conversation, since }: { readonly name: string; readonly conversation: string; readonly since: Date },
  receive: ReceiveEntries,
): Promise<number> {
  const stored = nameOf(name, conversation);
  let characters = 0;
  await database.inWorkspace(workspace, async (sql) => {
    const rows = sql<{ place: string; entry: string; at: Date | null }[]>`
      select one.place, one.entry, log.at from sallyport.log_since(${workspace}::uuid, ${stored}, 0, ${MAX_BYTES}) one
        left join log on log.workspace_id = ${workspace} and log.conversation = ${stored} and log.id = one.place
          and log.at >= ${since} order by one.place`;
    for await (const read of rows.cursor(PORTION)) {
      const entries = read.map(({ place, entry, at }) => ({
        conversation,
        place: Number(place),
        text: entry,
        at: at?.getTime(),
      }));
      for (const portion of portionsOf(entries)) {
        receive(portion);
        characters += lengthOf(portion);
        // Waiting work comes first.
        await setImmediate();
      }
    }
  });
  return characters;
}

/** Reads the entries of a principal's conversations. Returns how many conversations are left out. */
export async function readEntries(
  database: Database,
  workspace: string,
  { name, conversations }: RecordedPrincipal,
  since: Date,
  receive: ReceiveEntries,
): Promise<number> {
  let [characters, unread] = [0, 0];
  // First what all conversations share.
  for (const conversation of new Set(['own', 'definitions', ...conversations]))
    if (characters > MAX_CHARACTERS) unread++;
    else characters += await readConversation(database, workspace, { name, conversation, since }, receive);
  return unread;
}
