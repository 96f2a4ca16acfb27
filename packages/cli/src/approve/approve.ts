import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import type { Io } from '../io.ts';
import { stateFolder } from '../state.ts';
import { CommandError, painter, printable } from '../terminal-text.ts';
import { ApprovalFiles, type PendingApproval } from './approval-files.ts';

const HELP = `
A held call waits for an answer here if its client cannot ask you itself. An answer applies to one call, once. If the call
has timed out by then, the answer applies when the same call is made again within ten minutes.

Examples:
  sallyport approve                      list held calls; on a terminal, ask about each
  sallyport approve 3f9a1c2b77de         approve one call
  sallyport approve --deny 3f9a1c2b77de  deny one call
  sallyport approve --watch              keep running, and ask about each call as it is held

Exit codes: 0 done, 1 no such call is held, 2 wrong usage.`;

/** What the command needs to ask the user about a call. */
interface ApprovalPrompt {
  readonly io: Io;
  readonly files: ApprovalFiles;
  readonly clock: () => number;
}

function textOf({ id, question, askedAt }: PendingApproval, now: number, isColored: boolean): string {
  const paint = painter(isColored);
  const age = Math.max(0, Math.round((now - askedAt) / 1000));
  const evidence = question.evidence
    .slice(0, 3)
    .map(
      ({ path, excerpt }) => `  ${paint('dim', `source of ${printable(path, 60)}:`)} "${printable(excerpt, 300)}"\n`,
    );
  return [
    `${paint('bold', id)}  ${printable(question.server, 60)}: ${paint('cyan', printable(question.tool, 80))}  ${paint('dim', `${age} s ago`)}\n`,
    `  ${printable(question.arguments, 600)}\n`,
    `  ${paint('yellow', printable(question.reason))} ${paint('dim', `(rule ${printable(question.rule, 60)})`)}\n`,
    ...evidence,
  ].join('');
}

async function askAbout({ io, files, clock }: ApprovalPrompt, pending: PendingApproval): Promise<void> {
  io.stdout(textOf(pending, clock(), io.isTerminal));
  const isApproved = await io.confirm('  Approve this call?');
  const isRecorded = files.answer(pending.id, isApproved ? 'approved' : 'denied');
  io.stdout(
    isRecorded ? `  ${isApproved ? 'Approved' : 'Denied'}.\n\n` : '  Too late: the call is no longer held.\n\n',
  );
}

async function askAboutAll(prompt: ApprovalPrompt): Promise<void> {
  const { io, files, clock } = prompt;
  const waiting = files.pending();
  if (waiting.length === 0) io.stdout('No call is held.\n');
  for (const pending of waiting)
    if (io.isTerminal) await askAbout(prompt, pending);
    else io.stdout(`${textOf(pending, clock(), false)}\n`);
  if (!io.isTerminal && waiting.length > 0)
    io.stdout('Answer with: sallyport approve <id>, or sallyport approve --deny <id>\n');
}

async function watch(prompt: ApprovalPrompt): Promise<void> {
  const { io, files } = prompt;
  if (!io.isTerminal)
    throw new CommandError('--watch needs a terminal.', 'answer a single call with sallyport approve <id>.', 2);
  io.stdout('Waiting for held calls. Stop with Ctrl+C.\n');
  for (;;) {
    for (const pending of files.pending()) await askAbout(prompt, pending);
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
    .description('approve or deny held calls')
    .argument('[id]', 'the call to approve')
    .option('--deny <id>', 'the call to deny')
    .option('--watch', 'keep running, and ask about each call as it is held')
    .addHelpText('after', HELP)
    .action(async (id: string | undefined, options: ApproveOptions) => {
      const files = new ApprovalFiles(stateFolder(io.environment), clock);
      const prompt = { io, files, clock };
      const answered = options.deny ?? id;
      if (answered === undefined) return options.watch === true ? watch(prompt) : askAboutAll(prompt);
      if (!files.answer(answered, options.deny === undefined ? 'approved' : 'denied'))
        throw new CommandError(
          `no held call has the id ${printable(answered, 40)}.`,
          'list held calls: sallyport approve',
        );
      if (options.deny !== undefined) io.stdout(`Denied: ${answered}\n`);
      else
        io.stdout(
          `Approved: ${answered}\nIf the call has timed out, the approval applies when it is made again within ten minutes.\n`,
        );
    });
}
