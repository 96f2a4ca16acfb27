import { checkOptionNames, describeValue, refuse } from '../base/errors.ts';
import { type ApprovalSettings, approveHeld, type CallApproval, checkPerson } from './approvals.ts';
import type { HeldCall, HeldStore, Rejection } from './held-store.ts';

type Answer = (CallApproval & { readonly outcome: 'approve' }) | (Rejection & { readonly outcome: 'reject' });

/** Records what a person answered about a held call. */
export async function settleHeld(
  call: HeldCall,
  answer: Answer,
  store: HeldStore,
  settings: Pick<ApprovalSettings, 'clock' | 'store' | 'onEvent'>,
): Promise<void> {
  const { outcome, ...given } = answer ?? ({} as Partial<Answer>);
  if (outcome === 'approve') {
    await approveHeld(call, given as CallApproval, settings);
    return store.delete(call.id);
  }
  if (outcome !== 'reject') refuse(`\`outcome\` must be 'approve' or 'reject'; received ${describeValue(outcome)}.`);
  checkOptionNames(given, ['by', 'note'], 'settle()');
  const { by, note } = given as Rejection;
  checkPerson(by);
  // The call is kept with the answer, so that the process that runs the agent can tell the model.
  return store.put({ ...call, rejection: { by, ...(note !== undefined && { note }) } });
}
