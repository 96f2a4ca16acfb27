import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { CommandError, countOf, painter, printable } from '../terminal-text.ts';
import { reportPage } from './draw/page.ts';
import type { Played } from './play.ts';
import { Progress } from './progress.ts';
import { FORMATS, type Format } from './read/format.ts';
import { STANDARD_INPUT } from './read/values.ts';
import { Session } from './session.ts';
import { summary } from './summary.ts';
import { callsIn } from './tally.ts';
import { LoggedTools, readTools } from './tools.ts';

const HELP = `
Replays recorded conversations and reports which calls would have been denied or held for approval, and why. Reads logs of
OpenAI chat and responses, Anthropic messages, AI SDK messages, LangChain messages and checkpoints, OpenTelemetry spans of
model calls, and Sallyport traces: as JSON or JSON lines, optionally compressed (.gz, .br). Nothing is sent anywhere.

The effect of a tool is guessed from its name and arguments unless you declare it: --tools tools.json, with
  { "send_mail": { "effect": "send", "modelText": ["body"] },
    "search": { "effect": "read", "origin": "external" } }

With --json, standard output has one line per conversation (divided here), and no page is written unless --report names one:
  {"id":"chat-7","calls":[
    {"id":"call_1","tool":"send_mail","effect":"send","outcome":"ask",
     "cell":"send, content","rule":"requested","decidedBy":"table",
     "reason":"..."}]}

Examples:
  sallyport replay requests.jsonl
  sallyport replay --json --tools tools.json requests.jsonl > decisions.jsonl
  sallyport replay --preset strict --report week.html logs/*.jsonl.gz
  zstd -dc requests.jsonl.zst | sallyport replay -

Exit codes: 0 replayed, 1 no conversation found, 2 wrong usage, or a file could not be read (the others are replayed).`;

interface ReplayOptions {
  readonly preset: 'balanced' | 'strict';
  readonly tools?: string;
  readonly format?: Format;
  readonly report?: string;
  readonly json?: boolean;
  readonly most: string;
}

interface NamedFile {
  readonly path: string;
  readonly name: string;
}

/** The name of a file in the report, which may be shared: without the folders above the working folder. */
function namedFile(cwd: string, file: string): NamedFile {
  if (file === STANDARD_INPUT) return { path: file, name: 'stdin' };
  const path = resolve(cwd, file);
  const inside = relative(cwd, path);
  return { path, name: inside.startsWith('..') ? basename(path) : inside };
}

interface NotPlayed {
  readonly unread: readonly CommandError[];
  /** Names of empty files. */
  readonly empty: readonly string[];
}

/** Replays every file, and returns the errors of those that cannot be read. */
async function playAll(files: readonly NamedFile[], session: Session, io: Io): Promise<NotPlayed> {
  const progress = new Progress(io);
  const unread: CommandError[] = [];
  const empty: string[] = [];
  for (const { path, name } of files)
    try {
      let isEmpty = true;
      for await (const { bytes, total } of session.play(path, name)) {
        isEmpty = false;
        progress.show(name, bytes, total, session.tally.conversations);
      }
      if (isEmpty) empty.push(printable(name));
    } catch (cause) {
      if (!(cause instanceof CommandError)) throw cause;
      unread.push(cause);
    }
  progress.end();
  return { unread, empty };
}

/** Why there is nothing to report. */
function nothingPlayed({ unread, empty }: NotPlayed, files: number): CommandError {
  const [refused] = unread;
  if (refused !== undefined) return refused;
  if (empty.length === files)
    return new CommandError(
      `the input is empty: ${empty.join(', ')}`,
      'name a log file, or pipe one to standard input',
    );
  return new CommandError(
    'no conversation was found in the input',
    `check that it is JSON or JSON lines, or name its format: --format ${FORMATS.join('|')}`,
  );
}

/** One conversation as a line of JSON. */
function lineOf(played: Played): string {
  const calls = callsIn(played).map(({ logId, effect, decision }) => {
    const { call, outcome, rule, cell, decidedBy, reason } = decision;
    return { id: logId, tool: call.tool, effect, outcome, ...(cell && { cell }), rule, decidedBy, reason };
  });
  return `${JSON.stringify({ id: played.id, calls })}\n`;
}

/** The path of the report page, if one is written. */
function reportPath({ report, json }: ReplayOptions, cwd: string): string | undefined {
  const name = report ?? (json ? undefined : 'replay.html');
  const path = name === undefined ? undefined : resolve(cwd, name);
  if (path !== undefined && !existsSync(dirname(path)))
    throw new CommandError(
      `the folder of the report does not exist: ${printable(dirname(path))}`,
      'create it, or choose another file with --report',
      2,
    );
  return path;
}

async function run(files: readonly string[], options: ReplayOptions, io: Io): Promise<void> {
  const tools = options.tools === undefined ? new LoggedTools() : readTools(resolve(io.cwd, options.tools));
  const { preset, format } = options;
  const report = reportPath(options, io.cwd);
  const maxDrawn = Number(options.most);
  if (!Number.isInteger(maxDrawn) || maxDrawn < 0)
    throw new CommandError(
      `--most must be a whole number, 0 or more; received ${printable(options.most)}`,
      'give the number of conversations of each kind in the report, such as --most 100',
      2,
    );
  const onPlayed = (played: Played): void => io.stdout(lineOf(played));
  const session = new Session({ tools, preset, format, maxDrawn, ...(options.json ? { onPlayed } : {}) });
  const { tally } = session;
  const named = files.map((file) => namedFile(io.cwd, file));
  const notPlayed = await playAll(named, session, io);
  if (tally.conversations === 0) throw nothingPlayed(notPlayed, files.length);
  const { unread, empty } = notPlayed;
  for (const name of empty) io.stderr(`skipped ${name}: it is empty\n`);
  const print = options.json ? io.stderr : io.stdout;
  print(summary(tally, painter(!options.json && io.columns !== undefined && !io.environment.NO_COLOR)));
  if (tools.guessed.length > 0)
    print(
      `  the effects of ${countOf(tools.guessed.length, 'tool')} were guessed from names and arguments; declare them with --tools\n`,
    );
  if (report !== undefined) {
    writeFileSync(
      report,
      reportPage({ tally, files: named.map(({ name }) => name), preset, guessed: tools.guessed, drawn: session.drawn }),
    );
    print(`report: ${printable(options.report ?? basename(report))}\n`);
  }
  const [refused] = unread;
  if (refused !== undefined)
    throw new CommandError(
      unread.map(({ message }) => message).join('; '),
      `${refused.next}; the other files were replayed`,
      2,
    );
}

export function replayCommand(io: Io): Command {
  return new Command('replay')
    .argument('<files...>', 'log files, or - for standard input')
    .addOption(
      new Option('--preset <preset>', 'policy that calls are checked with')
        .choices(['balanced', 'strict'])
        .default('balanced'),
    )
    .option('--tools <file>', 'JSON file that declares the tools')
    .addOption(new Option('--format <format>', 'format of the logs (default: detected)').choices(FORMATS))
    .option('--json', 'print one line of JSON per conversation')
    .option('--report <file>', 'file that the report page is written to (default: replay.html, none with --json)')
    .addOption(
      new Option('--most <count>', 'maximum number of conversations of each kind in the report').default('100'),
    )
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: ReplayOptions) => run(files, options, io));
}
