import { type Edit, lineStartBefore } from './config/edit.ts';
import type { ListedServer, LocalServer, StartedServer } from './config/servers.ts';
import type { Member, Span, Syntax } from './config/tree.ts';

/** A string literal for both JSON and TOML. TOML requires an escaped delete character, which JSON allows. */
export function quoted(word: string): string {
  return JSON.stringify(word).replaceAll('\x7f', '\\u007f');
}

/** The text between a key and its value, such as `: ` or ` = `. */
export function assignment(text: string, { key, value }: Member, syntax: Syntax): string {
  const between = text.slice(key.end, value.start);
  return /^[ \t]*[:=][ \t]*$/.test(between) ? between : { json: ': ', toml: ' = ' }[syntax];
}

function argsKey(text: string, key: Span, syntax: Syntax): string {
  if (syntax === 'json') return '"args"';
  // A dotted key in TOML begins with the names of its tables.
  return text.slice(key.start, key.end).replace(/(?:\w+|"\w+"|'\w+')$/, 'args');
}

function lineEndAfter(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** Adds `args` after the command. */
export function addList(
  text: string,
  { command }: Pick<StartedServer, 'command'>,
  words: string,
  syntax: Syntax,
): Edit {
  const assigned = assignment(text, command, syntax);
  const member = `${argsKey(text, command.key, syntax)}${assigned}[${words}]`;
  const line = lineStartBefore(text, command.key.start);
  if (command.separator === 'comma') {
    const gap = line ?? (/\s$/.test(assigned) ? ' ' : '');
    return { start: command.value.end, end: command.value.end, text: `,${gap}${member}` };
  }
  // After a comment that may follow the command on its line, and with the file's own line endings.
  const at = lineEndAfter(text, command.value.end);
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  return { start: at, end: at, text: `${line ?? lineBreak}${member}` };
}

/** The wrapper is put in front of the first item, in the style of the list. */
function listEdits(text: string, { command }: ListedServer, words: readonly string[]): readonly Edit[] {
  const [head, second] = command.value.items;
  if (head === undefined) return [];
  const isSpaced = second === undefined || /\s/.test(text.slice(head.end, second.start));
  const gap = lineStartBefore(text, head.start) ?? (isSpaced ? ' ' : '');
  return [{ start: head.start, end: head.start, text: words.map((word) => `${quoted(word)},${gap}`).join('') }];
}

/**
 * The edits that put a wrapper in front of a server's command. The command moves unchanged to the start of the arguments, and
 * nothing else moves, so that `unwrapEdits` can restore the same text.
 */
export function wrapEdits(
  text: string,
  server: LocalServer,
  words: readonly string[],
  syntax: Syntax,
): readonly Edit[] {
  if (server.type === 'listed') return listEdits(text, server, words);
  const { command, args } = server;
  const [first = '', ...others] = words.map(quoted);
  const comma = /\s$/.test(assignment(text, command, syntax)) ? ', ' : ',';
  const moved = [...others, text.slice(command.value.start, command.value.end)].join(comma);
  const replaced = { start: command.value.start, end: command.value.end, text: first };
  if (!args) return [replaced, addList(text, server, moved, syntax)];
  const [head] = args.value.items;
  if (head) {
    const gap = lineStartBefore(text, head.start) ?? comma.slice(1);
    return [replaced, { start: head.start, end: head.start, text: `${moved},${gap}` }];
  }
  // The blank tells `unwrapEdits` that the empty list existed before the wrapper.
  const at = args.value.start + 1;
  return [replaced, { start: at, end: at, text: `${moved} ` }];
}
