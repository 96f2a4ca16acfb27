import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';
import type { Bus } from '../cache/bus.ts';
import { CachedValue } from '../cache/cached-value.ts';
import { recordAudit } from './audit/audit.ts';
import { type Database, runQuery } from './database.ts';
import { StoreError } from './errors.ts';
import { checkReportedAttacks, checkThreshold, FLOOR, type Replay, type ThresholdChange } from './policy/floor.ts';

/** A person's verdict on a span that was flagged, or should have been. */
export interface SpanVerdict {
  readonly server: string;
  readonly tag: string;
  /** `digestText` of the span's text. */
  readonly digest: string;
  readonly likelihood: Exclude<Likelihood, 'none'>;
  readonly verdict: 'false-alarm' | 'attack';
}

/** A threshold for the spans of one tag in the results of one server. */
export interface ServerThreshold extends ThresholdChange {
  readonly server: string;
  readonly least: Exclude<Likelihood, 'none'>;
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

/** Verdicts on spans, and the thresholds that people set because of them. */
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

  /** Stores a verdict. A later verdict of the same person on the same span replaces it. */
  async recordVerdict(
    workspace: string,
    { server, tag, digest, likelihood, verdict }: SpanVerdict,
    by: string,
  ): Promise<void> {
    check(server, tag, likelihood);
    if (!/^[0-9a-f]{64}$/.test(digest))
      throw new StoreError('invalid', '`digest` must be the SHA-256 of the span, as 64 hexadecimal digits.');
    if (verdict !== 'false-alarm' && verdict !== 'attack')
      throw new StoreError('invalid', "`verdict` must be 'false-alarm' or 'attack'.");
    await this.#database.inWorkspace(
      workspace,
      (sql) => sql`insert into feedback (workspace_id, server, tag, digest, likelihood, verdict, said_by)
        values (${workspace}, ${server}, ${tag}, ${digest}, ${likelihood}, ${verdict}, ${by})
        on conflict (workspace_id, server, tag, digest, said_by)
          do update set verdict = excluded.verdict, likelihood = excluded.likelihood, at = now()`,
    );
  }

  /**
   * Sets a threshold until its term ends. Raising it requires enough false alarms that it would have avoided, no reported attack
   * that it would have missed on any server, and a passed regression test.
   */
  async set(workspace: string, change: ServerThreshold, by: string): Promise<void> {
    const { server, tag, least } = change;
    const { floor, alarms, days } = this.#options;
    check(server, tag, least);
    await checkThreshold(change, this.#replay, floor);
    await this.#database.inWorkspace(workspace, async (sql) => {
      await checkReportedAttacks(sql, workspace, change);
      const [reported] = await sql<{ alarms: number }[]>`select count(distinct digest)::int as alarms from feedback
        where workspace_id = ${workspace} and tag = ${tag} and server = ${server} and verdict = 'false-alarm'
          and likelihood = any(${below(least)}::text[])`;
      if (least !== 'low' && (reported?.alarms ?? 0) < alarms)
        throw new StoreError(
          'conflict',
          `Raising a threshold needs ${alarms} reported false alarms of this server: report those you have seen.`,
        );
      await sql`insert into thresholds (workspace_id, server, tag, minimum, set_by, until)
        values (${workspace}, ${server}, ${tag}, ${least}, ${by}, now() + make_interval(days => ${days}))
        on conflict (workspace_id, server, tag) do update
          set minimum = excluded.minimum, set_by = excluded.set_by, at = now(), until = excluded.until`;
      await recordAudit(this.#database, sql, workspace, { type: 'threshold', what: 'set', server, tag, least, by });
    });
    await this.#bus.publish('policy', workspace, server);
  }

  close(): void {
    this.#thresholds.close();
  }
}
