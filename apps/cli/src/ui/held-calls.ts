import type { ApprovalScope } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';
import type { ApprovalFiles, PendingApproval } from '../approve/approval-files.ts';
import { UiProblem } from './problem.ts';

function shownCall({ id, question: { digest: _, ...question }, askedAt, until }: PendingApproval, principal: string) {
  const [asked, end] = [askedAt, until].map((time) => new Date(time).toISOString());
  return { id, question, principal, askedAt: asked, until: end };
}

/** The calls that wait for an answer, as the gateway lists them. */
export function heldCalls(files: ApprovalFiles, principal: string): unknown {
  return { approvals: files.pending().map((each) => shownCall(each, principal)) };
}

interface GivenAnswer {
  readonly answer: 'approved' | 'denied';
  readonly scope: ApprovalScope;
  readonly until: number | undefined;
}

function readAnswer(body: unknown, { question: { scopes } }: PendingApproval): GivenAnswer {
  const { answer, scope = 'once', until } = fieldsOf(body);
  const end = until === undefined ? undefined : Date.parse(String(until));
  const known = scopes.find((each) => each === scope);
  if ((answer !== 'approved' && answer !== 'denied') || Number.isNaN(end))
    throw new UiProblem(422, 'This is not an answer to a held call.', 'Load the page again.');
  if (known === undefined) throw new UiProblem(409, 'This call cannot be approved for so long.', 'Approve it once.');
  return { answer, scope: known, until: end };
}

/** Records the answer of the person at the page. */
export function answerHeldCall(files: ApprovalFiles, id: string, body: unknown): undefined {
  const missing = new UiProblem(404, 'The call is no longer held.', 'It was answered already, or has expired.');
  const waiting = files.waiting(id);
  if (waiting === undefined) throw missing;
  const { answer, scope, until } = readAnswer(body, waiting);
  if (!files.answer(id, answer, { scope, until })) throw missing;
  return undefined;
}
