#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { approveCommand } from './approve/approve.ts';
import { auditCommand } from './audit/audit.ts';
import { checkCommand } from './check/check.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { gatewayCommand } from './gateway/gateway.ts';
import { initCommand } from './init/init.ts';
import { joinLauncher } from './init/wrapper.ts';
import { confirmAtTerminal, type Io } from './io.ts';
import { pinsCommand } from './pins/pins.ts';
import { replayCommand } from './replay/replay.ts';
import { CommandError, errorLines } from './terminal-text.ts';
import { wrapCommand } from './wrap/wrap.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const main = fileURLToPath(import.meta.url);
// npx may delete its cache. A client that starts the program later needs a path that still exists by then.
const isNpx = /[\\/]_npx[\\/]/.test(main);

const io: Io = {
  ...(isNpx ? {} : { launcher: joinLauncher([process.execPath, main]) }),
  home: homedir(),
  platform: process.platform,
  cwd: process.cwd(),
  environment: process.env,
  isTerminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
  ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  confirm: confirmAtTerminal,
  exit: (code) => {
    process.exitCode = code;
  },
};

const HELP = `
Examples:
  sallyport init              wrap the servers of your MCP clients
  sallyport doctor            test the wrapper with a hostile test server
  sallyport check page.html   find instructions to a model in a file

Run sallyport <command> --help for the options, examples and exit codes of a command.`;

const program = new Command('sallyport')
  .description('Marks the content an agent reads from others, and checks each tool call before it is made.')
  .version(version)
  .enablePositionalOptions()
  .exitOverride()
  .addHelpText('after', HELP);
const WITH_SUBCOMMANDS = [pinsCommand, gatewayCommand, auditCommand];
for (const make of [
  wrapCommand,
  pinsCommand,
  approveCommand,
  initCommand,
  doctorCommand,
  (commandIo: Io) => checkCommand(commandIo, version),
  replayCommand,
  gatewayCommand,
  auditCommand,
]) {
  const command = make(io);
  // `init` overrides how it exits.
  if (make !== initCommand) command.copyInheritedSettings(program);
  if (WITH_SUBCOMMANDS.includes(make)) for (const nested of command.commands) nested.copyInheritedSettings(command);
  program.addCommand(command);
}

// The reader may close the pipe early, as `head` does: that is not an error.
if (process.argv[2] !== 'wrap') process.stdout.on('error', () => process.exit());

try {
  await program.parseAsync();
} catch (cause) {
  if (cause instanceof CommandError) {
    process.stderr.write(errorLines(cause));
    process.exitCode = cause.exitCode;
  } else if (cause instanceof CommanderError) {
    process.exitCode = cause.exitCode === 0 ? 0 : 2;
    if (process.exitCode !== 0) process.stderr.write(' next: run the command with --help to see its options\n');
  } else throw cause;
}
