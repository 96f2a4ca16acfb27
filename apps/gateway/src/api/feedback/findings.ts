import type { Policies } from '../../store/policies.ts';
import type { Corrections } from '../../store/policy/corrections.ts';
import { type Findings, VERDICTS, type Verdict } from '../../store/policy/findings.ts';
import { principalFor, SCOPES_OF_PEOPLE } from '../approvals.ts';
import { listOf, NAME, objectOf, type Route, route, type Schema, TEXT, TIME } from '../route/route.ts';

export const LIKELIHOOD: Schema = { enum: ['low', 'medium', 'high'] };

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

export interface FindingRouteOptions {
  readonly corrections: Corrections;
  readonly findings: Findings;
  readonly policies: Policies;
}

/** Checks that the workspace keeps the texts of corrections. */
export async function keepsText(policies: Policies, workspace: string): Promise<boolean> {
  return (await policies.current(workspace)).body.corrections?.content === true;
}

/** Flagged spans, and verdicts on them. */
export function findingRoutes({ corrections, findings, policies }: FindingRouteOptions): readonly Route[] {
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
    route<{ finding: string; verdict: Verdict }>({
      method: 'post',
      path: '/feedback',
      name: 'tellVerdict',
      summary: 'Reports that a finding is an attack or a false alarm',
      scope: SCOPES_OF_PEOPLE,
      body: objectOf({ finding: FINDING_ID, verdict: { enum: VERDICTS } }),
      answer: { status: 204, description: 'The verdict was stored' },
      async handle({ caller, body: { finding, verdict } }) {
        const { workspace, principal } = caller;
        const { text, ...found } = await findings.find(workspace, finding, principalFor(caller));
        const kept = (await keepsText(policies, workspace)) ? text : undefined;
        await corrections.recordVerdict(workspace, { ...found, verdict, text: kept }, principal);
      },
    }),
  ];
}
