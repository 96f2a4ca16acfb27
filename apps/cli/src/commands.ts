import { Command } from 'commander';
import { fitLines, widthFor } from './fit-lines.ts';
import type { Io } from './io.ts';

/** A command of the program. Its code is loaded when it is used: most of it is not needed by the others. */
interface CommandEntry {
  readonly name: string;
  readonly description: string;
  load(io: Io, version: string): Promise<Command>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'wrap',
    description: 'start an MCP server, frame its texts and check the calls to it',
    load: async (io, version) => (await import('./wrap/wrap.ts')).wrapCommand(io, { version }),
  },
  {
    name: 'pins',
    description: "review changes in servers' tools and instructions",
    load: async (io) => (await import('./pins/pins.ts')).pinsCommand(io),
  },
  {
    name: 'approve',
    description: 'approve or deny held calls',
    load: async (io) => (await import('./approve/approve.ts')).approveCommand(io),
  },
  {
    name: 'rules',
    description: 'list, add and remove what you are not asked about',
    load: async (io) => (await import('./approve/rules.ts')).rulesCommand(io),
  },
  {
    name: 'log',
    description: 'show what was held, denied, changed or flagged',
    load: async (io) => (await import('./history/log.ts')).logCommand(io),
  },
  {
    name: 'ui',
    description: 'show held calls and recorded conversations in your browser',
    load: async (io) => (await import('./ui/ui.ts')).uiCommand(io),
  },
  {
    name: 'init',
    description: 'wrap the MCP servers of the clients on this machine',
    load: async (io) => (await import('./init/init.ts')).initCommand(io),
  },
  {
    name: 'hook',
    description: "answer an event of a coding agent's hooks",
    load: async () => (await import('./hook/hook.ts')).hookCommand(),
  },
  {
    name: 'judge',
    description: 'show or set up the model that says whether you asked for a call',
    load: async (io) => (await import('./judge/judge.ts')).judgeCommand(io),
  },
  {
    name: 'login',
    description: 'log in to a remote MCP server with your browser',
    load: async (io) => (await import('./wrap/login/login.ts')).loginCommandFor(io),
  },
  {
    name: 'logout',
    description: 'remove the tokens of a remote MCP server',
    load: async (io) => (await import('./wrap/login/login.ts')).logoutCommandFor(io),
  },
  {
    name: 'doctor',
    description: 'test the wrapper, and whether your servers start wrapped',
    load: async (io) => (await import('./doctor/doctor.ts')).doctorCommand(io),
  },
  {
    name: 'check',
    description: 'find instructions to a model in files or on standard input',
    load: async (io, version) => (await import('./check/check.ts')).checkCommand(io, version),
  },
  {
    name: 'replay',
    description: 'report what would have been denied or held in recorded conversations',
    load: async (io) => (await import('./replay/replay.ts')).replayCommand(io),
  },
  {
    name: 'daemon',
    description: 'run the local process that wrapped servers share; wrap starts it',
    load: async (io, version) => (await import('./daemon/daemon.ts')).daemonCommand(io, version),
  },
  {
    name: 'gateway',
    description: 'serve the MCP servers of a team at one address',
    load: async (io) => (await import('./gateway/gateway.ts')).gatewayCommand(io),
  },
  {
    name: 'audit',
    description: "verify, export and prune the gateway's audit log",
    load: async (io) => (await import('./audit/audit.ts')).auditCommand(io),
  },
];

const DESCRIPTION = 'Marks the content an agent reads from others, and checks each tool call before it is made.';

const HELP = `
Examples:
  sallyport init             wrap the servers of your MCP clients
  sallyport doctor           test the wrapper and your servers
  sallyport check page.html  find instructions to a model in a file

Run sallyport <command> --help for the options, examples and exit codes of a command.`;

/** The text that `sallyport` alone prints. */
const SHORT_HELP = `${DESCRIPTION}

Start with:
  sallyport init    wrap the servers of your MCP clients; asks before it writes
  sallyport doctor  test the wrapper, and whether your servers start

List all commands: sallyport --help
`;

/** The name of the command that the words call, also as `help <command>`. */
function calledBy(words: readonly string[]): string | undefined {
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}

function inherit(command: Command, parent: Command): void {
  // `init` overrides how it exits.
  if (command.name() === 'init') command.configureOutput(parent.configureOutput());
  else command.copyInheritedSettings(parent);
  for (const nested of command.commands) inherit(nested, command);
}

/** The program with the command that the words call. The others are only listed. */
async function createProgram(io: Io, version: string, words: readonly string[]): Promise<Command> {
  const program = new Command('sallyport')
    .description(DESCRIPTION)
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout(fitLines(text, io.columns)),
      writeErr: (text) => io.stderr(fitLines(text, io.columns)),
      getOutHelpWidth: () => widthFor(io.columns),
    })
    .addHelpText('after', HELP);
  const called = calledBy(words);
  for (const { name, description, load } of COMMANDS) {
    const command = name === called ? await load(io, version) : new Command(name);
    inherit(command.description(description), program);
    program.addCommand(command);
  }
  return program;
}

/** Runs the command that the words call. */
export async function runProgram(io: Io, version: string, words: readonly string[]): Promise<void> {
  if (words.length === 0) return io.stdout(fitLines(SHORT_HELP, io.columns));
  const program = await createProgram(io, version, words);
  await program.parseAsync(words, { from: 'user' });
}
