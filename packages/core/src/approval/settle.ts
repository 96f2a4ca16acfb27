import { checkOptionNames, describeValue, refuse } from '../base/errors.ts';
import type { ApprovalPlace } from './approval-store.ts';
import { type ApproveSettings, approveHeld, type CallApproval, checkPerson } from './approve.ts';
import type { HeldCall, HeldStore, Rejection, StoredHeldCall } from './held-store.ts';

type Answer = (CallApproval & { readonly outcome: 'approve' }) | (Rejection & { readonly outcome: 'reject' });

/** Records a person's answer to a held call. */
export async function settleHeld(
  call: StoredHeldCall,
  answer: Answer,
  store: HeldStore,
  settings: ApproveSettings,
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

/**
 * The waiting calls of a conversation or an owner. `{ owner: undefined }` is refused: without a login it would list the
 * calls of every user.
 */
export async function pendingIn(place: Partial<ApprovalPlace>, store: HeldStore): Promise<readonly HeldCall[]> {
  if (typeof place !== 'object' || place === null)
    refuse(
      `pending() needs a place, such as { conversation: 'chat-1' }; received ${describeValue(place)}. {} means everywhere.`,
    );
  checkOptionNames(place, ['conversation', 'owner'], 'pending()');
  for (const [name, value] of Object.entries(place))
    if (typeof value !== 'string' || value === '')
      refuse(`\`${name}\` of pending() must be a non-empty string; received ${describeValue(value)}.`);
  const waiting = (await store.list(place)).filter(({ rejection }) => rejection === undefined);
  return waiting.map(({ keys: _, ...call }) => call);
}
