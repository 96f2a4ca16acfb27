import { type Ask, type Conversation, type Decision, SallyportError, type ToolCall } from '@sallyport/core';
import { canonicalJson } from '@sallyport/core/adapter';
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

/** Looks for an unused approval of this call. The SDK may store it under one of several names of the tool. */
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

/** Calls that were allowed when the SDK asked whether they need an approval, by their ids. */
const allowed = new WeakMap<Gate, Map<string, { readonly use: string; readonly decision: Decision }>>();

function allowedBy(gate: Gate): NonNullable<ReturnType<typeof allowed.get>> {
  const calls = allowed.get(gate) ?? new Map();
  allowed.set(gate, calls);
  return calls;
}

/** The part of a call that is checked. */
function textOf({ tool, arguments: given }: ToolCall): string {
  return canonicalJson([tool, given ?? null]);
}

/** The decision on a call. One that was allowed a moment ago is not checked again: that would need, and count, a second approval. */
export async function check(gate: Gate, use: ToolCall): Promise<Decision> {
  recordChecked(gate.conversation, use.tool);
  const earlier = allowedBy(gate).get(use.id);
  allowedBy(gate).delete(use.id);
  if (earlier?.use === textOf(use)) return earlier.decision;
  const decision = await gate.conversation.check(use);
  if (decision.outcome !== 'allow') checkRead(gate);
  return decision;
}

/** The decision when the SDK asks whether a call needs an approval. If it is allowed, it holds until the call is made. */
export async function checkEarly(gate: Gate, use: ToolCall, isOwn: boolean): Promise<Decision> {
  const decision = await check(gate, use);
  // If the tool's own approval follows, time passes: then it is checked again.
  if (decision.outcome === 'allow' && !isOwn && use.id !== UNCALLED)
    allowedBy(gate).set(use.id, { use: textOf(use), decision });
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
