import { readStatistics } from '../../store/audit/statistics.ts';
import type { Database } from '../../store/database.ts';
import { listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from '../route/route.ts';

export interface StatisticsRouteOptions {
  readonly database: Database;
  /** Knows what is kept outside of the database. */
  readonly signer: { lastAnchored(workspace: string): number | undefined };
}

const COUNT: Schema = { type: 'integer', minimum: 0 };
const DEFAULT_HOURS = '24';

const COUNTS = {
  calls: { ...COUNT, description: 'Calls that were checked.' },
  asked: { ...COUNT, description: 'Questions to people, by the time when they were asked.' },
  approved: COUNT,
  rejected: COUNT,
  expired: COUNT,
  waiting: COUNT,
  unanswered: {
    ...COUNT,
    description: 'Calls that ended before anyone answered, or whose question the client shows itself.',
  },
  denied: COUNT,
  wouldAsk: { ...COUNT, description: 'Calls that were made because the policy only observes.' },
  wouldDeny: COUNT,
};

const STATISTICS = objectOf({
  from: TIME,
  to: TIME,
  bucketHours: COUNT,
  isCounting: {
    type: 'boolean',
    description: 'Whether rows of that time are not counted yet. Ask again: each request counts for a second.',
  },
  total: objectOf(COUNTS),
  'questionsPerHundredCalls?': { type: 'number', description: 'Absent if there were no calls.' },
  buckets: listOf(objectOf({ from: TIME, ...COUNTS })),
  causes: {
    ...listOf(objectOf({ rule: TEXT, asked: COUNT, denied: COUNT, wouldAsk: COUNT, wouldDeny: COUNT })),
    description: 'By the rule that decided, those with the most calls first; at most 50.',
  },
  corrections: objectOf({
    falseAlarms: COUNT,
    attacks: COUNT,
    'falseAlarmRate?': { type: 'number', description: 'The share of false alarms in what people judged.' },
  }),
  audit: objectOf({
    rows: { ...COUNT, description: 'Rows of the chain. It was not verified for this answer.' },
    head: COUNT,
    'signed?': objectOf({ seq: COUNT, at: TIME }),
    'anchored?': {
      ...COUNT,
      description: 'The last row of which a head is kept elsewhere, as far as this replica knows.',
    },
  }),
});

/** How often people were asked, and why. */
export function statisticsRoutes({ database, signer }: StatisticsRouteOptions): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/audit/statistics',
      name: 'readStatistics',
      summary:
        'Counts calls, questions, answers and corrections of the last hours, and says how far the audit is signed',
      scope: 'audit',
      query: {
        hours: {
          type: 'string',
          pattern: '^([1-9][0-9]?|[1-6][0-9]{2}|7[0-3][0-9]|74[0-4])$',
          description: 'How far back, at most 744 (31 days). Default: 24.',
        },
      },
      answer: { status: 200, description: 'The figures', schema: STATISTICS },
      async handle({ caller: { workspace }, query: { hours = DEFAULT_HOURS } }) {
        const { total, corrections, audit, ...rest } = await readStatistics(database, workspace, Number(hours));
        const { falseAlarms, attacks } = corrections;
        const judged = falseAlarms + attacks;
        const anchored = signer.lastAnchored(workspace);
        return {
          ...rest,
          total,
          ...(total.calls === 0 ? {} : { questionsPerHundredCalls: (100 * total.asked) / total.calls }),
          corrections: { ...corrections, ...(judged === 0 ? {} : { falseAlarmRate: falseAlarms / judged }) },
          audit: { ...audit, ...(anchored === undefined ? {} : { anchored }) },
        };
      },
    }),
  ];
}
