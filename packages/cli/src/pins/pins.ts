import type { Definition, Held } from '@sallyport/mcp-proxy';
import { Command } from 'commander';
import type { Io } from '../io.ts';
import { lineDiff } from '../line-diff.ts';
import { stateFolder } from '../state.ts';
import { CommandError, type Paint, painter, shown } from '../terminal-text.ts';
import { heldName, type PinFile, PinFiles } from './pin-files.ts';

const HELP = `
What a server defines is fixed when it is first seen. What changes later, takes another tool's name or looks like one is
kept from the client until you accept it.

Examples:
  sallyport pins                          all servers, and what waits
  sallyport pins show github              what waits, as a diff
  sallyport pins accept github            accept all of it
  sallyport pins accept github add_issue  accept one tool
  sallyport pins forget github            start anew: what it lists next is taken as seen first`;

/** Long lines over several, so that what changed in one is seen however far behind it stands. */
function folded(text: string): string {
  const wrapped = (line: string): string =>
    line
      .split(/(?<=\\n|[.!?:;] )/)
      .flatMap((each) => each.match(/[^\n]{1,110}(?:\s|$)|[^\n]{1,110}/gu) ?? [])
      .join('\n    ');
  return text.replace(/[^\n]{121,}/gu, wrapped);
}

function pretty(definition: Definition): string {
  return folded(`${JSON.stringify(definition, null, 2)}\n`);
}

function reasonOf(held: Held): string {
  switch (held.type) {
    case 'changed':
      return 'its definition has changed';
    case 'confusable':
      return `its name can be taken for ${shown(held.with, 80)}`;
    case 'shadowed':
      return `the server ${shown(held.server, 60)} has a tool of this name`;
    case 'unreadable':
      return `${held.reason} It cannot be accepted.`;
    case 'instructions':
      return 'what it tells every model has changed';
  }
}

function diffOf(held: Held, paint: Paint): string {
  switch (held.type) {
    case 'unreadable':
      return '';
    case 'instructions':
      return lineDiff(folded(`${held.before}\n`), folded(`${held.after}\n`), paint);
    case 'changed':
      return lineDiff(pretty(held.before), pretty(held.after), paint);
    default:
      return lineDiff('', pretty(held.after), paint);
  }
}

function textOf(held: Held, paint: Paint): string {
  const name = held.type === 'instructions' ? 'instructions' : shown(held.tool, 100);
  return `${paint('bold', name)}: ${reasonOf(held)}\n${diffOf(held, paint)}\n\n`;
}

function fileOf(files: PinFiles, server: string): PinFile {
  const file = files.of(server);
  if (file !== undefined) return file;
  const known = files.all().map((each) => shown(each.server, 60));
  throw new CommandError(
    `nothing is known of a server ${shown(server, 60)}.`,
    known.length === 0 ? 'start one with sallyport wrap first.' : `known are: ${known.join(', ')}`,
  );
}

function list(io: Io, files: PinFiles): void {
  const all = files.all();
  if (all.length === 0) io.stdout('No server was seen yet. Start one with: sallyport wrap <command>\n');
  const width = Math.max(0, ...all.map(({ server }) => shown(server, 60).length));
  const paint = painter(io.isTerminal);
  for (const { server, tools, held } of all) {
    const waiting = held.length === 0 ? '' : paint('yellow', `  ${held.length} waiting`);
    io.stdout(`${shown(server, 60).padEnd(width)}  ${String(Object.keys(tools).length).padStart(4)} tools${waiting}\n`);
  }
  if (all.some(({ held }) => held.length > 0)) io.stdout('\nLook at what waits with: sallyport pins show <server>\n');
}

function show(io: Io, { server, tools, held }: PinFile): void {
  if (held.length === 0) io.stdout(`${shown(server, 60)}: ${Object.keys(tools).length} tools, nothing waits.\n`);
  const paint = painter(io.isTerminal);
  for (const each of held) io.stdout(textOf(each, paint));
  if (held.some(({ type }) => type !== 'unreadable'))
    io.stdout(`Accept with: sallyport pins accept ${shown(server, 60)} [tool...]\n`);
}

function accepted(file: PinFile, taken: readonly Held[]): PinFile {
  const tools = taken.flatMap((held) =>
    held.type === 'instructions' || held.type === 'unreadable' ? [] : [[held.tool, held.after] as const],
  );
  const instructions = taken.find((held) => held.type === 'instructions');
  return {
    ...file,
    tools: { ...file.tools, ...Object.fromEntries(tools) },
    instructions: instructions?.after ?? file.instructions,
    held: file.held.filter((held) => !taken.includes(held)),
  };
}

async function accept(io: Io, files: PinFiles, server: string, wanted: readonly string[]): Promise<number> {
  const file = fileOf(files, server);
  const isMeant = (held: Held): boolean =>
    wanted.length === 0 || wanted.includes(held.type === 'instructions' ? 'instructions' : held.tool);
  const meant = file.held.filter((held) => isMeant(held) && held.type !== 'unreadable');
  if (meant.length === 0)
    throw new CommandError('nothing of that waits.', `see what does: sallyport pins show ${shown(server, 60)}`);
  show(io, { ...file, held: meant });
  if (io.isTerminal && !(await io.confirm(`Accept ${meant.length === 1 ? 'this' : `these ${meant.length}`}?`)))
    return 3;
  const forms = new Set(meant.map((held) => JSON.stringify(held)));
  let taken: readonly Held[] = [];
  files.change(server, (now) => {
    // Only what was shown: a server may have listed something else meanwhile.
    taken = now.held.filter((held) => forms.has(JSON.stringify(held)));
    return accepted(now, taken);
  });
  const names = taken.map((held) => shown(heldName(held), 100)).join(', ');
  if (taken.length > 0) io.stdout(`Accepted: ${names}. The client sees it when it lists the tools again.\n`);
  if (taken.length < meant.length)
    throw new CommandError(
      'something has changed since it was shown, and was not accepted.',
      `see how: sallyport pins show ${shown(server, 60)}`,
    );
  return 0;
}

export function pinsCommand(io: Io): Command {
  const files = (): PinFiles => new PinFiles(stateFolder(io.environment));
  const command = new Command('pins')
    .description('what servers define, and what of it waits for you')
    .addHelpText('after', HELP)
    .action(() => list(io, files()));
  command
    .command('show <server>')
    .description('what waits, as a diff')
    .action((server: string) => show(io, fileOf(files(), server)));
  command
    .command('accept <server> [tool...]')
    .description('let it reach the client')
    .action(async (server: string, tools: readonly string[]) => io.exit(await accept(io, files(), server, tools)));
  command
    .command('forget <server>')
    .description('take what it lists next as seen first')
    .action((server: string) => {
      fileOf(files(), server);
      files().change(server, () => ({ server, tools: {}, held: [] }));
      io.stdout(`Forgotten: what ${shown(server, 60)} lists next is pinned.\n`);
    });
  return command;
}
