import { isOrdinaryCommand } from '../../call/command/ordinary.ts';
import { inProject, startIn } from '../../call/command/paths.ts';
import { type RequestableCommand, requestableCommands } from '../../call/command/requestable.ts';
import type { Effect } from '../../call/effect.ts';
import type { Asked } from '../../call/table-changes.ts';
import type { Argument } from '../../provenance/trace-call.ts';
import type { TrustClass } from '../../provenance/trust.ts';
import type { GateQuestion } from '../decision.ts';

/** Arguments of a shell that do not change what its command does. */
const INERT =
  /^\/(?:description|explanation|reason|goal|timeout(?:_?ms|_?seconds)?|run_?in_?background|is_?background|background)$/i;
/** Arguments that say in which folder a command runs. */
const FOLDER = /^\/(?:cwd|workdir|working_?dir(?:ectory)?|dir(?:ectory)?(?:_path)?|folder)$/i;

/** The folder that a call runs its command in. Undefined if more than that and the command decides what it does: variables, a host. */
function folderOf({ arguments: all }: GateQuestion): string | undefined {
  const others = all.filter(({ path, role }) => role !== 'command' && !INERT.test(path));
  const [folder, ...more] = others;
  if (folder === undefined) return '';
  return more.length === 0 && FOLDER.test(folder.path) ? folder.text : undefined;
}

/** Whether a call only does ordinary work on a project, with this command. */
export function isOrdinaryIn(question: GateQuestion, line: string): boolean {
  const folder = folderOf(question);
  return folder !== undefined && isOrdinaryCommand(line, folder, question.project);
}

/** A name of something other than a branch: a tag, or a whole reference. */
const NO_BRANCH = /^refs\/|^v?\d+(?:\.\d+)*$/;

const ASKING: ReadonlySet<TrustClass> = new Set(['requested', 'flagged', 'suspect']);

/** Whether the user ordered a push without saying of what, and no content asks for its branch: `git status` may name it. */
function isOpenPush(question: GateQuestion, command: RequestableCommand): boolean {
  const { type, names } = command;
  const isFree = (name: string): boolean => !NO_BRANCH.test(name) && !ASKING.has(question.trace(name, 'command').trust);
  return type === 'push' && names.every(isFree) && question.hasOrdered({ ...command, names: [''] });
}

const INSTRUCTED: ReadonlySet<TrustClass> = new Set(['flagged', 'suspect']);

/**
 * Whether the user ordered what a command does, with each name in it: "install zod", "clean the dist folder". A name that an
 * instruction in content has too may be one that the content chose.
 */
export function isOrderedCommand(question: GateQuestion, { role, text }: Argument): boolean {
  const { project } = question;
  const folder = folderOf(question) ?? '..';
  const isRoot = ['', '.', project].includes(folder);
  const isBelow = project !== undefined && inProject(startIn(folder, project)) !== undefined;
  const found = role === 'command' && (isRoot || isBelow) ? requestableCommands(text, folder, project) : undefined;
  // Below the project, the name of a folder means another one.
  if (found === undefined || (!isRoot && found.some(({ type }) => type === 'delete'))) return false;
  // As a command, a name that the user typed in a sentence is looked for in content too.
  const isInstructed = (name: string): boolean => INSTRUCTED.has(question.trace(name, 'command').trust);
  return found.every(
    (command) => (question.hasOrdered(command) && !command.names.some(isInstructed)) || isOpenPush(question, command),
  );
}

/** Whether an argument says where a command runs that the user ordered: the folder is judged with the command. */
export function isOrderedFolder(question: GateQuestion, { path }: Argument): boolean {
  const commands = FOLDER.test(path) ? question.arguments.filter(({ role }) => role === 'command') : [];
  return commands.length > 0 && commands.every((each) => isOrderedCommand(question, each));
}

/** Whether the user asked for the act, or for each command. */
export function askedOf(question: GateQuestion, effect: Effect): Asked {
  const { asked, arguments: all } = question;
  if (effect !== 'execute' || asked !== 'not asked') return asked;
  const commands = all.filter(({ role }) => role === 'command');
  const isOrdered =
    commands.length > 0 &&
    commands.every((each) => question.isTypedCommand(each.text) || isOrderedCommand(question, each));
  return isOrdered ? 'asked' : asked;
}
