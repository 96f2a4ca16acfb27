import type { ServerThreshold, SpanVerdict, Thresholds } from '../store/feedback.ts';
import type { Findings } from '../store/policy/findings.ts';
import { principalFor, SCOPES_OF_PEOPLE } from './approvals.ts';
import { listOf, NAME, objectOf, type Route, route, type Schema, TEXT, TIME } from './route/route.ts';

const LIKELIHOOD: Schema = { enum: ['low', 'medium', 'high'] };

const FINDING_ID: Schema = { type: 'string', pattern: '^[0-9a-f]{32}$' };
const FINDING = objectOf({
  id: FINDING_ID,
  principal: TEXT,
  server: NAME,
  'tool?': TEXT,
  tag: NAME,
  likelihood: LIKELIHOOD,
  text: { ...TEXT, description: 'The beginning of the span.' },
  at: TIME,
});

export interface FeedbackRouteOptions {
  readonly thresholds: Thresholds;
  readonly findings: Findings;
}

/** Flagged spans, verdicts on them, and thresholds. */
export function feedbackRoutes({ thresholds, findings }: FeedbackRouteOptions): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/findings',
      name: 'listFindings',
      summary:
        "Lists spans that were flagged in what the caller's principal read, newest first; with the scope approve:any, in what anyone read. The texts are untrusted",
      scope: SCOPES_OF_PEOPLE,
      answer: { status: 200, description: 'At most 1000 findings', schema: objectOf({ findings: listOf(FINDING) }) },
      handle: async ({ caller }) => ({ findings: await findings.list(caller.workspace, principalFor(caller)) }),
    }),
    route<{ finding: string; verdict: SpanVerdict['verdict'] }>({
      method: 'post',
      path: '/feedback',
      name: 'tellVerdict',
      summary: 'Reports that a finding is an attack or a false alarm',
      scope: SCOPES_OF_PEOPLE,
      body: objectOf({ finding: FINDING_ID, verdict: { enum: ['false-alarm', 'attack'] } }),
      answer: { status: 204, description: 'The verdict was stored' },
      async handle({ caller, body: { finding, verdict } }) {
        const { workspace, principal } = caller;
        const found = await findings.find(workspace, finding, principalFor(caller));
        await thresholds.recordVerdict(workspace, { ...found, verdict }, principal);
      },
    }),
    route({
      method: 'get',
      path: '/thresholds/{server}',
      name: 'readThresholds',
      summary: 'Lists the thresholds of a server by tag. The threshold of other tags is low',
      scope: 'policy',
      parameters: { server: NAME },
      answer: {
        status: 200,
        description: 'The current thresholds',
        schema: objectOf({ thresholds: { type: 'object', propertyNames: NAME, additionalProperties: LIKELIHOOD } }),
      },
      handle: async ({ caller, parameters: { server = '' } }) => ({
        thresholds: Object.fromEntries(await thresholds.current(caller.workspace, server)),
      }),
    }),
    route<ServerThreshold>({
      method: 'put',
      path: '/thresholds',
      name: 'setThreshold',
      summary:
        'Sets a threshold for 30 days. Raising it requires reported false alarms, and every known attack must still be found',
      scope: 'policy',
      body: objectOf({ server: NAME, tag: NAME, least: LIKELIHOOD }),
      answer: { status: 204, description: 'The threshold was set' },
      handle: ({ caller: { workspace, principal }, body }) => thresholds.set(workspace, body, principal),
    }),
  ];
}
