import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';
import type { Bus } from '../cache/bus.ts';
import { Fresh } from '../cache/cached-value.ts';
import { note } from './audit/audit.ts';
import { ask, type Database } from './database.ts';
import { StoreError } from './errors.ts';

/** What a person says of a span that was flagged, or should have been. */
export interface SpanVerdict {
  readonly server: string;
  readonly tag: string;
  /** Of the span's text, by `digestText`. */
  readonly digest: string;
  readonly likelihood: Exclude<Likelihood, 'none'>;
  readonly verdict: 'false-alarm' | 'attack';
}

/** From which likelihood on spans of a tag count, in what one server says. */
export interface ThresholdChange {
  readonly server: string;
  readonly tag: string;
  readonly least: Exclude<Likelihood, 'none'>;
}

/** Tries a change on texts whose verdict is known, and gives the names of the attacks that it would no longer find. */
export type Replay = (change: ThresholdChange) => Promise<readonly string[]>;

export interface ThresholdOptions {
  /** Spans of this likelihood count whatever anybody says. @default 'high': a threshold is at most 'medium' */
  readonly floor?: Likelihood;
  /** False alarms that a higher threshold takes, of different texts. @default 3 */
  readonly alarms?: number;
  /** Days that a threshold holds. @default 30 */
  readonly days?: number;
}

const TAG = /^[a-z0-9-]{1,40}$/;
const SERVER = /^[a-z0-9-]{1,40}$/;
const rank = (likelihood: Likelihood): number => LIKELIHOODS.indexOf(likelihood);
const below = (likelihood: Likelihood): string[] => LIKELIHOODS.slice(0, rank(likelihood));

function check(server: string, tag: string, likelihood: Likelihood): void {
  if (!SERVER.test(server) || !TAG.test(tag))
    throw new StoreError('invalid', 'server and tag have 1 to 40 of a-z, 0-9 and hyphens.');
  if (rank(likelihood) < 1) throw new StoreError('invalid', 'A likelihood is low, medium or high.');
}

/** What people have said of spans, and the thresholds that follow. */
export class Thresholds {
  readonly #database: Database;
  readonly #bus: Bus;
  readonly #replay: Replay;
  readonly #options: Required<ThresholdOptions>;
  readonly #fresh: Fresh<ReadonlyMap<string, Likelihood>>;

  constructor(database: Database, bus: Bus, replay: Replay, options: ThresholdOptions = {}) {
    this.#database = database;
    this.#bus = bus;
    this.#replay = replay;
    this.#options = { floor: 'high', alarms: 3, days: 30, ...options };
    this.#fresh = new Fresh(bus, 'policy', async (key) => {
      const [workspace, server] = JSON.parse(key) as [string, string];
      const rows = await ask(
        () => database.system<{ tag: string; minimum: Likelihood }[]>`
          select tag, minimum from current_thresholds(${workspace}::uuid, ${server})`,
      );
      return new Map(rows.map(({ tag, minimum }) => [tag, minimum]));
    });
  }

  /** By tag, the thresholds that hold for a server now. What is not named counts from `low` on. */
  current(workspace: string, server: string): Promise<ReadonlyMap<string, Likelihood>> {
    return this.#fresh.get(JSON.stringify([workspace, server]));
  }

  /** Keeps what a person says. Whoever says something else later has changed his mind. */
  async tell(workspace: string, { server, tag, digest, likelihood, verdict }: SpanVerdict, by: string): Promise<void> {
    check(server, tag, likelihood);
    if (!/^[0-9a-f]{64}$/.test(digest)) throw new StoreError('invalid', 'digest is the SHA-256 of the span, in hex.');
    if (verdict !== 'false-alarm' && verdict !== 'attack')
      throw new StoreError('invalid', 'A verdict is false-alarm or attack.');
    await this.#database.within(
      workspace,
      (sql) => sql`insert into feedback (workspace_id, server, tag, digest, likelihood, verdict, said_by)
        values (${workspace}, ${server}, ${tag}, ${digest}, ${likelihood}, ${verdict}, ${by})
        on conflict (workspace_id, server, tag, digest, said_by)
          do update set verdict = excluded.verdict, likelihood = excluded.likelihood, at = now()`,
    );
  }

  /**
   * Sets a threshold until its term ends. A higher one needs false alarms that it would have spared, no attack that it would
   * have missed in any server's words, and a regression set that it passes.
   */
  async set(workspace: string, change: ThresholdChange, by: string): Promise<void> {
    const { server, tag, least } = change;
    const { floor, alarms, days } = this.#options;
    check(server, tag, least);
    if (least !== 'low' && rank(least) >= rank(floor))
      throw new StoreError('invalid', `What is ${floor} always counts: choose a threshold below.`);
    const missed = least === 'low' ? [] : await this.#replay(change);
    if (missed.length > 0)
      throw new StoreError('conflict', `${missed.length} known attacks would no longer be found: leave it as it is.`);
    await this.#database.within(workspace, async (sql) => {
      const [said] = await sql<{ alarms: number; attacks: number }[]>`
        select count(distinct digest) filter (where verdict = 'false-alarm' and server = ${server})::int as alarms,
          count(*) filter (where verdict = 'attack')::int as attacks
        from feedback where workspace_id = ${workspace} and tag = ${tag} and likelihood = any(${below(least)}::text[])`;
      if (least !== 'low' && (said?.attacks ?? 1) > 0)
        throw new StoreError('conflict', 'Somebody has called such a span an attack: leave the threshold as it is.');
      if (least !== 'low' && (said?.alarms ?? 0) < alarms)
        throw new StoreError(
          'conflict',
          `It takes ${alarms} false alarms of this server: tell of those you have seen.`,
        );
      await sql`insert into thresholds (workspace_id, server, tag, minimum, set_by, until)
        values (${workspace}, ${server}, ${tag}, ${least}, ${by}, now() + make_interval(days => ${days}))
        on conflict (workspace_id, server, tag) do update
          set minimum = excluded.minimum, set_by = excluded.set_by, at = now(), until = excluded.until`;
      await note(sql, workspace, { type: 'threshold', what: 'set', server, tag, least, by });
    });
    await this.#bus.tell('policy', workspace, server);
  }

  close(): void {
    this.#fresh.close();
  }
}
