import { Command, CommanderError, Option } from 'commander';
import type { Io } from '../io.ts';
import { CLIENTS } from './config/clients.ts';
import { EXIT, type InitOptions, run } from './run.ts';
import { DEFAULT_LAUNCHER, splitLauncher } from './wrapper.ts';

const HELP = `
Clients: Claude Desktop, Claude Code, Cursor, VS Code, Codex, Windsurf; for the user, and for the project in this folder.
Each server that a client starts by a command is started through the wrapper from then on. Values that are not changed,
such as those of env, are shown as ***. A backup stays beside each file, as <file>.sallyport-backup.

Examples:
  sallyport init                       show the changes, ask, write
  sallyport init --client cursor       only Cursor
  sallyport init --launcher sallyport  when it is installed globally
  sallyport init --undo                take the wrapper out again

On Windows, Claude Code starts npx only through cmd: --launcher "cmd /c npx -y @sallyport/cli"

Exit codes: 0 done or nothing to do, 1 a file could not be read or written, 2 wrong usage, 3 nobody confirmed.`;

function misuse(launcher: string): string | undefined {
  const words = splitLauncher(launcher);
  if (words.length === 0) return 'the launcher is empty';
  const relative = words.find((word) => /^(?:\.{1,2}|~)[\\/]/.test(word));
  return relative && `the launcher names ${relative}, but clients start it from other folders; give the whole path`;
}

/** The command `init`. Its exit code goes to `io.exit`; for wrong usage and `--help` it also throws, as commander does. */
export function initCommand(io: Io): Command {
  const command = new Command('init')
    .description('put the wrapper before the MCP servers of the clients on this machine')
    .addOption(new Option('--client <name...>', 'only this client; may be given more than once').choices(CLIENTS))
    .option('--file <path...>', 'a configuration elsewhere; alone, nothing else is looked at')
    .option('--launcher <command>', 'what starts sallyport, as one text', io.launcher ?? DEFAULT_LAUNCHER)
    .option('--undo', 'take the wrapper out again; later changes of yours stay')
    .addOption(new Option('--dry-run', 'show the changes and write nothing').conflicts('yes'))
    .option('-y, --yes', 'write without asking')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(text) })
    .exitOverride(({ exitCode, code, message }) => {
      const mapped = exitCode === 0 ? EXIT.done : EXIT.misused;
      io.exit(mapped);
      throw new CommanderError(mapped, code, message);
    });
  return command.action(async (options: InitOptions) => {
    const problem = misuse(options.launcher);
    if (problem) command.error(`error: ${problem}`);
    io.exit(await run(io, options));
  });
}
