import type { Effect, Tool } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';
import { readShell, type ShellCommand } from '@sallyport/shell';
import { looseWords, wordsOf } from './command-line.ts';

const CHANGING: ReadonlySet<Effect> = new Set(['write', 'configure', 'destroy']);

/** Arguments of tools whose roles are not declared. */
const PATH_NAME = /(?:path|file(?:_?name)?)$/i;

/** Programs that only show what is in files. */
const SHOWING: ReadonlySet<string> = new Set(['cat', 'head', 'tail', 'ls', 'wc', 'grep', 'rg', 'diff', 'stat']);
const SHOWING_GIT: ReadonlySet<string> = new Set(['status', 'log', 'diff', 'show']);
/** Options with which they run a program or write a file. */
const ACTING = /^--(?:pre|output|ext-diff)/;

const RUNNERS: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun mise make just task cargo go rake mvn gradle gradlew composer'.split(' '),
);
/** The usual names of a project's own scripts. */
const SCRIPT = /^(?:test|build|lint|fmt|format|check|typecheck|vet|clippy|mod)(?:[:.-][\w:.-]+)?$/;
const PLAIN = /^(?:\.?\/)?[\w.][\w./]*$/;
const FOLDER = /^[\w./~-]+$/;

const MAX_SCRIPT = 200;

/** Recognizes a command of which all is in its words: nothing is filled in, redirected or run by another program. */
function isPlain({ words, path, through, assignments, reads, writes, input, uses }: ShellCommand): boolean {
  const isBare = path === undefined || path === './gradlew';
  const hasMore = [through, reads, writes, uses, Object.keys(assignments)].some(({ length }) => length > 0);
  return isBare && !hasMore && input === undefined && !words.some((word) => /[<>$`]/.test(word));
}

function isShowing(command: ShellCommand): boolean {
  const { program, words } = command;
  const isShown = SHOWING.has(program) || (program === 'git' && SHOWING_GIT.has(words[0] ?? ''));
  return isShown && isPlain(command) && !words.some((word) => ACTING.test(word));
}

/** Recognizes a project's own scripts under their usual names, without options: some run another program. */
function isScript(command: ShellCommand): boolean {
  const { program, words } = command;
  if (!isPlain(command) || words.join(' ').length > MAX_SCRIPT) return false;
  if (program === 'cd') return words.length === 1 && words.every((word) => FOLDER.test(word));
  const [task = '', ...others] = words[0] === 'run' ? words.slice(1) : words;
  return RUNNERS.has(program) && SCRIPT.test(task) && others.every((word) => PLAIN.test(word) || SCRIPT.test(word));
}

/** Recognizes a line that only shows files or runs a project's own scripts: a text that asks for it is ordinary. */
export function isUsual(line: string): boolean {
  const { commands, isOpaque } = readShell(line);
  return !isOpaque && commands.length > 0 && commands.every((command) => isShowing(command) || isScript(command));
}

/** The words of commands and of what is quoted in them. */
function wordsIn(commands: readonly ShellCommand[]): readonly string[] {
  return commands.flatMap((command) => {
    const { words, others } = wordsOf(command);
    return [...words, ...others].flatMap((word) => [word, ...looseWords(word)]);
  });
}

/** The words of a line that may name files which it changes: all those of commands that do not only show files. */
function wordsOfChanges(line: string): readonly string[] {
  const { commands, isOpaque } = readShell(line);
  const changing = wordsIn(commands.filter((command) => !isShowing(command)));
  return [...new Set([...changing, ...(isOpaque ? looseWords(line) : [])])];
}

/** The paths of what a call has changed. */
export function changedBy(given: unknown, tool: Tool | undefined): readonly string[] {
  const { command, ...fields } = fieldsOf(given);
  if (typeof command === 'string') return wordsOfChanges(command);
  if (tool === undefined || !CHANGING.has(tool.effect)) return [];
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && (tool.roles.get(name) === 'path' || PATH_NAME.test(name)) ? [value] : [],
  );
}

/** Looks for a path as a whole word of a command. */
export function hasWord(command: string, path: string): boolean {
  const { commands, isOpaque } = readShell(command);
  const words = [...wordsIn(commands), ...(isOpaque ? looseWords(command) : [])];
  return path !== '' && words.some((word) => word === path || word === `./${path}`);
}
