import type { Decision, Effect } from '@sallyport/core';
import type { Connection } from '../connection/connection.ts';
import { type Question, questionOf } from '../state/question.ts';

/**
 * Decides if only a person other than the client's user may approve a call of this tool. `judged` is the effect of the
 * decision: the values of a call can make it graver than its tool, such as a file that acts later.
 */
export function needsSecondPerson({ settings, catalog }: Connection, tool: string, judged?: Effect): boolean {
  const effects = [catalog.get(tool)?.effect ?? 'execute', judged];
  return effects.some((effect) => effect !== undefined && settings.secondPerson.includes(effect));
}

/**
 * The question about a held call, with a flag if the client's own user may not answer it. A second person sees each
 * call.
 */
export function heldQuestion(connection: Connection, conversation: string, decision: Decision): Question {
  const question = questionOf(connection.settings, conversation, decision);
  const { call, effect } = decision;
  return needsSecondPerson(connection, call.tool, effect)
    ? { ...question, scopes: ['once'], secondPerson: true }
    : question;
}
