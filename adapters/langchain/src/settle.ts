import type { Ask, Conversation, Decision, Evidence } from '@sallyport/core';
import { isFields, type ToolDescriptions } from '@sallyport/core/adapter';
import { latestUses, type Use } from './message.ts';
import { turnsOf } from './turns.ts';

/**
 * The interrupt value of a run that waits for a person.
 *
 * @example
 * ```ts
 * const [interrupt] = result.__interrupt__ ?? [];
 * const { id, tool, reason } = interrupt?.value as HeldCall;
 * ```
 */
export interface HeldCall {
  /** The key for the answer: `call:` and the id of the call, since LangGraph reserves hexadecimal ids. */
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** The reason for holding the call, for a person. */
  readonly reason: string;
  /** The origins of the values. Excerpts are content of others: show them as such. */
  readonly evidence: readonly Evidence[];
}

/**
 * The value with which a run is resumed: answers by the ids of held calls, or one answer if the model's turn had one call only.
 * With several calls, LangGraph would use one answer for each of them.
 *
 * @example
 * ```ts
 * const answer: HeldAnswer = { [held.id]: 'approve' };
 * await agent.invoke(new Command({ resume: answer }), config);
 * ```
 */
export type HeldAnswer = 'approve' | 'decline' | Readonly<Record<string, 'approve' | 'decline'>>;

export interface Guard {
  readonly conversation: Conversation;
  /** The descriptions that servers give of their tools. */
  readonly descriptions: ToolDescriptions;
  readonly ask: Ask | undefined;
  readonly rawOutput: boolean;
  /** Fails if the conversation is used for a second thread. */
  readonly checkThread: (config: unknown) => void;
}

/** The part of a run that a tool can see. */
export interface RunContext {
  /** The history; undefined if it is not known. */
  readonly messages: readonly unknown[] | undefined;
  /** LangGraph's interrupt: it stops the run by throwing, and returns the answer when the run is resumed. */
  readonly interrupt: ((value: HeldCall) => unknown) | undefined;
}

/** Undefined if the answer is to another call. */
function isApproval(answer: unknown, id: string, isOnly: boolean): boolean | undefined {
  if (answer === 'approve') return isOnly ? true : undefined;
  if (!isFields(answer)) return false;
  return Object.hasOwn(answer, id) ? answer[id] === 'approve' : undefined;
}

type Interrupt = NonNullable<RunContext['interrupt']>;

function askByInterrupt(interrupt: Interrupt, { reason, evidence }: Decision, use: Use, isOnly: boolean): boolean {
  const held = { ...use, id: `call:${use.id}`, reason, evidence };
  for (;;) {
    const isApproved = isApproval(interrupt(held), held.id, isOnly);
    if (isApproved !== undefined) return isApproved;
  }
}

/** Checks a call when its tool is about to run, and asks a person if the gate requires it. */
export async function checkCall({ conversation, ask }: Guard, use: Use, context: RunContext): Promise<Decision> {
  const { messages, interrupt } = context;
  // Another process may have started the conversation: only the history tells what the model has read.
  if (messages !== undefined) await conversation.render(turnsOf(messages).map(({ turn }) => turn));
  if (ask !== undefined) return conversation.check(use, { ask });
  const decision = await conversation.check(use);
  const uses = latestUses(messages ?? []);
  // An answer to one of two calls with one id would be an answer to both.
  const isTwin = uses.filter(({ id }) => id === use.id).length > 1;
  if (decision.outcome !== 'ask' || interrupt === undefined || isTwin) return decision;
  const isApproved = askByInterrupt(interrupt, decision, use, uses.length === 1);
  return conversation.check(use, { ask: () => (isApproved ? { by: 'the answer that resumed the run' } : undefined) });
}
