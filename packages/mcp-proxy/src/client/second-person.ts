import type { Decision, Effect } from '@sallyport/core';
import type { Connection } from '../connection/connection.ts';
import { type Question, questionOf } from '../state/question.ts';

/**
 * Whether only another person may let a call of this tool pass. `cell` is the cell of the policy's table that decided: it has an
 * effect of its own if the values of the call say more than its tool, such as a file that acts later.
 */
export function needsSecondPerson({ settings, catalog }: Connection, tool: string, cell?: string): boolean {
  const effects = [catalog.get(tool)?.effect ?? 'execute', cell?.split(', ')[0]];
  return effects.some((effect) => settings.secondPerson.includes(effect as Effect));
}

/** The question about a held call, which says whether the client's own user may answer it. */
export function heldQuestion(connection: Connection, conversation: string, decision: Decision): Question {
  const question = questionOf(connection.settings, conversation, decision);
  const { call, cell } = decision;
  return needsSecondPerson(connection, call.tool, cell) ? { ...question, secondPerson: true } : question;
}
