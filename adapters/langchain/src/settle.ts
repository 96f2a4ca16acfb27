import type { Ask, Conversation, Decision, Evidence } from '@sallyport/core';
import { isFields, latestUses, type Use } from './message.ts';
import { turnsOf } from './turns.ts';

/** What a run that waits for a person tells: the value of its interrupt. */
export interface HeldCall {
  /** What an answer calls it: the id of the call behind `call:`, since LangGraph takes ids in hexadecimal for its own. */
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** What is the matter, for a person. */
  readonly reason: string;
  /** Where the values come from. Excerpts in it are content of others: show them as such. */
  readonly evidence: readonly Evidence[];
}

/**
 * What a run is resumed with: answers by the ids of held calls, or one word where the model's turn had one call only. With several
 * calls, LangGraph would take one word for the answer to each of them.
 */
export type HeldAnswer = 'approve' | 'decline' | Readonly<Record<string, 'approve' | 'decline'>>;

export interface Guard {
  readonly conversation: Conversation;
  readonly ask: Ask | undefined;
}

/** What a tool can see of the run it is part of. */
export interface Surroundings {
  /** undefined where nobody knows them. */
  readonly messages: readonly unknown[] | undefined;
  /** LangGraph's, which stops the run by throwing and comes back with the answer. */
  readonly interrupt: ((value: HeldCall) => unknown) | undefined;
}

/** undefined where the answer is one to another call. */
function isApproval(answer: unknown, id: string, isOnly: boolean): boolean | undefined {
  if (answer === 'approve') return isOnly ? true : undefined;
  if (!isFields(answer)) return false;
  return Object.hasOwn(answer, id) ? answer[id] === 'approve' : undefined;
}

type Interrupt = NonNullable<Surroundings['interrupt']>;

function askByInterrupt(interrupt: Interrupt, { reason, evidence }: Decision, use: Use, isOnly: boolean): boolean {
  const held = { ...use, id: `call:${use.id}`, reason, evidence };
  for (;;) {
    const isApproved = isApproval(interrupt(held), held.id, isOnly);
    if (isApproved !== undefined) return isApproved;
  }
}

/** Judges a call at the moment its tool would run, and asks where a person is to be asked. */
export async function settle({ conversation, ask }: Guard, use: Use, around: Surroundings): Promise<Decision> {
  const { messages, interrupt } = around;
  // Another process may have led the conversation up to here: the history is all that says what the model has read.
  if (messages !== undefined) await conversation.render(turnsOf(messages).map(({ turn }) => turn));
  if (ask !== undefined) return conversation.check(use, { ask });
  const decision = await conversation.check(use);
  const uses = latestUses(messages ?? []);
  // An answer to one of two calls with one id would be an answer to both.
  const isTwin = uses.filter(({ id }) => id === use.id).length > 1;
  if (decision.outcome !== 'ask' || interrupt === undefined || isTwin) return decision;
  const isApproved = askByInterrupt(interrupt, decision, use, uses.length === 1);
  return conversation.check(use, { ask: () => (isApproved ? { by: 'whoever resumed the run' } : undefined) });
}
