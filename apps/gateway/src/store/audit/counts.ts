import type postgres from 'postgres';
import type { Database, Transaction } from '../database.ts';

/** The rule in a text of JSON. */
export function ruleIn(
  sql: Transaction,
  text: postgres.PendingQuery<postgres.Row[]>,
): postgres.PendingQuery<postgres.Row[]> {
  return sql`coalesce(substring(${text} from '"rule":"([^"\\\\]{1,100})"'), 'other')`;
}

/** The longest time that figures are given for. */
const MAX_HOURS = 31 * 24;

/** Rows that are counted in one transaction. */
const MAX_ROWS = 20_000;
/** Milliseconds that one request counts. The next request goes on. */
const MAX_MILLISECONDS = 1000;

/** `ask`: the call ended without an answer. `would-ask`, `would-deny`: it was made because the policy only observes. */
export type CountedKind = 'call' | 'ask' | 'deny' | 'would-ask' | 'would-deny';

export interface HourCount {
  readonly hour: Date;
  readonly kind: CountedKind;
  /** The rule; '' for all calls. */
  readonly cause: string;
  readonly count: number;
}

export interface CountedUpTo {
  /** The number of the last row that is counted. */
  readonly counted: number;
  /** The number of the last row. */
  readonly head: number;
}

async function stateOf(sql: Transaction, workspace: string): Promise<CountedUpTo> {
  const [row] = await sql<{ counted: string | null; head: string | null }[]>`
    select (select seq from audit_counted where workspace_id = ${workspace}::uuid) as counted,
      (select seq from audit where workspace_id = ${workspace}::uuid order by seq desc limit 1) as head`;
  return { counted: Number(row?.counted ?? -1), head: Number(row?.head ?? 0) };
}

/** Where counting begins in a workspace: at the oldest row that figures are given for. */
async function begin(sql: Transaction, workspace: string): Promise<void> {
  await sql`insert into audit_counted (workspace_id, seq)
    select ${workspace}::uuid, coalesce(
      (select seq - 1 from audit where workspace_id = ${workspace}::uuid
        and at >= now() - make_interval(hours => ${MAX_HOURS + 1}) order by seq limit 1),
      (select max(seq) from audit where workspace_id = ${workspace}::uuid), 0)
    on conflict do nothing`;
}

/**
 * Counts the next rows. Rows become visible in the order of their numbers, so each is counted once. An outcome is compared with what
 * the rules decided: it differs too where a person answered, which has a rule of its own. The members are found by their names,
 * which occur once: PostgreSQL refuses some texts that JSON may have.
 */
async function step(sql: Transaction, workspace: string): Promise<void> {
  await sql`with last as (
      select seq from audit_counted where workspace_id = ${workspace}::uuid for update
    ), rows as materialized (
      select one.seq, date_trunc('hour', one.at) as hour, case when strpos(one.payload, '"type":"call"') > 0 then one.payload end as call
        from audit one where one.workspace_id = ${workspace}::uuid and one.seq > (select seq from last)
        order by one.seq limit ${MAX_ROWS}
    ), calls as (
      select hour, call, case when strpos(call, '"outcome":"allow"') > 0 then 'allow'
          when strpos(call, '"outcome":"ask"') > 0 then 'ask' else 'deny' end as outcome,
        case when strpos(call, '"judged":"allow"') > 0 then 'allow'
          when strpos(call, '"judged":"ask"') > 0 then 'ask' else 'deny' end as judged
        from rows where call is not null
    ), held as (
      select hour, outcome, judged, ${ruleIn(sql, sql`call`)} as rule from calls where outcome <> 'allow' or judged <> 'allow'
    ), kinds as (
      select hour, 'call' as kind, '' as cause from calls
      union all select hour, outcome, rule from held where outcome <> 'allow' and rule <> 'rejected'
      union all select hour, 'would-' || judged, rule from held where outcome = 'allow' and rule <> 'approved'
    ), added as (
      insert into audit_counts as one (workspace_id, hour, kind, cause, count)
        select ${workspace}::uuid, hour, kind, cause, count(*) from kinds group by hour, kind, cause
        on conflict (workspace_id, hour, kind, cause) do update set count = one.count + excluded.count
    )
    update audit_counted set seq = (select max(seq) from rows)
      where workspace_id = ${workspace}::uuid and exists (select from rows)`;
  await sql`delete from audit_counts where workspace_id = ${workspace}
    and hour < now() - make_interval(hours => ${MAX_HOURS + 1})`;
}

/** Counts what was written since the last time, as far as one request may. */
export async function countAudit(database: Database, workspace: string): Promise<CountedUpTo> {
  const until = performance.now() + MAX_MILLISECONDS;
  let state = await database.inWorkspace(workspace, (sql) => stateOf(sql, workspace));
  while (state.counted < state.head && performance.now() < until)
    state = await database.inWorkspace(workspace, async (sql) => {
      if (state.counted < 0) await begin(sql, workspace);
      await step(sql, workspace);
      return stateOf(sql, workspace);
    });
  return state;
}

/** The counts of each hour since a time. */
export async function countsSince(database: Database, workspace: string, since: Date): Promise<readonly HourCount[]> {
  const rows = await database.inWorkspace(
    workspace,
    (sql) => sql<{ hour: Date; kind: CountedKind; cause: string; count: string }[]>`
      select hour, kind, cause, count from audit_counts where workspace_id = ${workspace} and hour >= ${since}
        order by hour`,
  );
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}
