import { setTimeout as pause } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { UserRules } from '../approve/user-rules.ts';
import type { Io } from '../io.ts';
import type { LogEntry } from '../log/entry.ts';
import { LogFiles } from '../log/log-files.ts';
import { entryText } from '../log/show.ts';
import { stateFolder } from '../state.ts';
import { painter } from '../terminal-text.ts';
import { NOTHING, summaryText } from './summary.ts';

const HELP = `
Shows what happened to the calls and definitions of all wrapped servers: held, asked, denied, approved and declined calls, changed definitions, and text that reads like an instruction to the model. Newest last. Secrets are not in it. The log is in the state folder, readable only by you, and keeps at most 16 MB.

Examples:
  sallyport log                     the last 20 entries
  sallyport log --since 2h          what happened in the last two hours
  sallyport log --follow            print entries as they come
  sallyport log --summary           the last week: questions by cause, and rules that answer them
  sallyport log --json --since 7d   JSON lines, for other programs

To watch first, run sallyport init --observe: every call passes. After a week, sallyport log --summary says how often you would have been asked.

Exit codes: 0 printed, 2 wrong usage.`;

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const POLL_MS = 300;

/** Reads 30m, 2h, 7d or a date, and returns milliseconds since 1970. */
export function parseSince(text: string, now: number = Date.now()): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const size = UNITS[unit];
  if (size !== undefined) return now - Number(count) * size;
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Expected a time such as 30m, 2h, 7d or 2026-01-31.');
  return time;
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Expected a whole number, 1 or more.');
  return count;
}

interface LogOptions {
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly since?: number;
  readonly summary?: boolean;
  readonly last?: number;
}

const DEFAULT_LAST = 20;

function selected(entries: readonly LogEntry[], { since, last }: LogOptions): readonly LogEntry[] {
  const recent = since === undefined ? entries : entries.filter(({ time }) => Date.parse(time) >= since);
  return last === undefined ? recent : recent.slice(-last);
}

async function follow(files: LogFiles, print: (entry: LogEntry) => void, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    for (const entry of files.newEntries()) print(entry);
    await pause(POLL_MS);
  }
}

function print(io: Io, entry: LogEntry, isJson: boolean): void {
  const paint = painter(io.columns !== undefined && !io.environment.NO_COLOR);
  io.stdout(isJson ? `${JSON.stringify(entry)}\n` : `${entryText(entry, paint, io.columns)}\n`);
}

/** The newest entries, unless the user says since when. */
function printAll(io: Io, entries: readonly LogEntry[], options: LogOptions): void {
  const { since, json = false } = options;
  const shown = selected(entries, since === undefined ? { last: DEFAULT_LAST, ...options } : options);
  for (const entry of shown) print(io, entry, json);
  if (json) return;
  const more = since === undefined ? entries.length - shown.length : 0;
  if (shown.length === 0) io.stdout(`${NOTHING}\n`);
  const earlier = more === 1 ? 'entry is' : 'entries are';
  if (more > 0) io.stderr(`${more} earlier ${earlier} not shown. To see all: sallyport log -n ${entries.length}\n`);
}

const WEEK = '7d';

/** The summary of the last week, unless the user says since when. */
function summaryOf(io: Io, files: LogFiles, { since = parseSince(WEEK) }: LogOptions): string {
  const rules = new UserRules(stateFolder(io.environment)).all();
  const [entries, made] = [files.entries(), files.made()].map((all) => selected(all, { since }));
  return summaryText({ entries: entries ?? [], made: made ?? [], rules, home: io.home, columns: io.columns });
}

async function run(io: Io, options: LogOptions, signal: AbortSignal | undefined): Promise<void> {
  const files = new LogFiles(stateFolder(io.environment));
  files.skip();
  const entries = files.entries();
  if (options.summary) return io.stdout(summaryOf(io, files, options));
  printAll(io, entries, options);
  if (options.follow) await follow(files, (entry) => print(io, entry, options.json ?? false), signal);
}

/** `signal` ends --follow. */
export function logCommand(io: Io, signal?: AbortSignal): Command {
  return new Command('log')
    .option('-f, --follow', 'keep running, and print entries as they come')
    .addOption(
      new Option('--since <time>', 'only entries since a time: 30m, 2h, 7d or 2026-01-31').argParser((text) =>
        parseSince(text),
      ),
    )
    .addOption(
      new Option(
        '-n, --last <count>',
        `only the newest entries (default: ${DEFAULT_LAST}, all with --since)`,
      ).argParser(parseCount),
    )
    .option('--json', 'print JSON lines')
    .addOption(
      new Option('--summary', 'questions of the last week by cause and host, and rules that answer them').conflicts([
        'follow',
        'json',
        'last',
      ]),
    )
    .addHelpText('after', HELP)
    .action(async (options: LogOptions) => run(io, options, signal));
}
