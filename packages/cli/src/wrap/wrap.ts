import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { spanClassifier } from '@sallyport/classifier';
import { backgroundTimer, digestText } from '@sallyport/core/adapter';
import { PRESETS, type Timer } from '@sallyport/core/stages';
import { createProxy, type Line, type McpProxy, MODES, type PinStore, STRUCTURED } from '@sallyport/mcp-proxy';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ApprovalFiles } from '../approve/approval-files.ts';
import { LastingApprovals } from '../approve/lasting-approvals.ts';
import type { Io } from '../io.ts';
import { PinFiles } from '../pins/pin-files.ts';
import { SETTINGS_SCHEMA, type ServerSettings, settingsFor } from '../settings.ts';
import { stateFolder } from '../state.ts';
import { CommandError, printable } from '../terminal-text.ts';
import { LineSink, readLines } from './message-stream.ts';
import { lineFor, lineForQuestion } from './report.ts';

interface WrapOptions extends ServerSettings {
  readonly server?: string;
  readonly config?: string;
  readonly trust?: boolean;
  readonly quiet?: boolean;
  readonly schema?: boolean;
}

const HELP = `
Options of sallyport come before the server's command; everything after it goes to the server. No -- is needed.
Settings can also be kept in ~/.config/sallyport/sallyport.yaml; options on the command line override them. A settings
file in the working folder is never read, because the author of that folder could then turn checks off.

Examples:
  sallyport wrap npx -y @modelcontextprotocol/server-filesystem ~/notes
  sallyport wrap --server mail --preset strict node mail-server.js

Environment: SALLYPORT_KEY (64 or more hexadecimal digits) fixes the key of the frames; SALLYPORT_STATE is the folder of
pins and approvals.
Exit codes: the server's own; 2 wrong usage, 127 the server cannot be started.`;

const KEY_BYTES = 32;
const DEFAULT_LIMIT = 1000;
/** Seconds that a server has to end after a signal, before it is killed. */
const GRACE = 5;

/** Words that start a program but do not say which. */
const STARTERS =
  /^(?:npx|npm|pnpm|yarn|dlx|exec|node|tsx|bunx?|deno|run|uvx?|pipx|python[\d.]*|docker|podman|cmd|sh|bash|env)(?:\.exe|\.cmd)?$/i;
/** Options of these programs that take a value. The value is skipped: an environment variable may be a password. */
const VALUED =
  /^(?:-[cCelprvw]|--(?:env|env-file|volume|mount|name|network|workdir|entrypoint|label|platform|publish|package|user|require|import|loader|eval|conditions|from|with|directory|project|python))$/;
const MAX_NAME_LENGTH = 60;
const GENERIC = /^(?:index|main|server|cli|dist|build|lib|bin|src|out|\.+)?$/i;

/** The default name of a server: the first word of its command that is specific to it. */
export function serverName(command: readonly string[]): string {
  const isOption = (word: string): boolean => word.startsWith('-') || word.toLowerCase() === '/c';
  const words = command.filter(
    (word, index) => !isOption(word) && !VALUED.test(command[index - 1] ?? '') && !STARTERS.test(basename(word)),
  );
  // Without the version: the pins of a server stay valid when it is updated.
  const plain = (each: string): string =>
    each.replace(/(?<=[^@])(?:@|==|:).*$/s, '').replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, '');
  const segments = (words[0] ?? '').split(/[\\/]/).map(plain);
  return (segments.findLast((each) => !GENERIC.test(each)) ?? 'server').slice(0, MAX_NAME_LENGTH);
}

function keyFrom(text: string | undefined): Uint8Array {
  if (text === undefined || text === '') return randomBytes(KEY_BYTES);
  if (!/^[0-9a-f]{64,}$/i.test(text))
    throw new CommandError(
      `SALLYPORT_KEY must be 64 or more hexadecimal digits; received ${text.length} characters.`,
      'create one with: openssl rand -hex 32',
      2,
    );
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

/** Prints the errors of a store on standard error: the error that the client gets does not name the file. */
function withErrorReports(store: PinStore, print: (line: string) => void): PinStore {
  const reported = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof CommandError) print(`${printable(cause.message)} Next: ${printable(cause.next)}`);
      throw cause;
    }
  };
  return {
    load: () => reported(() => store.load()),
    add: (pins) => reported(() => store.add(pins)),
    hold: (held) => reported(() => store.hold(held)),
    waits: (tool) => reported(() => store.waits(tool)),
    others: () => reported(() => store.others()),
  };
}

function proxyFor(io: Io, command: readonly string[], options: WrapOptions): McpProxy {
  const server = options.server ?? serverName(command);
  const { trust, quiet, ...flags } = options;
  const settings = { ...settingsFor(server, options.config, io.environment), ...flags };
  const state = stateFolder(io.environment);
  const print = (line: string | undefined): void => {
    if (line !== undefined && quiet !== true) io.stderr(`sallyport: ${line}\n`);
  };
  const approvals = new ApprovalFiles(state);
  const commandDigest = digestText(JSON.stringify(command));
  return createProxy({
    server,
    principal: io.environment.SALLYPORT_CONVERSATION || 'local',
    key: keyFrom(io.environment.SALLYPORT_KEY),
    classifier: spanClassifier,
    gate: { preset: settings.preset ?? 'balanced', observe: settings.observe ?? false },
    limits: { maxBytes: (settings.limit ?? DEFAULT_LIMIT) * 1000 },
    pins: withErrorReports(new PinFiles(state).store(server, commandDigest), print),
    approvals: new LastingApprovals(state),
    owner: `${server} ${commandDigest}`,
    approver: approvals.approver((id, question) => print(lineForQuestion(id, question))),
    randomId: () => randomBytes(16).toString('hex'),
    mode: settings.mode ?? 'frame',
    structured: settings.structured ?? 'text-only',
    trusted: trust ?? settings.trusted ?? false,
    tools: settings.tools ?? {},
    ...(settings.askTimeout === undefined ? {} : { askTimeout: settings.askTimeout * 1000 }),
    onEvent: (event) => print(lineFor(server, event)),
  });
}

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Relays lines in both directions until the server ends. Returns its exit code. */
async function relay(child: ChildProcess, proxy: McpProxy, { input, output }: Streams, io: Io): Promise<number> {
  const client = new LineSink(output);
  const server = new LineSink(child.stdin as Writable);
  const wires = { toClient: (text: string) => client.write(text), toServer: (text: string) => server.write(text) };
  const ended = new Promise<number>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  const fromClient = async (line: Line): Promise<void> => {
    // A line that cannot be read cannot be checked, so it is not passed on.
    if (line.type === 'line') await proxy.fromClient(line.text, wires);
    else client.write('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}');
    await server.drained();
  };
  const fromServer = async (line: Line): Promise<void> => {
    if (line.type === 'refused') await proxy.refuseFromServer(line, wires);
    else if (!(await proxy.fromServer(line.text, wires))) io.stderr(`${line.text}\n`);
    await client.drained();
  };
  const clientGone = readLines(input, fromClient)
    // The client's input broke off: for the server that is the end of its input.
    .catch(() => undefined)
    .then(() => child.stdin?.end());
  await readLines(child.stdout as Readable, fromServer).catch(() => child.kill('SIGTERM'));
  const code = await ended;
  proxy.close();
  input.destroy();
  await clientGone;
  return code;
}

function forwardSignals(child: ChildProcess, timer: Timer): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      child.kill(signal);
      timer.set(() => child.kill('SIGKILL'), GRACE * 1000);
    });
}

function start(program: string, args: readonly string[]): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
}

/** Starts a server behind the proxy. Ends when the server does, with its exit code. */
async function wrap(io: Io, command: readonly string[], options: WrapOptions, timer: Timer): Promise<number> {
  const proxy = proxyFor(io, command, options);
  const [program, ...args] = command as [string, ...string[]];
  const failed = (cause: unknown): number => {
    const why = printable(cause instanceof Error ? cause.message : String(cause));
    io.stderr(
      `error: the server cannot be started: ${why}\n next: check that ${printable(program)} is installed and that you may run it.\n`,
    );
    return 127;
  };
  let child: ReturnType<typeof start>;
  try {
    child = start(program, args);
  } catch (cause) {
    // Node.js throws some failures and emits others.
    return failed(cause);
  }
  const failure = new Promise<number>((resolve) => {
    child.on('error', (cause) => resolve(failed(cause)));
  });
  forwardSignals(child, timer);
  // The server closed its input: its exit code says why.
  child.stdin.on('error', () => undefined);
  // The client closed its end: it needs the server no longer.
  process.stdout.on('error', () => child.kill('SIGTERM'));
  // A client may close standard error and still read the answers.
  process.stderr.on('error', () => undefined);
  return Promise.race([failure, relay(child, proxy, { input: process.stdin, output: process.stdout }, io)]);
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3600))
    throw new InvalidArgumentError('Expected seconds: a number greater than 0, at most 3600.');
  return value;
}

function kilobytes(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 100_000))
    throw new InvalidArgumentError('Expected kilobytes: a number from 1 to 100000.');
  return value;
}

export function wrapCommand(io: Io, timer: Timer = backgroundTimer): Command {
  return new Command('wrap')
    .description('start an MCP server, frame its texts and check the calls to it')
    .argument('[command...]', "the server's command and its arguments")
    .option('--server <name>', 'name of this server (default: taken from its command)')
    .addOption(new Option('--mode <mode>', 'frame texts, or only label their source (default: frame)').choices(MODES))
    .addOption(
      new Option('--structured <mode>', 'how structuredContent is passed on (default: text-only)').choices(STRUCTURED),
    )
    .addOption(
      new Option('--preset <preset>', 'policy that calls are checked with (default: balanced)').choices(PRESETS),
    )
    .option('--observe', 'let every call pass, and only report what the policy says')
    .option('--trust', "pass the server's definitions on unchanged, and believe its hints")
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
    .option('--config <file>', 'settings file (default: ~/.config/sallyport/sallyport.yaml)')
    .option('--quiet', 'print nothing on standard error')
    .option('--schema', 'print the JSON Schema of sallyport.yaml and exit')
    .passThroughOptions()
    .addHelpText('after', HELP)
    .action(async (command: readonly string[], options: WrapOptions) => {
      if (options.schema === true) {
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
      return io.exit(await wrap(io, words, options, timer));
    });
}
