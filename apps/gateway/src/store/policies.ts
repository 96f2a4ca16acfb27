import { spanClassifier } from '@sallyport/classifier';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Bus } from '../cache/bus.ts';
import { CachedValue, type CachedValueOptions } from '../cache/cached-value.ts';
import { recordAudit } from './audit/audit.ts';
import { type Database, runQuery, type Transaction } from './database.ts';
import { StoreError } from './errors.ts';
import type { PolicyBody } from './policy/body.ts';
import { checkReportedAttacks, checkThreshold, type Replay } from './policy/floor.ts';
import { createReplay } from './policy/known-attacks.ts';
import { checkNames } from './policy/names.ts';
import { checkBody } from './policy/schema.ts';
import { storedPolicy } from './policy/stored.ts';

export interface Policy {
  /** 0 if no policy was set. */
  readonly version: number;
  readonly body: PolicyBody;
  readonly by?: string;
  readonly at?: Date;
}

export interface PoliciesOptions extends CachedValueOptions {
  /** Tests thresholds against known attacks. @default with the built-in classifier */
  readonly replay?: Replay;
}

export interface PutOptions {
  /** Lets the policy name servers and tools that the workspace does not have yet. @default false */
  readonly allowUnknown?: boolean;
}

interface PolicyRow {
  readonly version: number;
  readonly body: PolicyBody;
  readonly made_by: string;
  readonly at: Date;
}

function policyOf({ version, body, made_by: by, at }: PolicyRow): Policy {
  return { version, body: storedPolicy(body), by, at };
}

/** The policies of all workspaces. Each change creates a version; the newest applies. */
export class Policies {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #current: CachedValue<Policy>;
  readonly #replay: Replay;

  constructor(database: Database, bus: Bus, { replay = createReplay(spanClassifier), ...cache }: PoliciesOptions = {}) {
    this.#database = database;
    this.#bus = bus;
    this.#replay = replay;
    const load = async (workspace: string): Promise<Policy> => {
      const [row] = await runQuery(
        () => database.system<PolicyRow[]>`select * from sallyport.current_policy(${workspace}::uuid)`,
      );
      return row === undefined ? { version: 0, body: {} } : policyOf(row);
    };
    this.#current = new CachedValue(bus, 'policy', load, cache);
  }

  /** The current policy, at most a second old. */
  current(workspace: string): Promise<Policy> {
    return this.#current.get(workspace);
  }

  /** The body as a policy, unless it has unknown members or passes the floor. */
  async #check(body: unknown): Promise<PolicyBody> {
    const checked = checkBody(body);
    for (const [tag, least] of Object.entries(checked.thresholds ?? {}))
      await checkThreshold({ tag, least }, this.#replay);
    return checked;
  }

  /** Replaces the version that the author has seen, and returns the new version. */
  async put(
    workspace: string,
    body: unknown,
    seen: number,
    by: string,
    { allowUnknown = false }: PutOptions = {},
  ): Promise<number> {
    const checked = await this.#check(body);
    const version = await this.#database.inWorkspace(workspace, async (sql) => {
      await this.#checkIn(sql, workspace, checked, allowUnknown);
      const { count } = await sql`insert into policies (workspace_id, version, body, made_by)
        select ${workspace}::uuid, ${seen}::int + 1, ${JSON.stringify(checked)}::text::jsonb, ${by}
          where ${seen}::int = (select coalesce(max(version), 0) from policies where workspace_id = ${workspace}::uuid)
        on conflict do nothing`;
      if (count === 0)
        throw new StoreError('conflict', 'The policy was changed meanwhile: read it and apply your change again.');
      const digest = digestText(canonicalJson(checked));
      await recordAudit(this.#database, sql, workspace, {
        type: 'policy',
        what: 'changed',
        version: seen + 1,
        digest,
        by,
      });
      return seen + 1;
    });
    await this.#bus.publish('policy', workspace, String(version));
    return version;
  }

  /** Refuses what `put` would refuse, and changes nothing. */
  async tryOut(workspace: string, body: unknown, { allowUnknown = false }: PutOptions = {}): Promise<PolicyBody> {
    const checked = await this.#check(body);
    await this.#database.inWorkspace(workspace, (sql) => this.#checkIn(sql, workspace, checked, allowUnknown));
    return checked;
  }

  async #checkIn(sql: Transaction, workspace: string, body: PolicyBody, allowUnknown: boolean): Promise<void> {
    for (const [tag, least] of Object.entries(body.thresholds ?? {}))
      await checkReportedAttacks(sql, workspace, { tag, least });
    if (allowUnknown) return;
    const [row] = await sql<PolicyRow[]>`select * from policies
      where workspace_id = ${workspace} order by version desc limit 1`;
    await checkNames(sql, workspace, body, row === undefined ? {} : policyOf(row).body);
  }

  /** All versions, newest first. */
  async history(workspace: string): Promise<readonly Policy[]> {
    const rows = await this.#database.inWorkspace(
      workspace,
      (sql) =>
        sql<PolicyRow[]>`select * from policies where workspace_id = ${workspace} order by version desc limit 1000`,
    );
    return rows.map(policyOf);
  }

  close(): void {
    this.#current.close();
  }
}
