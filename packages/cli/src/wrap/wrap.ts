import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { spanClassifier } from '@sallyport/classifier';
import { digestText } from '@sallyport/core/adapter';
import { PRESETS, type Timer } from '@sallyport/core/stages';
import { createProxy, type Line, type McpProxy, MODES, type PinStore, STRUCTURED } from '@sallyport/mcp-proxy';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ApprovalFiles } from '../approve/approval-files.ts';
import type { Io } from '../io.ts';
import { PinFiles } from '../pins/pin-files.ts';
import { SETTINGS_SCHEMA, type ServerSettings, settingsFor } from '../settings.ts';
import { stateFolder } from '../state.ts';
import { CommandError, shown } from '../terminal-text.ts';
import { platformTimer } from '../timer.ts';
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
Everything before the server's command is for sallyport, everything behind it for the server; no -- is needed.
Settings for a server may also stand in ~/.config/sallyport/sallyport.yaml; flags win. A file in the folder that a
server is started in is not read: whoever wrote that folder would decide what is held.

Examples:
  sallyport wrap npx -y @modelcontextprotocol/server-filesystem ~/notes
  sallyport wrap --server mail --preset strict node mail-server.js

The exit code is the server's own; 127 when it cannot be started, 2 for wrong usage.`;

const KEY_BYTES = 32;
const DEFAULT_LIMIT = 1000;
/** Seconds that a server has to end by itself once it was told to. */
const GRACE = 5;

/** Words that start something, or say nothing about what. */
const STARTERS =
  /^(?:npx|npm|pnpm|yarn|dlx|exec|node|tsx|bunx?|deno|run|uvx?|pipx|python[\d.]*|docker|podman|cmd|sh|bash|env)(?:\.exe|\.cmd)?$/i;
/** Options of those whose next word is theirs: a variable of docker may be a password. */
const VALUED =
  /^(?:-[cCelprvw]|--(?:env|env-file|volume|mount|name|network|workdir|entrypoint|label|platform|publish|package|user|require|import|loader|eval|conditions|from|with|directory|project|python))$/;
const MAX_NAME_LENGTH = 60;
const GENERIC = /^(?:index|main|server|cli|dist|build|lib|bin|src|out|\.+)?$/i;

/** The name of a server that the user gave none: the first word of its command that says something. */
export function serverName(command: readonly string[]): string {
  const isOption = (word: string): boolean => word.startsWith('-') || word.toLowerCase() === '/c';
  const words = command.filter(
    (word, index) => !isOption(word) && !VALUED.test(command[index - 1] ?? '') && !STARTERS.test(basename(word)),
  );
  // With another version it is the same server, and its pins count.
  const plain = (each: string): string =>
    each.replace(/(?<=[^@])(?:@|==|:).*$/s, '').replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, '');
  const segments = (words[0] ?? '').split(/[\\/]/).map(plain);
  return (segments.findLast((each) => !GENERIC.test(each)) ?? 'server').slice(0, MAX_NAME_LENGTH);
}

function keyFrom(text: string | undefined): Uint8Array {
  if (text === undefined || text === '') return randomBytes(KEY_BYTES);
  if (!/^[0-9a-f]{64,}$/i.test(text))
    throw new CommandError(
      'SALLYPORT_KEY is not 64 or more hexadecimal digits.',
      'make one with: openssl rand -hex 32',
      2,
    );
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

/** The client gets an error that says nothing of files; whoever can mend one is told which. */
function reporting(store: PinStore, say: (line: string) => void): PinStore {
  const told = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof CommandError) say(`${shown(cause.message)} ${shown(cause.next)}`);
      throw cause;
    }
  };
  return {
    load: () => told(() => store.load()),
    add: (pins) => told(() => store.add(pins)),
    hold: (held) => told(() => store.hold(held)),
    waits: (tool) => told(() => store.waits(tool)),
    others: () => told(() => store.others()),
  };
}

function proxyFor(io: Io, command: readonly string[], options: WrapOptions): McpProxy {
  const server = options.server ?? serverName(command);
  const { trust, quiet, ...flags } = options;
  const settings = { ...settingsFor(server, options.config, io.environment), ...flags };
  const state = stateFolder(io.environment);
  const say = (line: string | undefined): void => {
    if (line !== undefined && quiet !== true) io.stderr(`sallyport: ${line}\n`);
  };
  const approvals = new ApprovalFiles(state);
  return createProxy({
    server,
    principal: io.environment.SALLYPORT_CONVERSATION || 'local',
    key: keyFrom(io.environment.SALLYPORT_KEY),
    classifier: spanClassifier,
    gate: { preset: settings.preset ?? 'balanced' },
    limits: { maxBytes: (settings.limit ?? DEFAULT_LIMIT) * 1000 },
    pins: reporting(new PinFiles(state).store(server, digestText(JSON.stringify(command))), say),
    approver: approvals.approver((id, question) => say(lineForQuestion(id, question))),
    randomId: () => randomBytes(16).toString('hex'),
    mode: settings.mode ?? 'frame',
    structured: settings.structured ?? 'text-only',
    trusted: trust ?? settings.trusted ?? false,
    tools: settings.tools ?? {},
    ...(settings.askTimeout === undefined ? {} : { askTimeout: settings.askTimeout * 1000 }),
    onEvent: (event) => say(lineFor(server, event)),
  });
}

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Carries lines both ways until the server ends; gives its exit code. */
async function carry(child: ChildProcess, proxy: McpProxy, { input, output }: Streams, io: Io): Promise<number> {
  const client = new LineSink(output);
  const server = new LineSink(child.stdin as Writable);
  const wires = { toClient: (text: string) => client.write(text), toServer: (text: string) => server.write(text) };
  const ended = new Promise<number>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  const fromClient = async (line: Line): Promise<void> => {
    // What cannot be read cannot be judged, so it does not leave.
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
    .catch(() => undefined)
    .then(() => child.stdin?.end());
  await readLines(child.stdout as Readable, fromServer).catch(() => child.kill('SIGTERM'));
  const code = await ended;
  proxy.close();
  input.destroy();
  await clientGone;
  return code;
}

function passSignals(child: ChildProcess, timer: Timer): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      child.kill(signal);
      timer.set(() => child.kill('SIGKILL'), GRACE * 1000);
    });
}

function start(program: string, given: readonly string[]): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(program, given, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
}

/** Starts a server behind the boundary. Ends when the server does, with its exit code. */
async function wrap(io: Io, command: readonly string[], options: WrapOptions, timer: Timer): Promise<number> {
  const proxy = proxyFor(io, command, options);
  const [program, ...given] = command as [string, ...string[]];
  const failed = (cause: unknown): number => {
    const why = shown(cause instanceof Error ? cause.message : String(cause));
    io.stderr(
      `error: the server cannot be started: ${why}\n next: see that ${shown(program)} is there and may be run.\n`,
    );
    return 127;
  };
  let child: ReturnType<typeof start>;
  try {
    child = start(program, given);
  } catch (cause) {
    // Some failures are thrown, others are events.
    return failed(cause);
  }
  const failure = new Promise<number>((resolve) => {
    child.on('error', (cause) => resolve(failed(cause)));
  });
  passSignals(child, timer);
  // Whoever does not listen any more needs no server.
  child.stdin.on('error', () => undefined);
  process.stdout.on('error', () => child.kill('SIGTERM'));
  // A client may read the answers and not the log.
  process.stderr.on('error', () => undefined);
  return Promise.race([failure, carry(child, proxy, { input: process.stdin, output: process.stdout }, io)]);
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3600)) throw new InvalidArgumentError('give seconds, from 1 to 3600.');
  return value;
}

function kilobytes(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 100_000)) throw new InvalidArgumentError('give kilobytes, from 1 to 100000.');
  return value;
}

export function wrapCommand(io: Io, timer: Timer = platformTimer): Command {
  return new Command('wrap')
    .description('start an MCP server behind the boundary')
    .argument('[command...]', "the server's command and its arguments")
    .option('--server <name>', 'what you call this server (default: from its command)')
    .addOption(
      new Option('--mode <mode>', 'frame texts, or only say where they are from (default: frame)').choices(MODES),
    )
    .addOption(new Option('--structured <mode>', 'structuredContent (default: text-only)').choices(STRUCTURED))
    .addOption(new Option('--preset <preset>', 'how calls are judged (default: balanced)').choices(PRESETS))
    .option('--trust', 'show its definitions as they are, and believe its hints')
    .addOption(
      new Option('--ask-timeout <seconds>', 'how long a held call waits for you (default: 50)').argParser(seconds),
    )
    .addOption(new Option('--limit <kilobytes>', 'how much of one text is shown (default: 1000)').argParser(kilobytes))
    .option('--config <file>', 'settings other than ~/.config/sallyport/sallyport.yaml')
    .option('--quiet', 'say nothing on standard error')
    .option('--schema', 'print the JSON Schema of sallyport.yaml')
    .passThroughOptions()
    .addHelpText('after', HELP)
    .action(async (command: readonly string[], options: WrapOptions) => {
      if (options.schema === true) {
        io.stdout(`${JSON.stringify(SETTINGS_SCHEMA, null, 2)}\n`);
        return io.exit(0);
      }
      // Some launchers leave the two dashes in, some take them out.
      const words = command[0] === '--' ? command.slice(1) : command;
      if (words.length === 0)
        throw new CommandError("the server's command is missing.", 'sallyport wrap npx -y some-mcp-server', 2);
      return io.exit(await wrap(io, words, options, timer));
    });
}
