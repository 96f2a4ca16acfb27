import { Command } from 'commander';
import { fitLines } from '../fit-lines.ts';
import type { Io } from '../io.ts';
import { stateFolder } from '../state.ts';
import { CommandError, countOf, printable } from '../terminal-text.ts';
import { serverAndTool } from '../tool-name.ts';
import { LastingApprovals } from './lasting-approvals.ts';

const HELP = `
Lists the calls that are always approved: a tool of a server, with these values. Such a call is made without a question; another value is asked about. An approval for a conversation is not listed: it ends with the client, or after a day. What you approved after the call had timed out is listed once the call is made again.

Examples:
  sallyport rules                                    list them
  sallyport rules --remove 0f1e2d3c4b5a69788796a5b4  ask about this call again

Exit codes: 0 done, 1 no rule has this id, 2 wrong usage.`;

const NOTHING = `No call is always approved. To add one, approve a held call with:
  sallyport approve <id> --scope always
What you approved after the call had timed out is listed once the call is made again.
`;

function list(io: Io, now: number): void {
  const lasting = new LastingApprovals(stateFolder(io.environment)).all();
  const valid = lasting.filter(({ until }) => until === undefined || now < until);
  if (valid.length === 0) {
    io.stdout(fitLines(NOTHING, io.columns));
    return;
  }
  for (const { id, tool, values, by, uses } of valid) {
    const left = uses === undefined ? '' : `, ${countOf(uses, 'more call')}`;
    const lines = values.map(({ path, value }) => `  ${printable(path, 60)}: ${printable(value, 200)}\n`);
    io.stdout(
      `${printable(id, 40)}  ${printable(serverAndTool(tool)?.join(': ') ?? tool, 140)}  by ${printable(by, 60)}${left}\n${lines.join('')}`,
    );
  }
  io.stdout(io.isTerminal ? '\nRemove one with: sallyport rules --remove <id>\n' : '');
}

function remove(io: Io, id: string): void {
  if (!new LastingApprovals(stateFolder(io.environment)).revoke(id))
    throw new CommandError(`no rule has the id ${printable(id, 40)}.`, 'list them: sallyport rules');
  io.stdout(`Removed: ${printable(id, 40)}. You are asked again from now on.\n`);
}

/** `clock`: milliseconds since 1970. */
export function rulesCommand(io: Io, clock: () => number = Date.now): Command {
  return new Command('rules')
    .option('--remove <id>', 'the approval to end')
    .addHelpText('after', HELP)
    .action((options: { readonly remove?: string }) =>
      options.remove === undefined ? list(io, clock()) : remove(io, options.remove),
    );
}
