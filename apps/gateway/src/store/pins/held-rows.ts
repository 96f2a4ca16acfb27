import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Held, Listed } from '@sallyport/mcp-proxy';

/** The lister of a server that all principals share. */
export const SHARED = '';

/** The principal whose process or account of a server lists definitions. */
export interface Lister {
  readonly principal: string;
  /** Set if all principals of the workspace reach the same one. Read at each listing. */
  readonly isShared: () => boolean;
}

interface HeldKey {
  readonly kind: string;
  readonly key: string;
  readonly digest: string;
}

export interface HeldInput extends HeldKey {
  readonly body: string;
}

/** A definition that is offered to some listers: principals, or `SHARED`. */
export interface OfferedRow extends HeldKey {
  readonly listers: readonly string[];
}

/** The changes of one listing. */
export interface HeldChanges {
  /** Definitions that the lister was not offered before. */
  readonly added: readonly HeldInput[];
  /** Definitions that the lister is not offered any more. */
  readonly gone: readonly OfferedRow[];
}

export const keyOf = (name: string): string => digestText(name);

function isSame(one: HeldKey, other: HeldKey): boolean {
  return one.kind === other.kind && one.key === other.key && one.digest === other.digest;
}

/** A held definition as a row: one for each tool, one for each that is only flagged, and one for the instructions. */
function heldRow(held: Held): HeldInput {
  const body = canonicalJson(held);
  const key = held.type === 'instructions' ? '' : keyOf(held.tool);
  const kind = held.type === 'instructions' || held.type === 'flagged' ? held.type : 'tool';
  return { kind, key, body, digest: digestText(body) };
}

/** Held definitions as rows. If two share a name, the last one is stored. */
export function heldRows(held: readonly Held[]): readonly HeldInput[] {
  return [...new Map(held.map(heldRow).map((row) => [`${row.kind} ${row.key}`, row])).values()];
}

/** Checks that the latest listing would contain a held definition, if the server still offered it. */
function isListed(listed: Listed | undefined, keys: ReadonlySet<string>, { kind, key }: HeldKey): boolean {
  if (listed === undefined) return keys.has(key);
  if (listed.type === 'instructions') return kind === 'instructions';
  return kind !== 'instructions' && (listed.isWhole || keys.has(key));
}

/** Checks that a listing covers a row: a shared one covers all, a principal's its own and the formerly shared ones. */
function speaksFor(lister: string, { listers }: OfferedRow): boolean {
  return lister === SHARED || listers.includes(lister) || listers.includes(SHARED);
}

/** The listers of a row after it was not in a listing of one of them. */
export function listersWithout(lister: string, { listers }: OfferedRow): readonly string[] {
  return lister === SHARED ? [] : listers.filter((each) => each !== lister && each !== SHARED);
}

/** Compares what a lister is offered now with what was held before. */
export function changesOf(
  before: readonly OfferedRow[],
  rows: readonly HeldInput[],
  lister: string,
  listed?: Listed,
): HeldChanges {
  const names = listed?.type === 'tools' ? listed.names.map(keyOf) : [];
  const keys = new Set([...names, ...rows.map(({ key }) => key)]);
  return {
    added: rows.filter((row) => !before.some((each) => isSame(row, each) && each.listers.includes(lister))),
    gone: before.filter(
      (each) => speaksFor(lister, each) && isListed(listed, keys, each) && !rows.some((row) => isSame(row, each)),
    ),
  };
}
