import { setTimeout as pause } from 'node:timers/promises';
import type { ApprovalScope } from '@sallyport/core';
import { SCOPES } from '@sallyport/core/stages';
import { Command, Option } from 'commander';
import { fitLines } from '../fit-lines.ts';
import { type Io, requirePerson } from '../io.ts';
import { LogFiles } from '../log/log-files.ts';
import { quotedText } from '../log/show.ts';
import { stateFolder } from '../state.ts';
import { CommandError, painter, printable } from '../terminal-text.ts';
import { ApprovalFiles, type PendingApproval } from './approval-files.ts';
import { overrideDenial } from './override.ts';

const HELP = `
A held call waits for an answer here if its client cannot ask you itself. An answer applies to one call, once, unless you
give --scope: then it applies to all calls of this tool with the same values. A conversation lasts until the client ends, or as long as a session of a coding agent; its approvals last at most a day. If the call has timed out by then, the
answer applies when the same call is made again within ten minutes.

Examples:
  sallyport approve                      list held calls; on a terminal, ask about each
  sallyport approve 3f9a1c2b77de         approve one call
  sallyport approve 3f9a1c2b77de --scope always
                                         approve this tool with these values from now on
  sallyport approve --deny 3f9a1c2b77de  deny one call
  sallyport approve --watch              keep running, and ask about each call as it is held

A denied call can pass once: give its id, which sallyport log shows, then read its evidence and confirm. sallyport rules lists the calls that are always approved. Approving needs a terminal, because an agent with a shell could run this command.

Exit codes: 0 done, 1 no such call is held, or not run in a terminal, 2 wrong usage.`;

/** Options for asking the user about a call. */
interface ApprovalPrompt {
  readonly io: Io;
  readonly files: ApprovalFiles;
  readonly clock: () => number;
}

const MAX_EVIDENCE = 3;

/** The first line about a call: its id, its tool and its age. */
function titleOf({ id, question, askedAt }: PendingApproval, { io, clock }: ApprovalPrompt, note = ''): string {
  const paint = painter(io.isTerminal);
  const age = Math.max(0, Math.round((clock() - askedAt) / 1000));
  return `${paint('bold', id)}  ${printable(question.server, 60)}: ${paint('cyan', printable(question.tool, 80))}  ${paint('dim', `${age} s ago${note}`)}`;
}

function textOf(pending: PendingApproval, prompt: ApprovalPrompt): string {
  const { io, files } = prompt;
  const { question } = pending;
  const paint = painter(io.isTerminal);
  const evidence = question.evidence
    .slice(0, MAX_EVIDENCE)
    .map(({ excerpt, ...from }) => `  ${quotedText({ ...from, ...excerpt }, paint)}`);
  const lines = [
    titleOf(pending, prompt, files.isWaiting(pending) ? '' : ', no longer waiting'),
    `  ${printable(question.arguments, 600)}`,
    `  ${paint('yellow', printable(question.reason))}`,
    ...evidence,
  ];
  return `${fitLines(lines.join('\n'), io.columns)}\n`;
}

/** The keys of the question, and the scopes of the approvals that they give. */
const CHOICES: readonly { readonly key: string; readonly scope: ApprovalScope; readonly text: string }[] = [
  { key: 'y', scope: 'once', text: 'yes, this once' },
  { key: 'c', scope: 'conversation', text: 'yes, and with the same values in this conversation' },
  { key: 'a', scope: 'always', text: 'yes, and always with the same values (sallyport rules lists them)' },
];

const APPROVED_LATE =
  'The call no longer waits, so it was not made. Ask the agent to make it again within ten minutes: then it passes.';
const DENIED_LATE =
  'The call no longer waits. If the agent makes it again within ten minutes, it is denied once without a question.';

/** The sentence after an approval. */
function consequenceOf(scope: ApprovalScope, isWaiting: boolean): string {
  const now = isWaiting ? 'The call is made now.' : APPROVED_LATE;
  return scope === 'always' ? `${now} sallyport rules lists it once the call is made.` : now;
}

async function askAbout(prompt: ApprovalPrompt, pending: PendingApproval): Promise<void> {
  const { io, files } = prompt;
  const { id, question } = pending;
  const offered = CHOICES.filter(({ scope }) => question.scopes.includes(scope));
  const lines = offered.map(({ key, text }) => `  ${key}  ${text}\n`);
  io.stdout(`${textOf(pending, prompt)}\n${lines.join('')}  n  no\n`);
  const key = await io.choose('  Approve this call?', [...offered.map((each) => each.key), 'n']);
  const scope = offered.find((each) => each.key === key)?.scope;
  const isWaiting = files.isWaiting(pending);
  const isRecorded = files.answer(id, scope === undefined ? 'denied' : 'approved', { scope });
  if (!isRecorded) io.stdout('  Too late: the call is no longer held.\n\n');
  else if (scope === undefined)
    io.stdout(`${fitLines(`  Denied.${isWaiting ? '' : ` ${DENIED_LATE}`}`, io.columns)}\n\n`);
  else io.stdout(`${fitLines(`  Approved. ${consequenceOf(scope, isWaiting)}`, io.columns)}\n\n`);
}

/** The calls that wait for an answer elsewhere. */
function askedByHosts(prompt: ApprovalPrompt): string {
  const asked = prompt.files.askedByHosts();
  if (asked.length === 0) return '';
  const lines = asked.map((each) => `  ${titleOf(each, prompt)}\n`).join('');
  const hasAlways = asked.some(({ question }) => question.scopes.includes('always'));
  const next = hasAlways ? 'To not be asked about one again: sallyport approve <id> --scope always\n' : '';
  return fitLines(`\nAsked in the dialog of a coding agent. Answer there:\n${lines}${next}`, prompt.io.columns);
}

/** Lists the calls as the log does, the newest last. */
function list(prompt: ApprovalPrompt, held: readonly PendingApproval[]): void {
  const { io } = prompt;
  for (const pending of held.toSorted((one, other) => one.askedAt - other.askedAt))
    io.stdout(`${textOf(pending, prompt)}\n`);
  if (held.length > 0) io.stdout('Answer in a terminal: sallyport approve <id>, or sallyport approve --deny <id>\n');
}

async function askAboutAll(prompt: ApprovalPrompt): Promise<void> {
  const { io, files } = prompt;
  const held = files.pending();
  if (held.length === 0) io.stdout('No call is held.\n');
  if (io.isTerminal) for (const pending of held) await askAbout(prompt, pending);
  else list(prompt, held);
  io.stdout(askedByHosts(prompt));
}

async function watch(prompt: ApprovalPrompt): Promise<void> {
  const { io, files } = prompt;
  if (!io.isTerminal)
    throw new CommandError(
      '--watch needs a terminal.',
      'run it in a terminal. To list held calls without one: sallyport approve',
      2,
    );
  io.stdout('Waiting for held calls. Stop with Ctrl+C.\n');
  for (;;) {
    // One at a time: a call that is held meanwhile comes before those that no longer wait.
    for (const pending of files.pending().slice(0, 1)) await askAbout(prompt, pending);
    await pause(300);
  }
}

interface ApproveOptions {
  readonly scope?: ApprovalScope;
  readonly deny?: string;
  readonly watch?: boolean;
}

/** Why a call with this id cannot be answered, and what to do. */
function notHeld({ io, files }: ApprovalPrompt, id: string): CommandError {
  const again = 'ask the agent to make the call again';
  switch (files.givenAnswer(id)) {
    case 'approved':
      return new CommandError('you have already approved this call.', `${again} if it was not made.`);
    case 'denied':
      return new CommandError(
        'you have already denied this call.',
        `${again} to be asked again, after one more denial.`,
      );
  }
  const last = id === '' ? undefined : new LogFiles(stateFolder(io.environment)).last(id);
  switch (last?.type) {
    case 'approved':
      return new CommandError('this call was approved and has passed.', `${again} to be asked again.`);
    case 'declined':
      return new CommandError('you denied this call, so it was not made.', `${again} to be asked again.`);
    case 'asked':
      return new CommandError(
        `this call is no longer held: ${printable(last.server, 60)} asked about it in its own dialog.`,
        `answer there, or ${again}.`,
      );
    case 'held':
    case 'unanswered':
      return new CommandError(
        'the question about this call has expired, so it was not made.',
        `${again}, then answer.`,
      );
    default:
      return new CommandError(`no held call has the id ${printable(id, 40)}.`, 'list held calls: sallyport approve');
  }
}

function deny(prompt: ApprovalPrompt, id: string): void {
  const { io, files } = prompt;
  const waiting = files.waiting(id);
  const isLate = waiting !== undefined && !files.isWaiting(waiting);
  if (!files.answer(id, 'denied')) throw notHeld(prompt, id);
  io.stdout(`Denied: ${id}\n${isLate ? `${fitLines(DENIED_LATE, io.columns)}\n` : ''}`);
}

function approve(prompt: ApprovalPrompt, id: string, scope: ApprovalScope = 'once'): void {
  const { io, files } = prompt;
  const waiting = files.waiting(id);
  if (waiting === undefined) throw notHeld(prompt, id);
  const { scopes } = waiting.question;
  if (!scopes.includes(scope))
    throw new CommandError(
      `this call cannot be ${scope === 'always' ? 'always approved' : `approved for this ${scope}`}.`,
      `choose another --scope: ${scopes.join(', ')}`,
      2,
    );
  requirePerson(io, 'a call can only be approved', `approve ${id}`);
  const isWaiting = files.isWaiting(waiting);
  if (!files.answer(id, 'approved', { scope })) throw notHeld(prompt, id);
  io.stdout(`Approved: ${id}\n${fitLines(consequenceOf(scope, isWaiting), io.columns)}\n`);
}

/** Approves a held call; a denied call is shown first. */
async function approveOrOverride(prompt: ApprovalPrompt, id: string, scope?: ApprovalScope): Promise<void> {
  const { io, files } = prompt;
  const isHeld = files.waiting(id) !== undefined;
  const denial = isHeld ? undefined : new LogFiles(stateFolder(io.environment)).denial(id);
  return denial === undefined ? approve(prompt, id, scope) : overrideDenial(io, files, denial);
}

/** `clock`: milliseconds since 1970. */
export function approveCommand(io: Io, clock: () => number = Date.now): Command {
  return new Command('approve')
    .argument('[id]', 'the call to approve')
    .option('--deny <id>', 'the call to deny')
    .addOption(new Option('--scope <scope>', 'what the approval covers (default: once)').choices(SCOPES))
    .option('--watch', 'keep running, and ask about each call as it is held')
    .addHelpText('after', HELP)
    .action(async (id: string | undefined, options: ApproveOptions) => {
      const files = new ApprovalFiles(stateFolder(io.environment), clock);
      const prompt = { io, files, clock };
      if (options.deny !== undefined) return deny(prompt, options.deny);
      if (id !== undefined) return approveOrOverride(prompt, id, options.scope);
      return options.watch === true ? watch(prompt) : askAboutAll(prompt);
    });
}
