import { type Edit, lineStartBefore } from '../config/edit.ts';
import type { ListNode, Span, TableNode } from '../config/tree.ts';
import type { Json } from './entries.ts';

const DEFAULT_INDENT = '\n  ';

/** The text of a value, in lines if the container has lines. `line` is the line break and the indentation of its members. */
function written(value: Json, line: string | undefined, unit: string): string {
  if (line === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', line);
}

/** The line break and indentation of a container's members; undefined if it is on one line. */
function lineIn(text: string, container: Span, first: Span | undefined): string | undefined {
  if (first !== undefined) return lineStartBefore(text, first.start);
  const isWhole = text.slice(container.start).trim() === text.slice(container.start, container.end).trim();
  const outer = lineStartBefore(text, container.start) ?? (isWhole && container.start === 0 ? '\n' : undefined);
  return outer === undefined ? undefined : `${outer}${DEFAULT_INDENT.slice(1)}`;
}

/**
 * Adds something at the end of a table or a list. The blank after it tells `remove.ts` that an empty container existed before.
 */
function appended(
  text: string,
  container: Span,
  members: readonly Span[],
  content: (line: string | undefined) => string,
): Edit {
  const last = members.at(-1);
  const line = lineIn(text, container, members[0]);
  if (last !== undefined) {
    const added = `,${line ?? ' '}${content(line)}`;
    return { start: last.end, end: last.end, text: added };
  }
  const at = container.start + 1;
  return { start: at, end: at, text: `${line ?? ''}${content(line)} ` };
}

function unitOf(line: string | undefined): string {
  return line?.includes('\t') === true ? '\t' : '  ';
}

export function appendMember(text: string, table: TableNode, name: string, value: Json): Edit {
  const members = table.members.map(({ key, value: given }) => ({ start: key.start, end: given.end }));
  return appended(text, table, members, (line) => `${JSON.stringify(name)}: ${written(value, line, unitOf(line))}`);
}

export function appendItem(text: string, list: ListNode, value: Json): Edit {
  return appended(text, list, list.items, (line) => written(value, line, unitOf(line)));
}
