import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import type { Io } from '../io.ts';
import { stateFolder } from '../state.ts';
import { CommandError, painter, shown } from '../terminal-text.ts';
import { ApprovalFiles, type PendingApproval } from './approval-files.ts';

const HELP = `
A call that the gate holds waits here, where the client cannot ask by itself. An answer counts for this call, once; if
it comes late, it counts when the same call is made again within ten minutes.

Examples:
  sallyport approve                 what waits; asks about each on a terminal
  sallyport approve 3f9a1c2b77de    let one pass
  sallyport approve --deny 3f9a1c2b77de
  sallyport approve --watch         stay, and ask about each as it comes`;

/** What the command needs to ask a person about a call. */
interface Desk {
  readonly io: Io;
  readonly files: ApprovalFiles;
  readonly clock: () => number;
}

function textOf({ id, question, askedAt }: PendingApproval, now: number, isColored: boolean): string {
  const paint = painter(isColored);
  const age = Math.max(0, Math.round((now - askedAt) / 1000));
  const found = question.evidence
    .slice(0, 3)
    .map(({ path, excerpt }) => `  ${paint('dim', `found for ${shown(path, 60)}:`)} "${shown(excerpt, 300)}"\n`);
  return [
    `${paint('bold', id)}  ${shown(question.server, 60)}: ${paint('cyan', shown(question.tool, 80))}  ${paint('dim', `${age} s ago`)}\n`,
    `  ${shown(question.arguments, 600)}\n`,
    `  ${paint('yellow', shown(question.reason))} ${paint('dim', `(rule ${shown(question.rule, 60)})`)}\n`,
    ...found,
  ].join('');
}

async function askAbout({ io, files, clock }: Desk, pending: PendingApproval): Promise<void> {
  io.stdout(textOf(pending, clock(), io.isTerminal));
  const isApproved = await io.confirm('  Let it pass?');
  const isTaken = files.answer(pending.id, isApproved ? 'approved' : 'denied');
  io.stdout(isTaken ? `  ${isApproved ? 'Approved' : 'Denied'}.\n\n` : '  Too late: it does not wait any more.\n\n');
}

async function walk(desk: Desk): Promise<void> {
  const { io, files, clock } = desk;
  const waiting = files.pending();
  if (waiting.length === 0) io.stdout('No call waits.\n');
  for (const pending of waiting)
    if (io.isTerminal) await askAbout(desk, pending);
    else io.stdout(`${textOf(pending, clock(), false)}\n`);
  if (!io.isTerminal && waiting.length > 0) io.stdout('Answer with: sallyport approve <id>, or approve --deny <id>\n');
}

async function watch(desk: Desk): Promise<void> {
  const { io, files } = desk;
  if (!io.isTerminal) throw new CommandError('--watch needs a terminal.', 'answer with sallyport approve <id>.', 2);
  io.stdout('Waiting for held calls. End with Ctrl+C.\n');
  for (;;) {
    for (const pending of files.pending()) await askAbout(desk, pending);
    await pause(300);
  }
}

interface ApproveOptions {
  readonly deny?: string;
  readonly watch?: boolean;
}

/** `clock`: milliseconds since 1970. */
export function approveCommand(io: Io, clock: () => number = Date.now): Command {
  return new Command('approve')
    .description('answer for calls that are held')
    .argument('[id]', 'the call to let pass')
    .option('--deny <id>', 'the call to refuse')
    .option('--watch', 'stay, and ask about each as it comes')
    .addHelpText('after', HELP)
    .action(async (id: string | undefined, options: ApproveOptions) => {
      const files = new ApprovalFiles(stateFolder(io.environment), clock);
      const desk = { io, files, clock };
      const meant = options.deny ?? id;
      if (meant === undefined) return options.watch === true ? watch(desk) : walk(desk);
      if (!files.answer(meant, options.deny === undefined ? 'approved' : 'denied'))
        throw new CommandError(`no call ${shown(meant, 40)} waits.`, 'see what does: sallyport approve');
      if (options.deny !== undefined) io.stdout(`Denied: ${meant}\n`);
      else
        io.stdout(`Approved: ${meant}\nIf it waits no longer, it passes when it is made again within ten minutes.\n`);
    });
}
