import { readShell, type ShellCommand } from '@sallyport/shell';
import { CommandError } from '../terminal-text.ts';

/** Signs with which a shell makes other words of a word. */
const EXPANDING = /[<>$`*?[\]{}~]/;
const ASSIGNMENT = /^\w+\+?=/;
const MAX_LINE = 2000;

/** The words of a command of which all is in its words: nothing is filled in, redirected, elsewhere, or run by another program. */
function plainWords(command: ShellCommand): readonly string[] | undefined {
  const { program, path, through, words, assignments, reads, writes, input, uses, folder } = command;
  const hasMore = [through, reads, writes, uses, Object.keys(assignments)].some(({ length }) => length > 0);
  const isElsewhere = path !== undefined || folder !== undefined || input !== undefined;
  const isPlain = program !== '' && !hasMore && !isElsewhere && !words.some((word) => EXPANDING.test(word));
  return isPlain ? [program, ...words] : undefined;
}

/** The commands of a line, each as its words. Undefined if the line is more than simple commands. */
export function commandsIn(line: string): readonly (readonly string[])[] | undefined {
  if (line.length > MAX_LINE) return undefined;
  const { commands, isOpaque } = readShell(line);
  const read = commands.map(plainWords);
  return isOpaque || read.length === 0 || read.includes(undefined)
    ? undefined
    : (read as readonly (readonly string[])[]);
}

const PATTERN_WORD = /^[\w@%+=:,./-]+$/;

/** The words of a pattern such as `kubectl get *`. */
export function readPattern(pattern: string): readonly string[] {
  const words = pattern.trim().split(/[ \t]+/);
  const fixed = words.at(-1) === '*' ? words.slice(0, -1) : words;
  if (fixed.length > 0 && fixed.every((word) => PATTERN_WORD.test(word)) && !ASSIGNMENT.test(fixed[0] ?? ''))
    return words;
  throw new CommandError(
    `${JSON.stringify(pattern)} is not a pattern.`,
    'write the words of one command, and * only as the last word, such as "kubectl get *"',
    2,
  );
}

/** Checks that a command is what a pattern says. A last `*` stands for any further words. */
function matches(command: readonly string[], pattern: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*';
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  return (isOpen || command.length === fixed.length) && fixed.every((word, index) => word === command[index]);
}

/** Checks that each command of a line is what one of the patterns says. */
export function coversLine(patterns: readonly string[], line: string): boolean {
  const read = patterns.map(readPattern);
  const commands = commandsIn(line);
  return commands?.every((command) => read.some((pattern) => matches(command, pattern))) === true;
}
