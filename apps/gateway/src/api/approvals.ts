import type { ApprovalScope } from '@sallyport/core';
import { SCOPES } from '@sallyport/core/stages';
import type { ApprovalAnswer, Approvals } from '../store/approvals.ts';
import type { LastingApprovals } from '../store/lasting/lasting-approvals.ts';
import type { Caller, Scope } from '../store/secrets/keys.ts';
import { LINE, listOf, objectOf, type Route, route, type Schema, TEXT, TIME } from './route/route.ts';

const EXCERPT = objectOf({ before: TEXT, match: TEXT, after: TEXT });
const EVIDENCE = objectOf({ path: TEXT, 'source?': TEXT, excerpt: EXCERPT });

const FIXED: Schema = {
  ...listOf(TEXT),
  description:
    'JSON pointers of the arguments that a later call must share to be covered by a lasting approval. Others may differ. Absent if there are too many to list.',
};

const QUESTION = objectOf({
  server: TEXT,
  conversation: TEXT,
  tool: TEXT,
  arguments: { type: 'string', description: 'JSON, as the agent wrote it.' },
  rule: TEXT,
  'effect?': { type: 'string', description: 'What the call does, such as `send`.' },
  'cell?': {
    type: 'string',
    description: "The cell of the policy's table that asks, such as `send, content`. Absent if another rule asks.",
  },
  reason: TEXT,
  evidence: listOf(EVIDENCE),
  'fixed?': FIXED,
  scopes: { ...listOf({ enum: [...SCOPES] }), description: 'What an approval of this call may cover.' },
  'secondPerson?': { const: true, description: 'Only another person than the one who called may answer.' },
});

const LASTING = SCOPES.filter((scope) => scope !== 'once');
const ID: Schema = { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' };
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
  'scope?': { enum: LASTING, description: 'What was approved beyond this call. Absent if the answer applied once.' },
  'lastsUntil?': TIME,
  'refused?': {
    type: 'string',
    description: 'Why the caller may not answer the call that waits, and what to do. Absent if they may.',
  },
});

const LASTING_APPROVAL = objectOf({
  id: { type: 'string', description: 'The id of the held call that was approved.' },
  principal: { ...LINE, description: 'Whose calls it covers.' },
  call: objectOf({
    server: TEXT,
    conversation: TEXT,
    tool: TEXT,
    arguments: { type: 'string', description: 'JSON, as the agent wrote it.' },
    rule: TEXT,
    'effect?': TEXT,
    'cell?': TEXT,
    'fixed?': FIXED,
  }),
  scope: { enum: LASTING },
  givenBy: TEXT,
  givenAt: TIME,
  'until?': { ...TIME, description: 'Absent if it does not expire, which is so only for `sallyport ui`.' },
  'uses?': {
    type: 'integer',
    minimum: 0,
    description: 'How many checks of calls it has answered. Absent if not known.',
  },
  'usedAt?': TIME,
});

const SCOPE: Schema = {
  enum: [...SCOPES],
  description:
    "What is approved, one of the question's `scopes`. `once`: this call. Otherwise also later calls of the same principal with the same tool and the same values about which the same question would be asked: `task` and `conversation` in the same conversation, `always` in all of them. Absent: `once`.",
};
const UNTIL: Schema = {
  ...TIME,
  description:
    'When an approval that lasts expires. Absent: after an hour (`task`), a day (`conversation`) or 30 days (`always`). At most a day ahead, with `always` a year.',
};

interface AnswerBody {
  readonly answer: ApprovalAnswer;
  readonly note?: string;
  readonly scope?: ApprovalScope;
  readonly until?: string;
}

export interface ApprovalRouteOptions {
  readonly approvals: Approvals;
  readonly lasting: LastingApprovals;
}

export const SCOPES_OF_PEOPLE: readonly Scope[] = ['approve:own', 'approve:any'];

/** The principal whose held calls a caller sees and answers; undefined: those of all. */
export function principalFor({ scopes, principal }: Caller): string | undefined {
  return scopes.has('approve:any') ? undefined : principal;
}

/** Held calls, and the answers to them. */
export function approvalRoutes({ approvals, lasting }: ApprovalRouteOptions): readonly Route[] {
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
            : approvals.pending(workspace, of, caller.principal)),
        };
      },
    }),
    route({
      method: 'get',
      path: '/approvals/lasting',
      name: 'listLastingApprovals',
      summary:
        'Lists the approvals that cover later calls, the latest first. With `approve:own` only those of the calls of the caller',
      scope: SCOPES_OF_PEOPLE,
      answer: {
        status: 200,
        description: 'At most 1000 approvals that have not expired',
        schema: objectOf({ approvals: listOf(LASTING_APPROVAL) }),
      },
      handle: async ({ caller }) => ({ approvals: await lasting.list(caller.workspace, principalFor(caller)) }),
    }),
    route({
      method: 'delete',
      path: '/approvals/lasting/{id}',
      name: 'revokeLastingApproval',
      summary: 'Ends a lasting approval at once: the next such call is held again',
      scope: SCOPES_OF_PEOPLE,
      parameters: { id: ID },
      answer: { status: 204, description: 'The approval was revoked' },
      handle: ({ caller, parameters: { id = '' } }) =>
        lasting.revoke(caller.workspace, id, caller.principal, { of: principalFor(caller), person: caller.person }),
    }),
    route<AnswerBody>({
      method: 'post',
      path: '/approvals/{id}',
      name: 'answerApproval',
      summary:
        'Approves or denies a held call. The answer applies once, to exactly this call; an approval with a `scope` also to later calls with the same values. It is recorded with the name of the caller and their note',
      scope: SCOPES_OF_PEOPLE,
      parameters: { id: ID },
      body: objectOf({ answer: ANSWER, 'note?': NOTE, 'scope?': SCOPE, 'until?': UNTIL }),
      answer: { status: 204, description: 'The answer was stored' },
      handle: ({ caller, parameters: { id = '' }, body: { answer, note = null, scope, until } }) =>
        approvals.answer(caller.workspace, id, answer, caller.principal, {
          of: principalFor(caller) ?? null,
          person: caller.person,
          note,
          scope,
          until: until === undefined ? undefined : new Date(until),
        }),
    }),
  ];
}
