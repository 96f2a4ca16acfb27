import type { Effect, Tool } from '@sallyport/core';
import { fieldsOf, wordsOfChanges } from '@sallyport/core/adapter';

const CHANGING: ReadonlySet<Effect> = new Set(['write', 'configure', 'destroy']);

/** Arguments of tools whose roles are not declared. */
const PATH_NAME = /(?:path|file(?:_?name)?)$/i;

/** The paths of what a call has changed. */
export function changedBy(given: unknown, tool: Tool | undefined): readonly string[] {
  const { command, ...fields } = fieldsOf(given);
  if (typeof command === 'string') return wordsOfChanges(command);
  if (tool === undefined || !CHANGING.has(tool.effect)) return [];
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && (tool.roles.get(name) === 'path' || PATH_NAME.test(name)) ? [value] : [],
  );
}

/** Whether a command has a path as a whole word. */
export function hasWord(command: string, path: string): boolean {
  for (let at = command.indexOf(path); at >= 0 && path !== ''; at = command.indexOf(path, at + 1)) {
    const isStart = /(?:^|[\s"'`=;&|(<>])(?:\.\/)?$/.test(command.slice(Math.max(0, at - 3), at));
    if (isStart && /^(?:$|[\s"'`;&|)<>])/.test(command.slice(at + path.length))) return true;
  }
  return false;
}
