import { commandRisk } from '../../call/command-risk.ts';
import type { Supplier } from '../../call/table-changes.ts';
import type { Argument } from '../../provenance/trace-call.ts';
import type { GateQuestion } from '../decision.ts';
import { isOrdinaryIn } from './asked.ts';

const UNUSUAL = 'is not one of the usual commands of a project';

/** A command that a call is held for, and who supplied it. */
interface HeldCommand {
  readonly argument: Argument;
  readonly supplier: Supplier;
}

/**
 * One sentence about a held command, for a person who has three seconds: what it may do, and where it comes from if that is not
 * the model. Undefined if it is not a command, or one of the usual ones: then only its origin is a reason.
 */
export function commandReason(
  question: GateQuestion,
  { argument: { role, text }, supplier }: HeldCommand,
  origin: string,
): string | undefined {
  if (role !== 'command' || isOrdinaryIn(question, text)) return undefined;
  const risk = commandRisk(text);
  const isOwn = supplier === 'model' || supplier === 'trusted';
  if (!isOwn) return `This command ${risk ?? UNUSUAL}, and it comes from ${origin}.`;
  return `This command ${risk ?? UNUSUAL}${question.asked === 'unheard' ? '' : ', and you did not ask for it'}.`;
}
