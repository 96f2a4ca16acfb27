import { resolve } from 'node:path';
import { Command } from 'commander';
import { fitLines } from '../fit-lines.ts';
import { type Io, requirePerson } from '../io.ts';
import { shortPath } from '../short-path.ts';
import { stateFolder } from '../state.ts';
import { CommandError, countOf, printable } from '../terminal-text.ts';
import { approvedTool } from '../tool-name.ts';
import { LastingApprovals } from './lasting-approvals.ts';
import { readPattern } from './pattern.ts';
import { type UserRule, UserRules } from './user-rules.ts';

const HELP = `
Lists what you are not asked about: your rules, and the calls that you have approved for always with their values. A rule never lets a denied call pass, nor one with a value, an address or a command that somebody else chose, a secret, or private data.

A pattern is the words of one command; * stands for any further words, and only at the end. A command line passes only if each of its commands is in a pattern; a line that writes to a file, sets a variable or expands one is asked about as before.

Examples:
  sallyport rules                                    list them
  sallyport rules add "kubectl get *"                commands in this folder and below
  sallyport rules add "git push" --in ~/src/shop     commands in another folder
  sallyport rules add list_issues --server linear    a tool of an MCP server
  sallyport rules remove 0f1e2d3c4b5a                ask about this again

Adding a rule needs a terminal, because an agent with a shell could run this command.

Exit codes: 0 done, 1 no rule has this id, or not run in a terminal, 2 wrong usage.`;

const NOTHING = `There are no rules, and no call is always approved. To add one:
  sallyport rules add "kubectl get *"
  sallyport approve <id> --scope always
What you approved after the call had timed out is listed once the call is made again.
`;

/** A rule in words. */
function ruleText(rule: UserRule, io: Io): string {
  return rule.type === 'command'
    ? `${printable(rule.pattern, 140)}  in ${shortPath(rule.folder, io)}`
    : `${printable(rule.tool, 100)} of ${printable(rule.server, 60)}`;
}

function callText(owner: string, tool: string): string {
  const [server, name] = approvedTool(owner, tool);
  return `${printable(server, 60)}: ${printable(name, 100)}`;
}

function list(io: Io, now: number): void {
  const state = stateFolder(io.environment);
  const rules = new UserRules(state).all();
  const lasting = new LastingApprovals(state).all().filter(({ until }) => until === undefined || now < until);
  for (const rule of rules) io.stdout(`${printable(rule.id, 40)}  ${ruleText(rule, io)}\n`);
  for (const { id, owner = '', tool, values, by, uses } of lasting) {
    const left = uses === undefined ? '' : `, ${countOf(uses, 'more call')}`;
    const lines = values.map(({ path, value }) => `  ${printable(path, 60)}: ${printable(value, 200)}\n`);
    io.stdout(`${printable(id, 40)}  ${callText(owner, tool)}  by ${printable(by, 60)}${left}\n${lines.join('')}`);
  }
  if (rules.length + lasting.length === 0) io.stdout(fitLines(NOTHING, io.columns));
  else io.stdout(io.isTerminal ? '\nRemove one with: sallyport rules remove <id>\n' : '');
}

function remove(io: Io, id: string): void {
  const state = stateFolder(io.environment);
  if (!new UserRules(state).remove(id) && !new LastingApprovals(state).revoke(id))
    throw new CommandError(`no rule has the id ${printable(id, 40)}.`, 'list them: sallyport rules');
  io.stdout(`Removed: ${printable(id, 40)}. You are asked again from now on.\n`);
}

interface AddOptions {
  readonly in?: string | undefined;
  readonly server?: string | undefined;
}

/** The words after `sallyport` that add a rule. */
export function addCommand(what: string, { in: folder = '.', server }: AddOptions): string {
  const quoted = (word: string): string => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `"${word}"`);
  const where = server === undefined ? ['--in', quoted(folder)] : ['--server', quoted(server)];
  return ['rules add', quoted(what), ...where].join(' ');
}

function add(io: Io, what: string, { in: folder, server }: AddOptions): void {
  if (server !== undefined && folder !== undefined)
    throw new CommandError('--in is for commands, and --server for tools.', 'leave one of them out.', 2);
  if (server === undefined) readPattern(what);
  const where = resolve(io.cwd, folder ?? '.');
  if (server === undefined && (where === io.home || resolve(where, '..') === where))
    throw new CommandError(
      `${shortPath(where, io)} holds everything of yours.`,
      'name the folder of a project: --in <folder>',
      2,
    );
  requirePerson(io, 'a rule can only be added', addCommand(what, { in: folder, server }));
  const covered =
    server === undefined
      ? ({ type: 'command', pattern: what.trim().split(/\s+/).join(' '), folder: where } as const)
      : ({ type: 'tool', tool: what, server } as const);
  const id = new UserRules(stateFolder(io.environment)).add(covered);
  io.stdout(`Added: ${id}  ${ruleText({ ...covered, id, created: 0 }, io)}\n`);
}

/** `clock`: milliseconds since 1970. */
export function rulesCommand(io: Io, clock: () => number = Date.now): Command {
  const rules = new Command('rules').addHelpText('after', HELP).action(() => list(io, clock()));
  rules
    .command('add')
    .description('do not ask about a command or a tool')
    .argument('<pattern>', 'a command such as "kubectl get *", or the name of a tool')
    .option('--in <folder>', 'the folder of the commands (default: this one)')
    .option('--server <name>', 'the MCP server of the tool')
    .action((what: string, options: AddOptions) => add(io, what, options));
  rules
    .command('remove')
    .description('ask about it again')
    .argument('<id>', 'the rule or approval')
    .action((id: string) => remove(io, id));
  return rules;
}
