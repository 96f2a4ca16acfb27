import { SCOPES } from '@sallyport/core/stages';
import type { ApprovalAnswer, Approvals } from '../store/approvals.ts';
import type { Caller, Scope } from '../store/secrets/keys.ts';
import { LINE, listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from './route/route.ts';

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
  'secondPerson?': { const: true, description: 'Only another person than the one who called may answer.' },
});

const ANSWER: Schema = { enum: ['approved', 'denied'] };
const NOTE: Schema = { type: 'string', minLength: 1, maxLength: 1000, pattern: '^[^\\p{C}]+$' };

const APPROVAL = objectOf({
  id: TEXT,
  question: QUESTION,
  principal: LINE,
  askedAt: TIME,
  until: TIME,
  'answer?': ANSWER,
  'answeredBy?': TEXT,
  'answeredAt?': TIME,
  'note?': NOTE,
});

export const SCOPES_OF_PEOPLE: readonly Scope[] = ['approve:own', 'approve:any'];

/** The principal whose held calls a caller sees and answers; undefined: those of all. */
export function principalFor({ scopes, principal }: Caller): string | undefined {
  return scopes.has('approve:any') ? undefined : principal;
}

/** Held calls, and the answers to them. */
export function approvalRoutes(approvals: Approvals): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/approvals',
      name: 'listApprovals',
      summary:
        'Lists held calls: those that wait, oldest first, or those that were answered, the last answer first. With `approve:own` only those of the caller',
      scope: SCOPES_OF_PEOPLE,
      query: { state: { enum: ['pending', 'answered'] } },
      answer: {
        status: 200,
        description: 'At most 1000 held calls',
        schema: objectOf({ approvals: listOf(APPROVAL) }),
      },
      handle: async ({ caller, query: { state = 'pending' } }) => {
        const { workspace } = caller;
        const of = principalFor(caller);
        return {
          approvals: await (state === 'answered'
            ? approvals.answered(workspace, of)
            : approvals.pending(workspace, of)),
        };
      },
    }),
    route<{ answer: ApprovalAnswer; note?: string }>({
      method: 'post',
      path: '/approvals/{id}',
      name: 'answerApproval',
      summary:
        'Approves or denies a held call. The answer applies once, to exactly this call, and is recorded with the name of the caller and their note',
      scope: SCOPES_OF_PEOPLE,
      parameters: { id: { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' } },
      body: objectOf({ answer: ANSWER, 'note?': NOTE }),
      answer: { status: 204, description: 'The answer was stored' },
      handle: ({ caller, parameters: { id = '' }, body: { answer, note = null } }) =>
        approvals.answer(caller.workspace, id, answer, caller.principal, { of: principalFor(caller) ?? null, note }),
    }),
  ];
}
