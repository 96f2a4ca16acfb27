import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { CommandError, painter, shown } from '../terminal-text.ts';
import { reportPage } from './draw/page.ts';
import { Progress } from './progress.ts';
import { FORMATS, type Format } from './read/format.ts';
import { STANDARD_INPUT } from './read/values.ts';
import { Session } from './session.ts';
import { summary } from './summary.ts';
import { LoggedTools, readTools } from './tools.ts';

const HELP = `
Plays conversations that took place through boundary and gate, and says what would have become of them. Reads logs of OpenAI
chat and responses, Anthropic messages, AI SDK messages, LangChain messages and checkpoints, OpenTelemetry spans of model
calls, and our own traces: as JSON or one to a line, also packed (.gz, .br). Nothing is sent anywhere.

What a tool does is guessed by its name unless you say it: --tools tools.json, with
  { "send_mail": { "effect": "send", "origin": "workspace", "modelText": ["body"] }, "search": { "effect": "read", "origin": "external" } }

Examples:
  sallyport replay requests.jsonl
  sallyport replay --preset strict --tools tools.json --report week.html logs/*.jsonl.gz
  zstd -dc requests.jsonl.zst | sallyport replay -

Exit codes: 0 it was played, 1 nothing could be read in it, 2 a file cannot be read (the others are played).`;

interface ReplayOptions {
  readonly preset: 'balanced' | 'strict';
  readonly tools?: string;
  readonly format?: Format;
  readonly report: string;
  readonly most: string;
}

interface NamedFile {
  readonly path: string;
  readonly name: string;
}

/** A file as it is called in a page that others may get: without what is above the folder one stands in. */
function namedFile(cwd: string, file: string): NamedFile {
  if (file === STANDARD_INPUT) return { path: file, name: 'stdin' };
  const path = resolve(cwd, file);
  const inside = relative(cwd, path);
  return { path, name: inside.startsWith('..') ? basename(path) : inside };
}

interface NotPlayed {
  readonly unread: readonly CommandError[];
  /** Names of files in which nothing stands. */
  readonly empty: readonly string[];
}

/** One file that cannot be read is no reason to give up the others: it is given back. */
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
      if (isEmpty) empty.push(shown(name));
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
    return new CommandError(`nothing stands in ${empty.join(', ')}`, 'name a log, or a pipe that brings one');
  return new CommandError(
    'no conversation was found in what was read',
    `look whether it is JSON, or lines of JSON; or say which format it is: --format ${FORMATS.join('|')}`,
  );
}

async function run(files: readonly string[], options: ReplayOptions, io: Io): Promise<void> {
  const tools = options.tools === undefined ? new LoggedTools() : readTools(resolve(io.cwd, options.tools));
  const { preset, format } = options;
  const report = resolve(io.cwd, options.report);
  if (!existsSync(dirname(report)))
    throw new CommandError(
      `${shown(dirname(report))} does not exist`,
      'make it, or name another place with --report',
      2,
    );
  const most = Number(options.most);
  if (!Number.isInteger(most) || most < 0)
    throw new CommandError(
      `--most ${shown(options.most)} is no number`,
      'say how many of each kind are to be drawn: --most 100',
      2,
    );
  const session = new Session({ tools, preset, format, most });
  const { tally } = session;
  const named = files.map((file) => namedFile(io.cwd, file));
  const notPlayed = await playAll(named, session, io);
  if (tally.conversations === 0) throw nothingPlayed(notPlayed, files.length);
  const { unread, empty } = notPlayed;
  for (const name of empty) io.stderr(`skipped: nothing stands in ${name}\n`);
  writeFileSync(
    report,
    reportPage({ tally, files: named.map(({ name }) => name), preset, guessed: tools.guessed, drawn: session.drawn }),
  );
  io.stdout(summary(tally, painter(io.columns !== undefined && !io.environment.NO_COLOR)));
  if (tools.guessed.length > 0)
    io.stdout(`  effects of ${tools.guessed.length} tools were guessed: say them with --tools\n`);
  io.stdout(`report: ${shown(options.report)}\n`);
  const [refused] = unread;
  if (refused !== undefined)
    throw new CommandError(
      unread.map(({ message }) => message).join('; '),
      `${refused.next}; the others were played`,
      2,
    );
}

export function replayCommand(io: Io): Command {
  return new Command('replay')
    .description('see what the boundary would have done in conversations that took place')
    .argument('<files...>', 'logs, or - for standard input')
    .addOption(
      new Option('--preset <preset>', 'how calls are judged').choices(['balanced', 'strict']).default('balanced'),
    )
    .option('--tools <file>', 'what the tools do')
    .addOption(new Option('--format <format>', 'of the logs; found out by itself otherwise').choices(FORMATS))
    .option('--report <file>', 'where the page is written', 'replay.html')
    .addOption(new Option('--most <count>', 'conversations of each kind in the report').default('100'))
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: ReplayOptions) => run(files, options, io));
}
