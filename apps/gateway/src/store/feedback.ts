import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';
import type { Bus } from '../cache/bus.ts';
import { CachedValue } from '../cache/cached-value.ts';
import { recordAudit } from './audit/audit.ts';
import { type Database, runQuery, type Transaction } from './database.ts';
import { StoreError } from './errors.ts';
import {
  checkReportedAttacks,
  checkThreshold,
  FLOOR,
  type Replay,
  reportedAttacks,
  type ThresholdChange,
} from './policy/floor.ts';

/** A threshold for the spans of one tag in the results of one server. */
export interface ServerThreshold extends ThresholdChange {
  readonly server: string;
  readonly least: Exclude<Likelihood, 'none'>;
}

/** A threshold that applies, and until when. */
export interface ListedThreshold extends ServerThreshold {
  readonly by: string;
  readonly at: Date;
  readonly until: Date;
  /** Spans that it hides and that were reported as attacks since. */
  readonly attacks: number;
}

/** The answer about a threshold that a person wants to set, and its reasons. */
export interface ThresholdCheck {
  readonly isAllowed: boolean;
  /** The message with which `set` would refuse. Absent if it may be set. */
  readonly refusal?: string;
  /** Spans at the floor and above are always reported. */
  readonly isBelowFloor: boolean;
  /** False alarms that it would have avoided, with different texts. */
  readonly alarms: { readonly reported: number; readonly needed: number };
  /** Spans of any server that it would hide and that were reported as attacks. */
  readonly attacks: number;
  /** Known attacks that would no longer be found. */
  readonly missed: number;
  /** Days until it expires. */
  readonly days: number;
}

export interface ThresholdOptions {
  /** Spans of this likelihood are always reported, so a threshold must be below it. @default 'high' */
  readonly floor?: Likelihood;
  /** Number of false alarms, with different texts, needed to raise a threshold. @default 3 */
  readonly alarms?: number;
  /** Days until a threshold expires. @default 30 */
  readonly days?: number;
}

const TAG = /^[a-z0-9-]{1,40}$/;
const SERVER = /^[a-z0-9-]{1,40}$/;
const rank = (likelihood: Likelihood): number => LIKELIHOODS.indexOf(likelihood);
const below = (likelihood: Likelihood): string[] => LIKELIHOODS.slice(0, rank(likelihood));

function check(server: string, tag: string, likelihood: Likelihood): void {
  if (!SERVER.test(server) || !TAG.test(tag))
    throw new StoreError('invalid', '`server` and `tag` must have 1 to 40 characters of a-z, 0-9 and hyphens.');
  if (rank(likelihood) < 1) throw new StoreError('invalid', "`likelihood` must be 'low', 'medium' or 'high'.");
}

/** How many different texts were reported as false alarms that a threshold would have avoided. */
async function reportedAlarms(sql: Transaction, workspace: string, change: ServerThreshold): Promise<number> {
  const { server, tag, least } = change;
  const [reported] = await sql<{ alarms: number }[]>`select count(distinct digest)::int as alarms from feedback
    where workspace_id = ${workspace} and tag = ${tag} and server = ${server} and verdict = 'false-alarm'
      and likelihood = any(${below(least)}::text[])`;
  return reported?.alarms ?? 0;
}

/** The thresholds that people set because of false alarms. */
export class Thresholds {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #replay: Replay;
  readonly #options: Required<ThresholdOptions>;
  readonly #thresholds: CachedValue<ReadonlyMap<string, Likelihood>>;

  constructor(database: Database, bus: Bus, replay: Replay, options: ThresholdOptions = {}) {
    this.#database = database;
    this.#bus = bus;
    this.#replay = replay;
    this.#options = { floor: FLOOR, alarms: 3, days: 30, ...options };
    this.#thresholds = new CachedValue(bus, 'policy', async (key) => {
      const [workspace, server] = JSON.parse(key) as [string, string];
      const rows = await runQuery(
        () => database.system<{ tag: string; minimum: Likelihood }[]>`
          select tag, minimum from sallyport.current_thresholds(${workspace}::uuid, ${server})`,
      );
      return new Map(rows.map(({ tag, minimum }) => [tag, minimum]));
    });
  }

  /** The current thresholds of a server, by tag. The threshold of other tags is `low`. */
  current(workspace: string, server: string): Promise<ReadonlyMap<string, Likelihood>> {
    return this.#thresholds.get(JSON.stringify([workspace, server]));
  }

  /**
   * Sets a threshold until its term ends. Raising it requires enough false alarms that it would have avoided, no reported attack
   * that it would have missed on any server, and a passed regression test.
   */
  async set(workspace: string, change: ServerThreshold, by: string): Promise<void> {
    const { server, tag, least } = change;
    check(server, tag, least);
    await checkThreshold(change, this.#replay, this.#options.floor);
    await this.#database.inWorkspace(workspace, async (sql) => {
      await this.#checkReported(sql, workspace, change);
      await sql`insert into thresholds (workspace_id, server, tag, minimum, set_by, until)
        values (${workspace}, ${server}, ${tag}, ${least}, ${by}, now() + make_interval(days => ${this.#options.days}))
        on conflict (workspace_id, server, tag) do update
          set minimum = excluded.minimum, set_by = excluded.set_by, at = now(), until = excluded.until`;
      await recordAudit(this.#database, sql, workspace, { type: 'threshold', what: 'set', server, tag, least, by });
    });
    await this.#bus.publish('policy', workspace, server);
  }

  /** The refusal that `set` would throw, with the counts it depends on. Changes nothing. */
  async tryOut(workspace: string, change: ServerThreshold): Promise<ThresholdCheck> {
    const { alarms: needed, floor, days } = this.#options;
    const missed = await this.#replay(change);
    const counts = await this.#database.inWorkspace(workspace, async (sql) => ({
      reported: await reportedAlarms(sql, workspace, change),
      attacks: await reportedAttacks(sql, workspace, change),
    }));
    const refusal = await this.#refusal(workspace, change);
    return {
      isAllowed: refusal === undefined,
      ...(refusal === undefined ? {} : { refusal: refusal.message }),
      isBelowFloor: change.least === 'low' || rank(change.least) < rank(floor),
      alarms: { reported: counts.reported, needed },
      attacks: counts.attacks,
      missed: missed.length,
      days,
    };
  }

  async #refusal(workspace: string, change: ServerThreshold): Promise<StoreError | undefined> {
    try {
      check(change.server, change.tag, change.least);
      await checkThreshold(change, this.#replay, this.#options.floor);
      await this.#database.inWorkspace(workspace, (sql) => this.#checkReported(sql, workspace, change));
      return undefined;
    } catch (cause) {
      if (cause instanceof StoreError) return cause;
      throw cause;
    }
  }

  /** Refuses a threshold that people's verdicts do not support. */
  async #checkReported(sql: Transaction, workspace: string, change: ServerThreshold): Promise<void> {
    const { alarms } = this.#options;
    await checkReportedAttacks(sql, workspace, change);
    if (change.least !== 'low' && (await reportedAlarms(sql, workspace, change)) < alarms)
      throw new StoreError(
        'conflict',
        `Raising a threshold needs ${alarms} reported false alarms of this server: report those you have seen.`,
      );
  }

  /** The thresholds above `low` that apply now, by server. */
  async list(workspace: string): Promise<readonly ListedThreshold[]> {
    return this.#database.inWorkspace(workspace, async (sql) => {
      const rows = await sql<Omit<ListedThreshold, 'attacks'>[]>`
        select server, tag, minimum as least, set_by as by, at, until from thresholds
          where workspace_id = ${workspace} and until > now() and minimum <> 'low' order by server, tag limit 1000`;
      const listed: ListedThreshold[] = [];
      for (const row of rows) listed.push({ ...row, attacks: await reportedAttacks(sql, workspace, row) });
      return listed;
    });
  }

  close(): void {
    this.#thresholds.close();
  }
}
