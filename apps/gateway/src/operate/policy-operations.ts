import { canonicalJson } from '@sallyport/core/adapter';
import { Bus } from '../cache/bus.ts';
import type { Database } from '../store/database.ts';
import { Thresholds } from '../store/feedback.ts';
import { PinBook } from '../store/pins/pins.ts';
import { Policies, type Policy, type PutOptions } from '../store/policies.ts';
import type { PolicyBody } from '../store/policy/body.ts';
import type { DryRunSource } from '../store/policy/recorded.ts';
import { dryRunSource, type RecordedOptions } from './dry-run-source.ts';

export interface ApplyOptions extends PutOptions {
  /** Only checks, and changes nothing. @default false */
  readonly isDryRun?: boolean;
}

export interface Applied {
  readonly before: Policy;
  readonly after: PolicyBody;
  /** The version that applies now. */
  readonly version: number;
}

export async function withPolicies<T>(database: Database, work: (policies: Policies) => Promise<T>): Promise<T> {
  const bus = new Bus();
  const policies = new Policies(database, bus);
  try {
    return await work(policies);
  } finally {
    policies.close();
    bus.close();
  }
}

/** Replaces the policy of a workspace. Throws a `StoreError` with the reason if it is refused. */
export async function applyPolicy(
  policies: Policies,
  workspace: string,
  body: unknown,
  by: string,
  { isDryRun = false, ...options }: ApplyOptions,
): Promise<Applied> {
  const before = await policies.current(workspace);
  const after = await policies.tryOut(workspace, body, options);
  const isSame = canonicalJson(after) === canonicalJson(before.body);
  const version =
    isDryRun || isSame ? before.version : await policies.put(workspace, body, before.version, by, options);
  return { before, after, version };
}

/** The data for a dry run on the recorded calls of a workspace. It is read while the database is open. */
export async function readRecorded(
  database: Database,
  workspace: string,
  body: unknown,
  options: RecordedOptions,
): Promise<DryRunSource> {
  const bus = new Bus();
  const [policies, book] = [new Policies(database, bus), new PinBook(database, bus)];
  const thresholds = new Thresholds(database, bus, async () => []);
  try {
    return await dryRunSource({ database, policies, book, thresholds }, workspace, body, options);
  } finally {
    for (const each of [policies, thresholds, bus]) each.close();
  }
}
