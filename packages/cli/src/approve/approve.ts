import { setTimeout as pause } from 'node:timers/promises';
import type { ApprovalScope } from '@sallyport/core';
import { SCOPES } from '@sallyport/core/stages';
import type { Question } from '@sallyport/mcp-proxy';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { stateFolder } from '../state.ts';
import { CommandError, type Paint, painter, printable } from '../terminal-text.ts';
import { ApprovalFiles, type PendingApproval } from './approval-files.ts';
import { LastingApprovals } from './lasting-approvals.ts';

const HELP = `
A held call waits for an answer here if its client cannot ask you itself. An answer applies to one call, once, unless you
give --scope: then it applies to all calls of this tool with the same values. If the call has timed out by then, the
answer applies when the same call is made again within ten minutes.

Examples:
  sallyport approve                      list held calls; on a terminal, ask about each
  sallyport approve 3f9a1c2b77de         approve one call
  sallyport approve 3f9a1c2b77de --scope always
                                         approve this tool with these values from now on
  sallyport approve --deny 3f9a1c2b77de  deny one call
  sallyport approve --watch              keep running, and ask about each call as it is held
  sallyport approve --list               list what is approved always; --revoke <id> ends one

Exit codes: 0 done, 1 no such call is held, 2 wrong usage.`;

/** What the command needs to ask the user about a call. */
interface ApprovalPrompt {
  readonly io: Io;
  readonly files: ApprovalFiles;
  readonly clock: () => number;
}

/** Where a value comes from, with the value in brackets. No quotation mark in the text ends the quotation. */
function sourceText(
  { path, source, excerpt: { before, match, after } }: Question['evidence'][number],
  paint: Paint,
): string {
  const quoted = (text: string): string => printable(text, 300).replaceAll('"', "'");
  const from = source === undefined ? '' : `, in ${printable(source, 80)}`;
  const label = paint('dim', `source of ${printable(path, 60)}${from}:`);
  return `${label} "${quoted(before)}${paint('bold', `[${quoted(match)}]`)}${quoted(after)}"`;
}

function textOf({ id, question, askedAt }: PendingApproval, now: number, isColored: boolean): string {
  const paint = painter(isColored);
  const age = Math.max(0, Math.round((now - askedAt) / 1000));
  const evidence = question.evidence.slice(0, 3).map((each) => `  ${sourceText(each, paint)}\n`);
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
  readonly scope?: ApprovalScope;
  readonly list?: boolean;
  readonly revoke?: string;
  readonly deny?: string;
  readonly watch?: boolean;
}

/** Lists what is approved always. */
function listLasting(io: Io, now: number): void {
  const lasting = new LastingApprovals(stateFolder(io.environment)).all();
  const valid = lasting.filter(({ until }) => until === undefined || now < until);
  if (valid.length === 0) io.stdout('No call is approved always.\n');
  for (const { id, owner = '', tool, values, by, uses } of valid) {
    const left = uses === undefined ? '' : `, ${uses} more calls`;
    const lines = values.map(({ path, value }) => `  ${printable(path, 60)}: ${printable(value, 200)}\n`);
    // The owner is the name of a server and a digest of its command.
    const server = owner.replace(/ [^ ]*$/, '');
    io.stdout(
      `${printable(id, 40)}  ${printable(server, 60)}: ${printable(tool, 80)}  by ${printable(by, 60)}${left}\n`,
    );
    io.stdout(lines.join(''));
  }
}

function revoke(io: Io, id: string): void {
  if (!new LastingApprovals(stateFolder(io.environment)).revoke(id))
    throw new CommandError(
      `no lasting approval has the id ${printable(id, 40)}.`,
      'list lasting approvals: sallyport approve --list',
    );
  io.stdout(`Revoked: ${printable(id, 40)}\n`);
}

function noSuchCall(id: string): CommandError {
  return new CommandError(`no held call has the id ${printable(id, 40)}.`, 'list held calls: sallyport approve');
}

function deny({ io, files }: ApprovalPrompt, id: string): void {
  if (!files.answer(id, 'denied')) throw noSuchCall(id);
  io.stdout(`Denied: ${id}\n`);
}

function approve({ io, files }: ApprovalPrompt, id: string, scope: ApprovalScope = 'once'): void {
  const scopes = files.waiting(id)?.question.scopes ?? [];
  if (scopes.length > 0 && !scopes.includes(scope))
    throw new CommandError(
      `this call cannot be approved ${scope === 'always' ? 'always' : `for this ${scope}`}.`,
      `choose another --scope: ${scopes.join(', ')}`,
      2,
    );
  if (!files.answer(id, 'approved', scope)) throw noSuchCall(id);
  io.stdout(
    `Approved: ${id}\nIf the call has timed out, the approval applies when it is made again within ten minutes.\n`,
  );
}

/** `clock`: milliseconds since 1970. */
export function approveCommand(io: Io, clock: () => number = Date.now): Command {
  return new Command('approve')
    .description('approve or deny held calls')
    .argument('[id]', 'the call to approve')
    .option('--deny <id>', 'the call to deny')
    .addOption(new Option('--scope <scope>', 'what the approval covers (default: once)').choices(SCOPES))
    .option('--list', 'list what is approved always')
    .option('--revoke <id>', 'the lasting approval to end')
    .option('--watch', 'keep running, and ask about each call as it is held')
    .addHelpText('after', HELP)
    .action(async (id: string | undefined, options: ApproveOptions) => {
      const files = new ApprovalFiles(stateFolder(io.environment), clock);
      const prompt = { io, files, clock };
      if (options.list === true) return listLasting(io, clock());
      if (options.revoke !== undefined) return revoke(io, options.revoke);
      if (options.deny !== undefined) return deny(prompt, options.deny);
      if (id !== undefined) return approve(prompt, id, options.scope);
      return options.watch === true ? watch(prompt) : askAboutAll(prompt);
    });
}
