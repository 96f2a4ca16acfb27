import { Command, CommanderError, Option } from 'commander';
import { fitLines } from '../fit-lines.ts';
import { HOOK_OUTCOMES } from '../hook/event.ts';
import type { Io } from '../io.ts';
import { CLIENTS, clientName } from './config/clients.ts';
import { EXIT, type InitOptions, run } from './run.ts';
import { DEFAULT_LAUNCHER, splitLauncher } from './wrapper.ts';

const HELP = `
Edits the configurations of ${CLIENTS.map(clientName).slice(0, 6).join(', ')},
${CLIENTS.map(clientName).slice(6, -1).join(', ')} and
${CLIENTS.map(clientName).slice(-1).join('')}, for the user and for the project in the working folder. From then on, the client starts each of
its servers through sallyport wrap, remote ones too. Nothing is written until
you confirm.
In the diff, values that do not change, such as those of env, are shown as ***.
A copy of each file is kept next to it, as <file>.sallyport-backup.

Coding agents with hooks (Claude Code, Gemini CLI, Cursor, VS Code, Copilot CLI,
Codex, opencode, Windsurf) get hooks in your own settings too: sallyport then
hears what you ask for, and checks their built-in tools. Your own hooks stay.
Codex skips them until you type /hooks there and trust them.

Files of a project are committed, so they get a command without a path: the
launcher if it has none, else sallyport if it is on your PATH, else npx.

Examples:
  sallyport init                       show the changes, ask, write
  sallyport init --client cursor       only Cursor
  sallyport init --launcher sallyport  if sallyport is installed globally
  sallyport init --undo                remove the wrapper again

On Windows, Claude Code starts npx only through cmd: --launcher "cmd /c npx -y @sallyport/cli"

Exit codes: 0 done or nothing to do, 1 a file could not be read or written, 2 wrong usage, 3 not confirmed.`;

function launcherProblem(launcher: string): string | undefined {
  const words = splitLauncher(launcher);
  if (words.length === 0) return "option '--launcher' must be a command; received an empty text";
  const relative = words.find((word) => /^(?:\.{1,2}|~)[\\/]/.test(word));
  return (
    relative &&
    `option '--launcher' must not contain a relative path, because clients start it from other folders; received ${relative}, give the absolute path`
  );
}

/** The command `init`. It passes its exit code to `io.exit`; for wrong usage and `--help` it also throws, as commander does. */
export function initCommand(io: Io): Command {
  const command = new Command('init')
    .description('wrap the MCP servers of the clients on this machine')
    .addOption(new Option('--client <name...>', 'only this client; can be repeated').choices(CLIENTS))
    .option('--file <path...>', 'a configuration file; without --client, only this file')
    .option('--launcher <command>', 'command that starts sallyport, as one argument', io.launcher ?? DEFAULT_LAUNCHER)
    .option('--undo', 'remove the wrapper again; your later changes are kept')
    .option('--no-hooks', 'leave the hooks of coding agents alone')
    .addOption(
      new Option('--on-failure <outcome>', 'what hooks do with a call that cannot be checked (default: ask)').choices(
        HOOK_OUTCOMES,
      ),
    )
    .addOption(new Option('--dry-run', 'show the changes and write nothing').conflicts('yes'))
    .option('--diff', 'show every change to the files')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: (text) => io.stdout(text), writeErr: (text) => io.stderr(fitLines(text, io.columns)) })
    .exitOverride(({ exitCode, code, message }) => {
      const mapped = exitCode === 0 ? EXIT.done : EXIT.misused;
      io.exit(mapped);
      throw new CommanderError(mapped, code, message);
    });
  return command.action(async (options: InitOptions) => {
    const problem = launcherProblem(options.launcher);
    if (problem) command.error(`error: ${problem}`);
    io.exit(await run(io, options));
  });
}
