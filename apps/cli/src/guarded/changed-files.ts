import type { Effect, Tool } from '@sallyport/core';
import { fieldsOf } from '@sallyport/core/adapter';

const CHANGING: ReadonlySet<Effect> = new Set(['write', 'configure', 'destroy']);

/** Arguments of tools whose roles are not declared. */
const PATH_NAME = /(?:path|file(?:_?name)?)$/i;

/** Commands that only show what is in files. */
const SHOWING =
  /^\s*(?!.*\s--(?:pre|output|ext-diff))(?:(?:cat|head|tail|ls|wc|grep|rg|diff|stat|git\s+(?:status|log|diff|show))(?=\s|$)[^<>$`]*)$/;

/** A project's own scripts under their usual names, without options: some run another program. */
const SCRIPT =
  /^\s*(?:cd\s+[\w./~-]+|(?:npm|pnpm|yarn|bun|mise|make|just|task|cargo|go|rake|mvn|(?:\.\/)?gradlew?|composer)(?:\s+run)?(?:\s+(?:test|build|lint|fmt|format|check|typecheck|vet|clippy|mod\s+tidy)(?:[:.-][\w:.-]+)?)+(?:\s+\.?\/?[\w.][\w./]*)*)\s*$/;

const MAX_SCRIPT = 200;

/** The commands of a line for a shell, without what only joins their output. */
function commandsIn(line: string): readonly string[] {
  return line.replaceAll('2>&1', ' ').split(/&&|\|\||[;|&\n]/);
}

function changingIn(line: string): readonly string[] {
  return commandsIn(line).filter((command) => !SHOWING.test(command));
}

/** Recognizes a line that only shows files or runs a project's own scripts: a text that asks for it is ordinary. */
export function isUsual(line: string): boolean {
  return changingIn(line).every((command) => command.length < MAX_SCRIPT && SCRIPT.test(command));
}

/** The words of a line that may name files which it changes: all those of commands that do not only show files. */
function wordsOfChanges(line: string): readonly string[] {
  return changingIn(line)
    .flatMap((command) => command.split(/[\s"'<>()]+/))
    .filter((word) => word !== '');
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
  for (let at = command.indexOf(path); at >= 0 && path !== ''; at = command.indexOf(path, at + 1)) {
    const isStart = /(?:^|[\s"'`=;&|(<>])(?:\.\/)?$/.test(command.slice(Math.max(0, at - 3), at));
    if (isStart && /^(?:$|[\s"'`;&|)<>])/.test(command.slice(at + path.length))) return true;
  }
  return false;
}
