import type { Definition, Held } from '@sallyport/mcp-proxy';
import { Command } from 'commander';
import { lineDiff } from '../diff/line-diff.ts';
import { fitDiff, fitLines } from '../fit-lines.ts';
import { type Io, requirePerson } from '../io.ts';
import { stateFolder } from '../state.ts';
import { CommandError, countOf, type Paint, painter, printable } from '../terminal-text.ts';
import { acceptHeld } from './accept.ts';
import { heldName, type PinFile, PinFiles, reasonOf } from './pin-files.ts';

const HELP = `
The definitions of a server are pinned when they are first seen. A definition that changes later, or a new tool whose name
equals or resembles that of another tool, is held back from the client until you accept it. A new definition whose text may
address the model is shown in frames until you accept it.

Examples:
  sallyport pins                          list all servers and their held changes
  sallyport pins show github              show the held changes as a diff
  sallyport pins accept github            accept all held changes
  sallyport pins accept github add_issue  accept the change of one tool
  sallyport pins forget github            remove the pins; what the server lists next is pinned

Accepting needs a terminal, because an agent with a shell could run this command.

Exit codes: 0 done, 1 no such server or change, or no terminal, 2 wrong usage, 3 not confirmed.`;

/** Breaks long lines into several, so that a change far into a line is visible in the diff. */
function foldLines(text: string): string {
  const wrapped = (line: string): string =>
    line
      .split(/(?<=\\n|[.!?:;] )/)
      .flatMap((each) => each.match(/[^\n]{1,110}(?:\s|$)|[^\n]{1,110}/gu) ?? [])
      .join('\n    ');
  return text.replace(/[^\n]{121,}/gu, wrapped);
}

function pretty(definition: Definition): string {
  return foldLines(`${JSON.stringify(definition, null, 2)}\n`);
}

function diffOf(held: Held, paint: Paint, columns: number | undefined): string {
  const diff = (before: string, after: string): string =>
    fitDiff(lineDiff({ text: before }, { text: after }, paint), columns).join('\n');
  switch (held.type) {
    case 'unreadable':
      return '';
    case 'instructions':
      return diff(foldLines(held.before), foldLines(held.after));
    case 'changed':
      return diff(pretty(held.before), pretty(held.after));
    default:
      return diff('', pretty(held.after));
  }
}

function textOf(held: Held, paint: Paint, columns: number | undefined): string {
  const name = held.type === 'instructions' ? 'instructions' : printable(held.tool, 100);
  const title = fitLines(`${paint('bold', name)}: ${reasonOf(held)}`, columns);
  return `${title}\n${diffOf(held, paint, columns)}\n\n`;
}

function fileOf(files: PinFiles, server: string): PinFile {
  const file = files.of(server);
  if (file !== undefined) return file;
  const names = files.all().map((each) => printable(each.server, 60));
  throw new CommandError(
    `no pins exist for a server named ${printable(server, 60)}.`,
    names.length === 0 ? 'start a server with sallyport wrap first.' : `use one of these names: ${names.join(', ')}`,
  );
}

/** A longer name has a line of its own. */
const MAX_NAME = 40;

function list(io: Io, files: PinFiles): void {
  const all = files.all();
  if (all.length === 0) io.stdout('No server is pinned yet. Start one with: sallyport wrap <command>\n');
  const names = all.map(({ server }) => printable(server, 60));
  const width = Math.max(0, ...names.map((name) => (name.length > MAX_NAME ? 0 : name.length)));
  const paint = painter(io.isTerminal);
  for (const [index, { tools, held }] of all.entries()) {
    const name = names[index] as string;
    const heldCount = held.length === 0 ? '' : paint('yellow', `  ${held.length} held`);
    const count = Object.keys(tools).length;
    const counts = `${String(count).padStart(4)} ${count === 1 ? 'tool' : 'tools'}${heldCount}`;
    // Names that begin alike must be told apart, so a long one is not cut.
    io.stdout(
      name.length > width ? `${name}\n${' '.repeat(width)}  ${counts}\n` : `${name.padEnd(width)}  ${counts}\n`,
    );
  }
  if (all.some(({ held }) => held.length > 0)) io.stdout('\nSee what is held with: sallyport pins show <server>\n');
}

function show(io: Io, { server, tools, held }: PinFile): void {
  if (held.length === 0)
    io.stdout(`${printable(server, 60)}: ${countOf(Object.keys(tools).length, 'tool')}, nothing is held.\n`);
  const paint = painter(io.isTerminal);
  for (const each of held) io.stdout(textOf(each, paint, io.columns));
}

function showWithNext(io: Io, file: PinFile): void {
  show(io, file);
  if (file.held.some(({ type }) => type !== 'unreadable'))
    io.stdout(`To accept: sallyport pins accept ${printable(file.server, 60)} [tool...]\n`);
}

async function accept(io: Io, files: PinFiles, server: string, tools: readonly string[]): Promise<number> {
  const file = fileOf(files, server);
  const isSelected = (held: Held): boolean =>
    tools.length === 0 || tools.includes(held.type === 'instructions' ? 'instructions' : held.tool);
  const selected = file.held.filter((held) => isSelected(held) && held.type !== 'unreadable');
  if (selected.length === 0)
    throw new CommandError(
      tools.length === 0 ? 'nothing is held that could be accepted.' : 'none of the named tools is held.',
      `see what is held: sallyport pins show ${printable(server, 60)}`,
    );
  show(io, { ...file, held: selected });
  requirePerson(io, 'a definition can only be accepted', `pins accept ${printable(server, 60)}`);
  const changes = selected.length === 1 ? 'this change' : `these ${selected.length} changes`;
  if (!(await io.confirm(`Accept ${changes}?`))) return 3;
  const accepted = acceptHeld(files, server, selected);
  const names = accepted.map((held) => printable(heldName(held), 100)).join(', ');
  const they = accepted.length === 1 ? 'it' : 'them';
  if (accepted.length > 0)
    io.stdout(fitLines(`Accepted: ${names}. The client sees ${they} when it lists the tools again.\n`, io.columns));
  if (accepted.length < selected.length)
    throw new CommandError(
      'a definition changed after it was shown, and was not accepted.',
      `see the new change: sallyport pins show ${printable(server, 60)}`,
    );
  return 0;
}

export function pinsCommand(io: Io): Command {
  const files = (): PinFiles => new PinFiles(stateFolder(io.environment));
  const command = new Command('pins').addHelpText('after', HELP).action(() => list(io, files()));
  command
    .command('show <server>')
    .description('show the held changes as a diff')
    .addHelpText('after', '\nExample:\n  sallyport pins show github')
    .action((server: string) => showWithNext(io, fileOf(files(), server)));
  command
    .command('accept <server> [tool...]')
    .description('accept held changes: the client sees them from then on')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport pins accept github            accept all held changes\n  sallyport pins accept github add_issue  accept the change of one tool',
    )
    .action(async (server: string, tools: readonly string[]) => io.exit(await accept(io, files(), server, tools)));
  command
    .command('forget <server>')
    .description('remove the pins of a server; what it lists next is pinned')
    .addHelpText('after', '\nExample:\n  sallyport pins forget github')
    .action((server: string) => {
      fileOf(files(), server);
      files().change(server, () => ({ server, tools: {}, held: [] }));
      io.stdout(`Removed the pins of ${printable(server, 60)}. What it lists next is pinned.\n`);
    });
  return command;
}
