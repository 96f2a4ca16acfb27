import { resolve } from 'node:path';
import type { Timer } from '@sallyport/core/stages';
import { Command, InvalidArgumentError, Option } from 'commander';
import { isAddress } from '../address.ts';
import type { Io } from '../io.ts';
import { NoDaemonError } from '../local-process/address.ts';
import {
  MODE_NAMES,
  PRESET_NAMES,
  SECRETS_NAMES,
  STRUCTURED_NAMES,
  type WrapOptions,
  type WrapRequest,
} from '../local-process/request.ts';
import { seconds } from '../seconds.ts';
import { stateFolder } from '../state.ts';
import { CommandError, printable } from '../terminal-text.ts';
import { forwardSignals, type Start, type Streams, startChild } from './child.ts';
import type { RemoteOptions } from './login/open-server.ts';
import { wrapThroughDaemon } from './shim.ts';

interface CommandOptions extends WrapOptions, RemoteOptions {
  readonly schema?: boolean;
  readonly listen?: string;
  /** The entry that init replaced. */
  readonly entry?: string;
}

const HELP = `
Options of sallyport come before the server's command; everything after it goes to the server. No -- is needed.

Settings can also be kept in ~/.config/sallyport/sallyport.yaml; options on the command line override them. A settings
file in the working folder is never read, because the author of that folder could then turn checks off.

A server's URL in place of its command wraps a remote server. If it needs a login, your browser opens on first use.

Examples:
  sallyport wrap https://mcp.notion.com/mcp
  sallyport wrap npx -y @modelcontextprotocol/server-filesystem ~/notes
  sallyport wrap --server mail --preset strict node mail-server.js

Environment:
  SALLYPORT_STATE  the folder of pins, approvals, the log and your key, with
                   which the frames of tool definitions are made
  SALLYPORT_DAEMON off: do not use the local process that wrapped servers
                   share (see sallyport daemon --help)
  SALLYPORT_KEY    64 or more hexadecimal digits: replaces your key, and the
                   key of results, which is new at each start

Exit codes: the server's own; 1 the local process ended, 2 wrong usage, 127 the server cannot be started.`;

const CANNOT_START = 127;

/** A function that starts a server, and says so if it cannot. */
function starter(io: Io, command: readonly string[], remote: RemoteOptions, timer: Timer): Start {
  return async () => {
    if (isAddress(command[0])) {
      // Loaded on demand: a local server needs none of it.
      const { openServer } = await import('./login/open-server.ts');
      const server = openServer(io, command, remote);
      forwardSignals(server, timer);
      return server;
    }
    const server = startChild(command, (cause) => {
      const why = printable(cause instanceof Error ? cause.message : String(cause));
      io.stderr(
        `error: the server cannot be started: ${why}\n next: check that ${printable(command[0] ?? '')} is installed and that you may run it.\n`,
      );
      return CANNOT_START;
    });
    forwardSignals(server, timer);
    return server;
  };
}

/** Starts a server behind the proxy. Ends when the server does, with its exit code. */
async function wrap(io: Io, version: string, request: WrapRequest, start: Start, streams: Streams): Promise<number> {
  const { environment } = io;
  // A key of your own is for one wrapper.
  const isShared = environment.SALLYPORT_DAEMON !== 'off' && !environment.SALLYPORT_KEY;
  if (isShared)
    try {
      const place = { state: stateFolder(environment), version, environment };
      return await wrapThroughDaemon(io, place, request, start, streams);
    } catch (cause) {
      if (!(cause instanceof NoDaemonError)) throw cause;
      if (request.options.quiet !== true && process.platform !== 'win32')
        io.stderr(`sallyport: this server is wrapped without the local process: ${printable(cause.message)}\n`);
    }
  const { wrapInProcess } = await import('./in-process.ts');
  return wrapInProcess(io, request, start, streams);
}

const backgroundTimer: Timer = {
  set: (callback, milliseconds) => setTimeout(callback, milliseconds).unref(),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

function names(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function kilobytes(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 100_000))
    throw new InvalidArgumentError('Expected kilobytes: a number from 1 to 100000.');
  return value;
}

/** An option that can be repeated. A list as its value would also take the words of the server. */
function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

interface WrapSettings {
  /** The version of the program: each has a local process of its own. */
  readonly version?: string;
  readonly timer?: Timer;
}

export function wrapCommand(io: Io, { version = '', timer = backgroundTimer }: WrapSettings = {}): Command {
  return new Command('wrap')
    .argument('[command...]', "the server's command and its arguments, or its URL")
    .option('--server <name>', 'name of this server (default: taken from its command)')
    .addOption(
      new Option('--mode <mode>', 'frame texts, or only label their source (default: frame)').choices(MODE_NAMES),
    )
    .addOption(
      new Option('--structured <mode>', 'how structuredContent is passed on (default: typed)').choices(
        STRUCTURED_NAMES,
      ),
    )
    .addOption(
      new Option('--preset <preset>', 'policy that calls are checked with (default: balanced)').choices(PRESET_NAMES),
    )
    .addOption(
      new Option('--secrets <mode>', 'ask before a secret is sent, redact results too, or off (default: ask)').choices(
        SECRETS_NAMES,
      ),
    )
    .option('--observe', 'let every call pass, and only log what the policy says')
    .option('--trust', "pass the server's definitions on unchanged, and believe its hints")
    .addOption(new Option('--allow <tools>', 'offer only these tools, such as read_file,list_*').argParser(names))
    .addOption(new Option('--hide <tools>', 'do not offer these tools, such as delete_*').argParser(names))
    .addOption(
      new Option('--ask-timeout <seconds>', 'how long a held call waits for your answer (default: 50)').argParser(
        seconds,
      ),
    )
    .addOption(
      new Option('--limit <kilobytes>', 'maximum size of one text; the rest is cut (default: 1000)').argParser(
        kilobytes,
      ),
    )
    .addOption(new Option('--header <line>', 'header for a remote server, as "Name: value"').argParser(collect))
    .addOption(new Option('--header-env <pair>', 'the same with a secret value, as Name=VARIABLE').argParser(collect))
    .option('--listen <address>', 'serve it over HTTP here, for example on 127.0.0.1:8000')
    .addOption(new Option('--entry <settings>', 'what init replaced, for init --undo').hideHelp())
    .option('--config <file>', 'settings file (default: ~/.config/sallyport/sallyport.yaml)')
    .option('--quiet', 'print nothing on standard error')
    .option('--schema', 'print the JSON Schema of sallyport.yaml and exit')
    .passThroughOptions()
    .addHelpText('after', HELP)
    .action(
      async (command: readonly string[], { schema, listen, entry, header, headerEnv, ...options }: CommandOptions) => {
        if (schema === true) {
          const { SETTINGS_SCHEMA } = await import('../settings.ts');
          io.stdout(`${JSON.stringify(SETTINGS_SCHEMA, null, 2)}\n`);
          return io.exit(0);
        }
        // Some launchers pass the two dashes on, others remove them.
        const words = command[0] === '--' ? command.slice(1) : command;
        if (words.length === 0)
          throw new CommandError(
            "the server's command is missing.",
            'add it, for example: sallyport wrap npx -y some-mcp-server',
            2,
          );
        // The local process has another working folder.
        const config = options.config === undefined ? {} : { config: resolve(io.cwd, options.config) };
        const request = { command: words, options: { ...options, ...config } };
        const remote = { ...(header && { header }), ...(headerEnv && { headerEnv }) };
        const open = (streams: Streams): Promise<number> =>
          wrap(io, version, request, starter(io, words, remote, timer), streams);
        if (listen === undefined) return io.exit(await open({ input: process.stdin, output: process.stdout }));
        return io.exit(await (await import('./listen/listen.ts')).listen(io, listen, open));
      },
    );
}
