import { type Edit, lineStartBefore } from './config/edit.ts';
import type { LocalServer, MemberWith, StartedServer } from './config/servers.ts';
import type { ListNode, Span, Tree } from './config/tree.ts';

function remove(start: number, end: number): Edit {
  return { start, end, text: '' };
}

/** Removes a member on its own line, with the line break before it; on the first line, with the one after it. */
function removeLine(text: string, { key, value }: MemberWith<ListNode>): Edit {
  const before = lineStartBefore(text, key.start);
  if (before) return remove(key.start - before.length, value.end);
  const after = /^[ \t]*\r?\n/.exec(text.slice(value.end));
  return remove(key.start, value.end + (after?.[0].length ?? 0));
}

/** Removes a member with the comma before or after it. If a comment is in between, leaves an empty list. */
export function removeMember(text: string, { table }: Pick<StartedServer, 'table'>, args: MemberWith<ListNode>): Edit {
  if (args.separator === 'line') return removeLine(text, args);
  const index = table.members.findIndex(({ key }) => key.start === args.key.start);
  const [before, after] = [table.members[index - 1], table.members[index + 1]];
  const isComma = (start: number, end: number): boolean => /^\s*,\s*$/.test(text.slice(start, end));
  if (before && isComma(before.value.end, args.key.start)) return remove(before.value.end, args.value.end);
  if (after && isComma(args.value.end, after.key.start)) return remove(args.key.start, after.key.start);
  return { start: args.value.start, end: args.value.end, text: '[]' };
}

/** The list contains only the wrapper: removes it, unless the blank after the wrapper says that the list existed before. */
function emptyList(text: string, server: StartedServer, args: MemberWith<ListNode>, wrapper: Span): Edit {
  if (text[wrapper.end] !== ' ') return removeMember(text, server, args);
  const rest = text.slice(wrapper.end, args.value.end);
  return rest.includes(',')
    ? { start: args.value.start, end: args.value.end, text: '[]' }
    : remove(wrapper.start, wrapper.end + 1);
}

/** The end of the wrapper: the start of the server's first argument, or of a comment before it. */
function endOfWrapper(text: string, last: Tree, next: Tree): number {
  const between = text.slice(last.end, next.start);
  const comma = /^\s*,\s*/.exec(between)?.[0].length ?? between.length;
  return last.end + comma;
}

/** The edits that remove the first `count` words, the wrapper, in front of a server's command. */
export function unwrapEdits(text: string, server: LocalServer, count: number): readonly Edit[] {
  if (server.type === 'listed') {
    const [first, last, next] = [0, count - 1, count].map((index) => server.command.value.items[index]);
    return first && last && next ? [remove(first.start, endOfWrapper(text, last, next))] : [];
  }
  const { command, args } = server;
  const items = args?.value.items ?? [];
  const [first, moved, next] = [items[0], items[count - 1], items[count]];
  if (!args || !first || !moved) return [];
  const restored = { start: command.value.start, end: command.value.end, text: text.slice(moved.start, moved.end) };
  const edit = next
    ? remove(first.start, endOfWrapper(text, moved, next))
    : emptyList(text, server, args, { start: first.start, end: moved.end });
  return [restored, edit];
}
