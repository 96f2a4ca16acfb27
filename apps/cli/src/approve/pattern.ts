import { CommandError } from '../terminal-text.ts';

/** Connects the commands of a line, or one word. Anything else has a meaning that is not read here: expansions, redirections, globs. */
const PART =
  /[ \t]*(?:(?<joint>&&|\|\||;|\|)|(?<word>(?:[\w@%+:,./-]|(?<!^|[ \t])=|'[^'\n]*'|"[^"$`\\!\n]*")+))[ \t]*/y;
const ASSIGNMENT = /^\w+\+?=/;
const MAX_LINE = 2000;

/** The commands of a line, each as its words. Undefined if the line is more than simple commands. */
export function commandsIn(line: string): readonly (readonly string[])[] | undefined {
  if (line.length > MAX_LINE) return undefined;
  const commands: string[][] = [[]];
  PART.lastIndex = 0;
  while (PART.lastIndex < line.length) {
    const { joint, word } = PART.exec(line)?.groups ?? {};
    if (joint === undefined && word === undefined) return undefined;
    if (joint !== undefined) commands.push([]);
    else commands.at(-1)?.push((word ?? '').replaceAll(/["']/g, ''));
  }
  const isSimple = commands.every(([program]) => program !== undefined && program !== '' && !ASSIGNMENT.test(program));
  return isSimple ? commands : undefined;
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
