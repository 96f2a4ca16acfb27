import { isOrdinaryCommand } from '../call/command.ts';
import type { Effect } from '../call/effect.ts';
import { isDeciding, isTelling } from '../call/role.ts';
import type { Occurrence } from '../provenance/occurrence.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { GateQuestion, Rule, Rules } from './decision.ts';
import { disclosure } from './disclosure.ts';
import { blind, computed, namesOf, reads, undeclared } from './policy.ts';
import { COLUMNS, type Column, columnOf, outcomeIn } from './table.ts';

/** What a person whom the user named says is not enough for these. */
const BEYOND_NAMED: ReadonlySet<string> = new Set(['spend', 'destroy', 'execute']);

/** The effect of a call. A shell that does ordinary work on a project only writes. */
function effectOf({ effect, arguments: all }: GateQuestion): Effect {
  const commands = all.filter(({ role }) => role === 'command');
  const isOrdinary = commands.length > 0 && commands.every(({ text }) => isOrdinaryCommand(text));
  return effect === 'execute' && isOrdinary ? 'write' : effect;
}

/** The column of a deciding value. */
function columnIn(question: GateQuestion, argument: Argument): Column {
  const { effect, asked, isNamedPerson, sourceOf } = question;
  const { role, text } = argument;
  const column = columnOf(sourceOf(argument).trust);
  // The model adds up amounts: a sum that no content names is part of the act that the user asked for.
  if (column === 'model' && role === 'amount' && asked === 'asked') return 'trusted';
  // The user asked to reach this person. Whose address it is says more than where it was found.
  if (role === 'recipient' && asked === 'asked' && isNamedPerson(text)) {
    if (column === 'content' && effect !== 'spend') return 'named';
    if (column === 'requested') return 'content';
  }
  // A README may name an ordinary command. That counts only if it tells the model to run it.
  if (role === 'command' && column !== 'instructed' && isOrdinaryCommand(text)) return 'trusted';
  return column === 'named' && BEYOND_NAMED.has(effect) ? 'content' : column;
}

/** Whether a value decides what the call does, or an instruction in content names it. */
function isDecidingIn(question: GateQuestion, argument: Argument): boolean {
  const { role, isFree } = argument;
  if (isFree || !isTelling(role)) return false;
  return isDeciding(effectOf(question), role) || question.sourceOf(argument).trust === 'flagged';
}

/** A text that is word for word what an instruction, and nothing else, dictates. */
function isDictated({ isFree, role, provenance }: Argument): boolean {
  const isInstruction = ({ trust }: Occurrence): boolean => trust === 'flagged' || trust === 'suspect';
  const isWhole = provenance.pieces.some(
    ({ how, occurrences }) =>
      how === 'whole' &&
      occurrences.length > 0 &&
      (occurrences.some(({ trust }) => trust === 'flagged') || occurrences.every(isInstruction)),
  );
  return (isFree || role === 'text') && isWhole;
}

const SOURCES: Readonly<Record<Column, string>> = {
  trusted: 'you or a trusted service',
  named: 'content that you pointed at',
  model: 'the model itself',
  content: 'content that others wrote',
  requested: 'a request in content that others wrote, or in content that was not checked',
  instructed: 'an instruction to the model in content that others wrote',
};

/** The table: the effect, whether the user asked for it, and who supplied the worst of the values that decide what it does. */
const decided: Rule = (question) => {
  const { asked } = question;
  const effect = effectOf(question);
  if (effect === 'read') return undefined;
  const deciding = question.arguments.filter((argument) => isDecidingIn(question, argument));
  const dictated = question.arguments.filter(isDictated);
  const columns = new Map([
    ...dictated.map((argument) => [argument, 'requested' as Column] as const),
    ...deciding.map((argument) => [argument, columnIn(question, argument)] as const),
  ]);
  // Without a value that decides anything, the call is the act alone: the user's if they asked for it.
  const act: Column = asked === 'asked' ? 'trusted' : 'model';
  const worst = [...columns.values()].reduce<Column>(
    (one, other) => (COLUMNS.indexOf(other) > COLUMNS.indexOf(one) ? other : one),
    columns.size === 0 ? act : 'trusted',
  );
  const about = [...columns].filter(([, column]) => column === worst).map(([argument]) => argument);
  const unasked = asked === 'not asked' ? 'You did not ask for this. ' : '';
  const what = about.length === 0 ? 'This' : namesOf(about);
  return {
    outcome: outcomeIn(effect, asked, worst),
    reason: `${unasked}${what} ${about.length > 1 ? 'come' : 'comes'} from ${SOURCES[worst]}.`,
    about,
    cell: `${effect}, ${asked}, ${worst}`,
  };
};

/** The rules of the trial preset: one table, and what no table can say. */
export const NEXT: Rules = Object.freeze({ reads, blind, undeclared, decided, disclosure, computed });
