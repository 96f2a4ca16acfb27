import type { Database, Transaction } from '../database.ts';
import { type CountedKind, countAudit, countsSince, ruleIn } from './counts.ts';

/** The outcomes of calls and of questions to people. */
interface CallCounts {
  calls: number;
  /** Questions to people, by the time when they were asked, and what became of them. */
  asked: number;
  approved: number;
  rejected: number;
  expired: number;
  waiting: number;
  /** Calls that ended before anyone answered, or whose question the client shows itself. */
  unanswered: number;
  denied: number;
  /** The decisions that an observing policy would have enforced. */
  wouldAsk: number;
  wouldDeny: number;
}

interface Statistics {
  readonly from: Date;
  readonly to: Date;
  readonly bucketHours: number;
  /** Set while rows of that time are not counted yet. The next requests count them. */
  readonly isCounting: boolean;
  readonly total: CallCounts;
  readonly buckets: readonly (CallCounts & { readonly from: Date })[];
  /** By rule, those with the most calls first. */
  readonly causes: readonly (Pick<CallCounts, 'asked' | 'denied' | 'wouldAsk' | 'wouldDeny'> & {
    readonly rule: string;
  })[];
  /** People's verdicts on flagged texts. */
  readonly corrections: { readonly falseAlarms: number; readonly attacks: number };
  readonly audit: ChainState;
}

/** The state of the chain, without verifying it. */
interface ChainState {
  readonly rows: number;
  readonly head: number;
  /** The last signature. */
  readonly signed?: { readonly seq: number; readonly at: Date };
}

type Counted = keyof CallCounts;

interface Count {
  readonly hour: Date;
  readonly member: Counted;
  readonly rule: string;
  readonly count: number;
}

const HOUR = 3_600_000;
const MAX_CAUSES = 50;

/** Hours of one bucket, for a range of up to a number of hours. */
const BUCKETS = [
  { upTo: 48, bucketHours: 1 },
  { upTo: 14 * 24, bucketHours: 6 },
  { upTo: Number.POSITIVE_INFINITY, bucketHours: 24 },
];

const MEMBERS: Readonly<Record<CountedKind, Counted>> = {
  call: 'calls',
  ask: 'unanswered',
  deny: 'denied',
  'would-ask': 'wouldAsk',
  'would-deny': 'wouldDeny',
};

function noCounts(): CallCounts {
  return {
    calls: 0,
    asked: 0,
    approved: 0,
    rejected: 0,
    expired: 0,
    waiting: 0,
    unanswered: 0,
    denied: 0,
    wouldAsk: 0,
    wouldDeny: 0,
  };
}

/** The questions since a time. Answers come after their questions, so that two indexes find them. */
async function questionsSince(sql: Transaction, workspace: string, since: Date): Promise<readonly Count[]> {
  const rows = await sql<(Omit<Count, 'member'> & { state: 'approved' | 'rejected' | 'expired' | 'waiting' })[]>`
    select date_trunc('hour', asked_at) as hour, ${ruleIn(sql, sql`question`)} as rule, count(*)::int as count,
        case when answer = 'approved' then 'approved' when answer is not null then 'rejected'
          when until <= now() then 'expired' else 'waiting' end as state
      from approvals where workspace_id = ${workspace} and asked_at >= ${since}
        and (answer is null or (answer is not null and answered_at >= ${since}))
      group by 1, 2, 4`;
  return rows.flatMap(({ state, ...row }) => [
    { ...row, member: 'asked' as const },
    { ...row, member: state },
  ]);
}

async function correctionsSince(sql: Transaction, workspace: string, since: Date): Promise<Statistics['corrections']> {
  const [row] = await sql<{ alarms: number; attacks: number }[]>`
    select count(*) filter (where verdict = 'false-alarm')::int as alarms, count(*) filter (where verdict = 'attack')::int as attacks
      from feedback where workspace_id = ${workspace} and at >= ${since}`;
  return { falseAlarms: row?.alarms ?? 0, attacks: row?.attacks ?? 0 };
}

async function chainState(sql: Transaction, workspace: string, head: number): Promise<ChainState> {
  const [row] = await sql<{ start: string | null; seq: string | null; at: Date | null }[]>`
    select (select max(seq) from audit_checkpoints where workspace_id = ${workspace} and kind = 'start') as start, last.seq, last.at
      from (select 1) one left join lateral (select seq, at from audit_checkpoints
        where workspace_id = ${workspace} order by seq desc, kind limit 1) last on true`;
  const signed = row?.at == null ? {} : { signed: { seq: Number(row.seq), at: row.at } };
  return { rows: Math.max(0, head - Number(row?.start ?? 0)), head, ...signed };
}

function causesOf(counts: readonly Count[]): Statistics['causes'] {
  const causes = new Map<string, CallCounts>();
  for (const { member, rule, count } of counts) {
    if (member !== 'asked' && member !== 'denied' && member !== 'wouldAsk' && member !== 'wouldDeny') continue;
    const cause = causes.get(rule) ?? noCounts();
    cause[member] += count;
    causes.set(rule, cause);
  }
  const sizeOf = ({ asked, denied, wouldAsk, wouldDeny }: Statistics['causes'][number]): number =>
    asked + denied + wouldAsk + wouldDeny;
  return [...causes]
    .map(([rule, { asked, denied, wouldAsk, wouldDeny }]) => ({ rule, asked, denied, wouldAsk, wouldDeny }))
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .slice(0, MAX_CAUSES);
}

/** The figures of the last hours, with the current one. Each row of the audit is read once for all of them. */
export async function readStatistics(database: Database, workspace: string, hours: number): Promise<Statistics> {
  const { bucketHours } = BUCKETS.find(({ upTo }) => hours <= upTo) as (typeof BUCKETS)[number];
  const length = Math.ceil(hours / bucketHours);
  const to = new Date(Math.ceil(Date.now() / HOUR) * HOUR);
  const from = new Date(to.getTime() - length * bucketHours * HOUR);
  const { counted, head } = await countAudit(database, workspace);
  const hourly = await countsSince(database, workspace, from);
  const [questions, corrections, audit] = await database.inWorkspace(workspace, async (sql) => [
    await questionsSince(sql, workspace, from),
    await correctionsSince(sql, workspace, from),
    await chainState(sql, workspace, head),
  ]);
  const counts = [
    ...hourly.map(({ kind, cause, ...rest }) => ({ ...rest, member: MEMBERS[kind], rule: cause })),
    ...questions,
  ];
  const total = noCounts();
  const buckets = Array.from({ length }, (_, index) => ({
    from: new Date(from.getTime() + index * bucketHours * HOUR),
    ...noCounts(),
  }));
  for (const { hour, member, count } of counts) {
    const bucket = buckets[Math.floor((hour.getTime() - from.getTime()) / (bucketHours * HOUR))];
    if (bucket === undefined) continue;
    bucket[member] += count;
    total[member] += count;
  }
  const isCounting = counted < head;
  return { from, to, bucketHours, isCounting, total, buckets, causes: causesOf(counts), corrections, audit };
}
