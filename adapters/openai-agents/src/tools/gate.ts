import { type Ask, type Conversation, type Decision, SallyportError, type ToolCall } from '@sallyport/core';
import { recordChecked } from './offered.ts';

/** The context that the SDK passes to its tools. */
export interface Context {
  isToolApproved(approval: { readonly toolName: string; readonly callId: string }): boolean | undefined;
}

export interface Gate {
  readonly conversation: Conversation;
  readonly ask: Ask | undefined;
}

/** The id of a call if the SDK passes none. */
export const UNCALLED = 'direct';

/** Approvals that were used. Each approves one call. */
const spent = new WeakMap<Context, Set<string>>();

function isSpent(context: Context, key: string): boolean {
  const keys = spent.get(context) ?? new Set();
  spent.set(context, keys);
  const isKnown = keys.has(key);
  keys.add(key);
  return isKnown;
}

/** Whether a person has approved this call. The SDK may store the approval under one of several names of the tool. */
function isApproved(context: Context, names: readonly string[], callId: string): boolean {
  const answers = names.map((toolName) => context.isToolApproved({ toolName, callId }));
  const isGranted = answers.includes(true) && !answers.includes(false);
  return isGranted && !isSpent(context, JSON.stringify([names[0], callId]));
}

/**
 * Fails the run if no model was called before a tool: the run was started by an earlier process. A refusal would lose a call that
 * a person has approved; the failed run can continue once its history was read.
 */
export function checkRead({ conversation }: Gate): void {
  if (!conversation.hasRendered)
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      'The history of this run was not read yet. Pass the Runner the provider that protect() returns, and call restore(state) before you resume a stored run.',
    );
}

/** The decision on a call. */
export async function check(gate: Gate, use: ToolCall): Promise<Decision> {
  recordChecked(gate.conversation, use.tool);
  const decision = await gate.conversation.check(use);
  if (decision.outcome !== 'allow') checkRead(gate);
  return decision;
}

/** The decision when a call is about to be made. It takes an approval given since the first check into account. */
export async function checkWithApproval(
  gate: Gate,
  names: readonly string[],
  use: ToolCall,
  context: Context,
): Promise<Decision> {
  const { conversation, ask } = gate;
  const decision = await check(gate, use);
  if (decision.outcome !== 'ask') return decision;
  if (isApproved(context, names, use.id))
    return conversation.check(use, { ask: () => ({ by: 'approval in the run state' }) });
  return ask === undefined ? decision : conversation.check(use, { ask });
}
