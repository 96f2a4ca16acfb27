import { type Edit, lineStartBefore } from './config/edit.ts';
import type { StartedServer } from './config/servers.ts';
import type { Member, Span, Syntax } from './config/tree.ts';

/** A string that JSON and TOML both read. TOML wants the delete character escaped, which JSON allows. */
function quoted(word: string): string {
  return JSON.stringify(word).replaceAll('\x7f', '\\u007f');
}

/** What stands between a key and its value, as in `: ` or ` = `. */
function assignment(text: string, { key, value }: Member, syntax: Syntax): string {
  const between = text.slice(key.end, value.start);
  return /^[ \t]*[:=][ \t]*$/.test(between) ? between : { json: ': ', toml: ' = ' }[syntax];
}

function argsKey(text: string, key: Span, syntax: Syntax): string {
  if (syntax === 'json') return '"args"';
  // A key of TOML may begin with the names of its tables.
  return text.slice(key.start, key.end).replace(/(?:command|"command"|'command')$/, 'args');
}

function lineEndAfter(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function addList(text: string, { command }: StartedServer, words: string, syntax: Syntax): Edit {
  const assigned = assignment(text, command, syntax);
  const member = `${argsKey(text, command.key, syntax)}${assigned}[${words}]`;
  const line = lineStartBefore(text, command.key.start);
  if (command.parted === 'comma') {
    const gap = line ?? (/\s$/.test(assigned) ? ' ' : '');
    return { start: command.value.end, end: command.value.end, text: `,${gap}${member}` };
  }
  // After a comment that may stand behind the command, and with the file's own line ends.
  const at = lineEndAfter(text, command.value.end);
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  return { start: at, end: at, text: `${line ?? lineBreak}${member}` };
}

/**
 * The edits that put a wrapper before a server's command. The command goes as it is written to the head of the arguments, and
 * nothing else moves, so that `unwrapEdits` finds all it needs to make the same text again.
 */
export function wrapEdits(
  text: string,
  server: StartedServer,
  words: readonly string[],
  syntax: Syntax,
): readonly Edit[] {
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
  // The blank tells an empty list that was there from one that the wrapper brought.
  const at = args.value.start + 1;
  return [replaced, { start: at, end: at, text: `${moved} ` }];
}
