import { type Ask, type Conversation, type Decision, SallyportError, type ToolCall } from '@sallyport/core';

/** What the SDK says of a run to its tools. */
export interface Context {
  isToolApproved(approval: { readonly toolName: string; readonly callId: string }): boolean | undefined;
}

export interface Gate {
  readonly conversation: Conversation;
  readonly ask: Ask | undefined;
}

/** The id of a call of which nobody says it. */
export const UNCALLED = 'direct';

/** Approvals that have let a call pass: each of them does so once. */
const spent = new WeakMap<Context, Set<string>>();

function isSpent(context: Context, key: string): boolean {
  const keys = spent.get(context) ?? new Set();
  spent.set(context, keys);
  const isKnown = keys.has(key);
  keys.add(key);
  return isKnown;
}

/** Whether a person has approved this very call, which the SDK may know by one of several names of its tool. */
function isApproved(context: Context, names: readonly string[], callId: string): boolean {
  const answers = names.map((toolName) => context.isToolApproved({ toolName, callId }));
  const isSaid = answers.includes(true) && !answers.includes(false);
  return isSaid && !isSpent(context, JSON.stringify([names[0], callId]));
}

/**
 * Where no model was called before a tool, the run goes on from an earlier process: to turn a call down that a person has
 * approved would lose it, so the run fails, and can go on once its history was read.
 */
export function checkRead({ conversation }: Gate): void {
  if (!conversation.hasRendered)
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      'Nothing of this run was read yet: give the Runner a model or provider of protect(), and restore(state) before a stored run goes on.',
    );
}

/** The decision on a call. */
export async function judge(gate: Gate, use: ToolCall): Promise<Decision> {
  const decision = await gate.conversation.check(use);
  if (decision.outcome !== 'allow') checkRead(gate);
  return decision;
}

/** The decision at the moment a call would be made, after what a person has said in the meantime. */
export async function settle(gate: Gate, names: readonly string[], use: ToolCall, context: Context): Promise<Decision> {
  const { conversation, ask } = gate;
  const decision = await judge(gate, use);
  if (decision.outcome !== 'ask') return decision;
  if (isApproved(context, names, use.id))
    return conversation.check(use, { ask: () => ({ by: 'approval in the run state' }) });
  return ask === undefined ? decision : conversation.check(use, { ask });
}
