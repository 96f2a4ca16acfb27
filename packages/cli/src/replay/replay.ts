import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { CommandError, type Paint, painter, shown } from '../say.ts';
import { FORMATS, type Format } from './format.ts';
import { reportPage } from './page.ts';
import { Progress } from './progress.ts';
import { Session } from './session.ts';
import { type Tally, TOUCHES } from './tally.ts';
import { LoggedTools, readTools } from './tools.ts';

const HELP = `
Plays conversations that took place through boundary and gate, and says what would have become of them. Reads logs of OpenAI
chat and responses, Anthropic messages, AI SDK messages, LangChain messages and checkpoints, OpenTelemetry spans of model
calls, and our own traces: as JSON or one to a line, also packed (.gz, .br). Nothing is sent anywhere.

What a tool does is guessed by its name unless you say it: --tools tools.json, with
  { "send_mail": { "effect": "send", "origin": "workspace", "free": ["body"] }, "search": { "effect": "read", "origin": "external" } }

Examples:
  sallyport replay requests.jsonl
  sallyport replay --preset strict --tools tools.json --report week.html logs/*.jsonl.gz

Exit codes: 0 it was played, 1 nothing could be read in it, 2 a file cannot be read (the others are played).`;

interface ReplayOptions {
  readonly preset: 'balanced' | 'strict';
  readonly tools?: string;
  readonly format?: Format;
  readonly report: string;
  readonly most: string;
}

function summary(tally: Tally, paint: Paint): string {
  const colors = { denied: 'red', asked: 'yellow', marked: 'cyan', unclear: 'bold', untouched: 'green' } as const;
  const total = Math.max(1, tally.conversations);
  const lines = TOUCHES.map((touch) => {
    const count = tally.touches.get(touch) ?? 0;
    return `  ${paint(colors[touch], touch.padEnd(10))}${String(count).padStart(8)}  ${((count / total) * 100).toFixed(1).padStart(5)} %\n`;
  });
  const rules = [...tally.rules].sort(([, one], [, other]) => other - one);
  const why = rules.length === 0 ? '' : `  held by ${rules.map(([name, count]) => `${name} (${count})`).join(', ')}\n`;
  const formats = [...tally.formats].map(([name, count]) => `${count} ${name}`).join(', ');
  const places = tally.unreadableAt.map((place) => shown(place)).join(', ');
  const more = tally.unreadable > tally.unreadableAt.length ? ', ...' : '';
  const broken =
    tally.unreadable === 0
      ? ''
      : `  ${tally.unreadable} entries could not be read as a conversation: ${places}${more}\n`;
  const unclear =
    tally.unclear === 0
      ? ''
      : `  ${tally.unclear} things in ${tally.unclearConversations} conversations were not understood (roles, parts, forms of calls): calls may be missing\n`;
  const strange =
    tally.mismatched === 0 ? '' : `  ${tally.mismatched} of them look like another format than the one that was said\n`;
  return `${tally.conversations} conversations (${formats}), ${tally.calls} calls, ${tally.effects} of them effects\n${lines.join('')}${why}${unclear}${broken}${strange}`;
}

interface NamedFile {
  readonly path: string;
  readonly name: string;
}

/** A file as it is called in a page that others may get: without what is above the folder one stands in. */
function nameOf(cwd: string, path: string): string {
  const inside = relative(cwd, path);
  return inside.startsWith('..') ? basename(path) : inside;
}

/** One file that cannot be read is no reason to give up the others: it is given back. */
async function playAll(files: readonly NamedFile[], session: Session, io: Io): Promise<readonly CommandError[]> {
  const progress = new Progress(io);
  const unread: CommandError[] = [];
  for (const { path, name } of files)
    try {
      for await (const { bytes, total } of session.play(path, name))
        progress.show(name, bytes, total, session.tally.conversations);
    } catch (cause) {
      if (!(cause instanceof CommandError)) throw cause;
      unread.push(cause);
    }
  progress.end();
  return unread;
}

async function run(files: readonly string[], options: ReplayOptions, io: Io): Promise<void> {
  const tools = options.tools === undefined ? new LoggedTools() : readTools(resolve(io.cwd, options.tools));
  const { preset, format } = options;
  const report = resolve(io.cwd, options.report);
  if (!existsSync(dirname(report)))
    throw new CommandError(`${dirname(report)} does not exist`, 'make it, or name another place with --report', 2);
  const most = Number(options.most);
  if (!Number.isInteger(most) || most < 0)
    throw new CommandError(
      `--most ${options.most} is no number`,
      'say how many of each kind are to be drawn: --most 100',
      2,
    );
  const session = new Session({ tools, preset, format, most });
  const { tally } = session;
  const named = files.map((file) => ({ path: resolve(io.cwd, file), name: nameOf(io.cwd, resolve(io.cwd, file)) }));
  const unread = await playAll(named, session, io);
  const [refused] = unread;
  if (refused !== undefined && tally.conversations === 0) throw refused;
  if (tally.conversations === 0)
    throw new CommandError(
      'no conversation was found in what was read',
      `look whether it is JSON, or lines of JSON; or say which format it is: --format ${FORMATS.join('|')}`,
    );
  writeFileSync(
    report,
    reportPage({ tally, files: named.map(({ name }) => name), preset, guessed: tools.guessed, drawn: session.drawn }),
  );
  io.stdout(summary(tally, painter(io.columns !== undefined && !io.environment.NO_COLOR)));
  if (tools.guessed.length > 0)
    io.stdout(`  effects of ${tools.guessed.length} tools were guessed: say them with --tools\n`);
  io.stdout(`report: ${shown(options.report)}\n`);
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
    .argument('<files...>', 'logs')
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
