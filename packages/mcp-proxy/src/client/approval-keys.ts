import type { ApprovalScope, StoredHeldCall, ToolCall } from '@sallyport/core';
import type { Connection } from '../connection/connection.ts';
import type { Memory } from '../state/memory.ts';
import type { Question } from '../state/question.ts';

/** The maximum number of values that core lists for a call. */
const MAX_VALUES = 20;

function fixedIn(held: readonly StoredHeldCall[]): Pick<Question, 'fixed'> {
  if (held.some(({ values }) => values.length >= MAX_VALUES)) return {};
  return { fixed: [...new Set(held.flatMap(({ values }) => values.map(({ path }) => path)))] };
}

/**
 * Adds to a question the keys under which a lasting approval of the call is stored. Every memory that asks about the
 * call must be covered, or the person would be asked again, so the scopes are those that all of them allow.
 */
export async function withApprovalKeys(
  { settings, guardState: { gate }, memories: { principal, definitions } }: Connection,
  memory: Memory,
  call: ToolCall,
  question: Question,
): Promise<Question> {
  if (!settings.keepsApprovals || question.secondPerson === true) return question;
  const held: StoredHeldCall[] = [];
  for (const each of new Set([memory, principal, definitions])) {
    const found = await each.heldCall(call, memory.id, gate);
    if (found !== undefined) held.push(found);
  }
  const isCovered = (scope: ApprovalScope): boolean =>
    held.length > 0 && held.every(({ keys }) => keys[scope] !== undefined);
  const lasting = question.scopes.filter((scope) => scope !== 'once' && isCovered(scope));
  const keys = lasting.map((scope) => [scope, [...new Set(held.map((each) => each.keys[scope]))]]);
  return { ...question, scopes: ['once', ...lasting], ...fixedIn(held), keys: Object.fromEntries(keys) };
}
