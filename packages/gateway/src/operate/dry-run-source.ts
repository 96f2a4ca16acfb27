import type { Database } from '../store/database.ts';
import type { Thresholds } from '../store/feedback.ts';
import type { PinBook } from '../store/pins.ts';
import type { Policies, PutOptions } from '../store/policies.ts';
import { type DryRunSource, recordedEntries, recordedPrincipals } from '../store/policy/recorded.ts';

/** The stores that a dry run reads. */
export interface DryRunStores {
  readonly database: Database;
  readonly policies: Policies;
  readonly book: PinBook;
  readonly thresholds: Thresholds;
}

export interface RecordedOptions extends PutOptions {
  /** Calls since this time are judged again. */
  readonly since: Date;
}

/** What is needed to judge the recorded calls of a workspace under another policy, which must be one that could be put. */
export async function dryRunSource(
  { database, policies, book, thresholds }: DryRunStores,
  workspace: string,
  body: unknown,
  { since, ...options }: RecordedOptions,
): Promise<DryRunSource> {
  const proposed = await policies.tryOut(workspace, body, options);
  const { body: active } = await policies.current(workspace);
  const rows = await database.inWorkspace(
    workspace,
    (sql) => sql<{ name: string }[]>`select name from servers where workspace_id = ${workspace} order by name`,
  );
  const names = rows.map(({ name }) => name);
  const pins = await Promise.all(names.map((name) => book.store(workspace, name).load()));
  const raised = await Promise.all(names.map((name) => thresholds.current(workspace, name)));
  const recorded = await recordedPrincipals(database, workspace, since);
  return {
    ...recorded,
    active,
    proposed,
    raised,
    servers: names.map((name, index) => ({ name, pins: pins[index] })),
    load: (principal) => recordedEntries(database, workspace, principal, since),
  };
}
