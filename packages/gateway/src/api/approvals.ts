import { SCOPES } from '@sallyport/core/stages';
import type { Approvals } from '../store/approvals.ts';
import { LINE, listOf, objectOf, type Route, route, TEXT, TIME } from './route.ts';

const EXCERPT = objectOf({ before: TEXT, match: TEXT, after: TEXT });
const EVIDENCE = objectOf({ path: TEXT, 'source?': TEXT, excerpt: EXCERPT });

const QUESTION = objectOf({
  server: TEXT,
  conversation: TEXT,
  tool: TEXT,
  arguments: { type: 'string', description: 'JSON, as the agent wrote it.' },
  rule: TEXT,
  reason: TEXT,
  evidence: listOf(EVIDENCE),
  scopes: listOf({ enum: [...SCOPES] }),
});

const PENDING = objectOf({ id: TEXT, question: QUESTION, principal: LINE, askedAt: TIME, until: TIME });

/** Held calls, and the answers to them. */
export function approvalRoutes(approvals: Approvals): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/approvals',
      name: 'listApprovals',
      summary: 'Lists held calls that wait for an answer, oldest first',
      scope: 'approve',
      answer: { status: 200, description: 'The pending approvals', schema: objectOf({ approvals: listOf(PENDING) }) },
      handle: async ({ caller }) => ({ approvals: await approvals.pending(caller.workspace) }),
    }),
    route<{ answer: 'approved' | 'denied' }>({
      method: 'post',
      path: '/approvals/{id}',
      name: 'answerApproval',
      summary:
        'Approves or denies a held call. The answer applies once, to exactly this call, and is recorded with the name of the caller',
      scope: 'approve',
      parameters: { id: { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' } },
      body: objectOf({ answer: { enum: ['approved', 'denied'] } }),
      answer: { status: 204, description: 'The answer was stored' },
      handle: ({ caller, parameters: { id = '' }, body }) =>
        approvals.answer(caller.workspace, id, body.answer, caller.principal),
    }),
  ];
}
