import type { Database } from '../store/database.ts';
import type { Thresholds } from '../store/feedback.ts';
import type { PinBook } from '../store/pins/pins.ts';
import type { Policies, PutOptions } from '../store/policies.ts';
import {
  type DryRunSource,
  groupsOf,
  type RecordedConversation,
  readEntries,
  recordedPrincipals,
  type ViewSource,
} from '../store/policy/recorded.ts';

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

/** The servers of a workspace, with what was learned about them. */
async function serversOf(
  { database, book, thresholds }: DryRunStores,
  workspace: string,
): Promise<Pick<DryRunSource, 'servers' | 'raised'>> {
  const rows = await database.inWorkspace(
    workspace,
    (sql) => sql<{ name: string }[]>`select name from servers where workspace_id = ${workspace} order by name`,
  );
  const names = rows.map(({ name }) => name);
  const pins = await Promise.all(names.map((name) => book.store(workspace, name).load()));
  const raised = await Promise.all(names.map((name) => thresholds.current(workspace, name)));
  return { raised, servers: names.map((name, index) => ({ name, pins: pins[index] })) };
}

/** What is needed to judge the recorded calls of a workspace under another policy, which must be one that could be put. */
export async function dryRunSource(
  stores: DryRunStores,
  workspace: string,
  body: unknown,
  { since, ...options }: RecordedOptions,
): Promise<DryRunSource> {
  const { database, policies } = stores;
  const proposed = await policies.tryOut(workspace, body, options);
  const { body: active } = await policies.current(workspace);
  return {
    ...(await recordedPrincipals(database, workspace, since)),
    ...(await serversOf(stores, workspace)),
    active,
    proposed,
    load: (principal, receive) => readEntries(database, workspace, principal, since, receive),
  };
}

const BEGINNING = new Date(0);

/** What is needed to show a recorded conversation; with another policy, what that would have decided. */
export async function viewSource(
  stores: DryRunStores,
  workspace: string,
  { principal: name, conversation }: RecordedConversation,
  proposed?: unknown,
): Promise<ViewSource> {
  const { database, policies } = stores;
  const { body: active } = await policies.current(workspace);
  const other = proposed === undefined ? undefined : await policies.tryOut(workspace, proposed, { allowUnknown: true });
  const kept = conversation === undefined ? [] : [`conversation ${conversation}`];
  const principal = {
    name,
    conversations: [...kept, 'refused'],
    groups: await groupsOf(database, workspace, name),
  };
  return {
    ...(await serversOf(stores, workspace)),
    active,
    ...(other === undefined ? {} : { proposed: other }),
    principal,
    conversation,
    load: (receive) => readEntries(database, workspace, principal, BEGINNING, receive),
  };
}
