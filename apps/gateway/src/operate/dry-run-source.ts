import type { Database } from '../store/database.ts';
import type { ServerThreshold, Thresholds } from '../store/feedback.ts';
import type { PinBook } from '../store/pins/pins.ts';
import type { Policies, PutOptions } from '../store/policies.ts';
import {
  type DryRunSource,
  groupsOf,
  type RecordedConversation,
  type RecordedRules,
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

/** The servers of a workspace, and the rules that apply there. */
async function rulesIn(
  { database, policies, book, thresholds }: DryRunStores,
  workspace: string,
): Promise<Pick<DryRunSource, 'servers' | 'active'>> {
  const rows = await database.inWorkspace(
    workspace,
    (sql) => sql<{ name: string }[]>`select name from servers where workspace_id = ${workspace} order by name`,
  );
  const names = rows.map(({ name }) => name);
  const pins = await Promise.all(names.map((name) => book.store(workspace, name).load()));
  const raised = await Promise.all(names.map((name) => thresholds.current(workspace, name)));
  const { body: policy } = await policies.current(workspace);
  return { active: { policy, raised }, servers: names.map((name, index) => ({ name, pins: pins[index] })) };
}

async function sourceOf(
  stores: DryRunStores,
  workspace: string,
  since: Date,
  propose: (rules: Pick<DryRunSource, 'servers' | 'active'>) => RecordedRules,
): Promise<DryRunSource> {
  const { database } = stores;
  const rules = await rulesIn(stores, workspace);
  return {
    ...(await recordedPrincipals(database, workspace, since)),
    ...rules,
    proposed: propose(rules),
    load: (principal, receive) => readEntries(database, workspace, principal, since, receive),
  };
}

/** The data for judging the recorded calls of a workspace under another policy, which must be one that could be put. */
export async function dryRunSource(
  stores: DryRunStores,
  workspace: string,
  body: unknown,
  { since, ...options }: RecordedOptions,
): Promise<DryRunSource> {
  const policy = await stores.policies.tryOut(workspace, body, options);
  return sourceOf(stores, workspace, since, ({ active }) => ({ ...active, policy }));
}

/** The data for judging the recorded calls of a workspace with another threshold of a server. */
export function thresholdSource(
  stores: DryRunStores,
  workspace: string,
  { server, tag, least }: ServerThreshold,
  since: Date,
): Promise<DryRunSource> {
  return sourceOf(stores, workspace, since, ({ servers, active: { policy, raised } }) => ({
    policy,
    raised: raised.map((each, index) => (servers[index]?.name === server ? new Map(each).set(tag, least) : each)),
  }));
}

const BEGINNING = new Date(0);

/** The data for showing a recorded conversation, with the decisions of another policy if one is given. */
export async function viewSource(
  stores: DryRunStores,
  workspace: string,
  { principal: name, conversation }: RecordedConversation,
  proposed?: unknown,
): Promise<ViewSource> {
  const { database, policies } = stores;
  const rules = await rulesIn(stores, workspace);
  const other = proposed === undefined ? undefined : await policies.tryOut(workspace, proposed, { allowUnknown: true });
  const kept = conversation === undefined ? [] : [`conversation ${conversation}`];
  const principal = {
    name,
    conversations: [...kept, 'refused'],
    groups: await groupsOf(database, workspace, name),
  };
  return {
    ...rules,
    ...(other === undefined ? {} : { proposed: { ...rules.active, policy: other } }),
    principal,
    conversation,
    load: (receive) => readEntries(database, workspace, principal, BEGINNING, receive),
  };
}
