import type { SpanVerdict, ThresholdChange, Thresholds } from '../store/feedback.ts';
import { DIGEST, NAME, objectOf, type Route, route, type Schema } from './route.ts';

const LIKELIHOOD: Schema = { enum: ['low', 'medium', 'high'] };

/** What people say of spans, and the thresholds that follow. */
export function feedbackRoutes(thresholds: Thresholds): readonly Route[] {
  return [
    route<SpanVerdict>({
      method: 'post',
      path: '/feedback',
      name: 'tellVerdict',
      summary: 'Says of a span whether it is an attack',
      scope: 'approve',
      body: objectOf({
        server: NAME,
        tag: NAME,
        digest: DIGEST,
        likelihood: LIKELIHOOD,
        verdict: { enum: ['false-alarm', 'attack'] },
      }),
      answer: { status: 204, description: 'It is kept' },
      handle: ({ caller: { workspace, principal }, body }) => thresholds.tell(workspace, body, principal),
    }),
    route({
      method: 'get',
      path: '/thresholds/{server}',
      name: 'readThresholds',
      summary: 'By tag, from which likelihood on spans of a server count. What is not named counts from low on',
      scope: 'approve',
      parameters: { server: NAME },
      answer: {
        status: 200,
        description: 'Those that hold now',
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
      summary: 'Sets a threshold for a while. A higher one needs false alarms, and must miss no known attack',
      scope: 'admin',
      body: objectOf({ server: NAME, tag: NAME, least: LIKELIHOOD }),
      answer: { status: 204, description: 'It holds' },
      handle: ({ caller: { workspace, principal }, body }) => thresholds.set(workspace, body, principal),
    }),
  ];
}
