import type { Outcome } from '@sallyport/core';
import { canonicalJson } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { type Database, runQuery } from '../database.ts';
import type { AuditEvent } from './audit.ts';

/** Which rows are searched for. All that are given must match. */
export interface AuditFilter {
  /** The person who acted, whose call it was, or who was affected. */
  readonly person?: string | undefined;
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  readonly rule?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly type?: AuditEvent['type'] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Only rows with a smaller number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** A row that was found. */
export interface FoundRow {
  readonly seq: number;
  readonly at: Date;
  /** The event, as it was written. Empty if it cannot be read, which verification tells too. */
  readonly event: Readonly<Record<string, unknown>>;
}

const TYPES: Readonly<Record<AuditEvent['type'], true>> = {
  call: true,
  answer: true,
  approval: true,
  pin: true,
  policy: true,
  key: true,
  login: true,
  server: true,
  webhook: true,
  conversation: true,
  access: true,
  submission: true,
  endorsement: true,
  threshold: true,
  correction: true,
};

/** The types of events. */
export const AUDIT_TYPES: readonly string[] = Object.keys(TYPES);

const EARLIEST = new Date(0);
const LATEST = new Date('9999-01-01T00:00:00Z');

function eventIn(payload: string): FoundRow['event'] {
  try {
    const event = parseJson(payload);
    return typeof event === 'object' && event !== null ? (event as FoundRow['event']) : {};
  } catch {
    return {};
  }
}

/** The newest rows of a workspace that match. */
export async function searchAudit(
  database: Database,
  workspace: string,
  { from = EARLIEST, to = LATEST, before = Number.MAX_SAFE_INTEGER, limit, person, ...members }: AuditFilter,
): Promise<readonly FoundRow[]> {
  // As an event would be written: its terms are those of the index.
  const given = Object.entries({ ...members, by: person }).filter(([, value]) => value !== undefined);
  const wanted = canonicalJson(Object.fromEntries(given));
  // Without the last quote: the name of a person may have an addition.
  const words = given.map(([, value]) => canonicalJson(value).slice(0, -1));
  const rows = await runQuery(
    () => database.system<{ seq: string; at: Date; payload: string }[]>`
      select seq, at, payload from sallyport.search_audit(${workspace}::uuid, ${wanted}, ${words}::text[], ${from}, ${to}, ${before}, ${limit})`,
  );
  return rows.map(({ seq, at, payload }) => ({ seq: Number(seq), at, event: eventIn(payload) }));
}
