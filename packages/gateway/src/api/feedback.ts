import type { SpanVerdict, ThresholdChange, Thresholds } from '../store/feedback.ts';
import { DIGEST, NAME, objectOf, type Route, route, type Schema } from './route.ts';

const LIKELIHOOD: Schema = { enum: ['low', 'medium', 'high'] };

/** Verdicts on spans, and thresholds. */
export function feedbackRoutes(thresholds: Thresholds): readonly Route[] {
  return [
    route<SpanVerdict>({
      method: 'post',
      path: '/feedback',
      name: 'tellVerdict',
      summary: 'Reports that a span is an attack or a false alarm',
      scope: 'approve:any',
      body: objectOf({
        server: NAME,
        tag: NAME,
        digest: DIGEST,
        likelihood: LIKELIHOOD,
        verdict: { enum: ['false-alarm', 'attack'] },
      }),
      answer: { status: 204, description: 'The verdict was stored' },
      handle: ({ caller: { workspace, principal }, body }) => thresholds.recordVerdict(workspace, body, principal),
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
    route<ThresholdChange>({
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
