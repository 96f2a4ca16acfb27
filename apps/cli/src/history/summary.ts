import { fieldsOf } from '@sallyport/core/adapter';
import { commandsIn } from '../approve/pattern.ts';
import { addCommand } from '../approve/rules.ts';
import { covers, type RuledCall, type UserRule } from '../approve/user-rules.ts';
import { fitLines } from '../fit-lines.ts';
import { serverToolOf } from '../hook/tools/registry.ts';
import type { LogEntry } from '../log/entry.ts';
import { shortPath } from '../short-path.ts';
import { countOf, printable } from '../terminal-text.ts';

export const NOTHING = 'Nothing was held, denied or flagged.';

/** What the summary is about. */
export interface SummaryOptions {
  /** What happened to calls, oldest first. */
  readonly entries: readonly LogEntry[];
  /** The calls that passed without a question. */
  readonly made: readonly LogEntry[];
  readonly rules: readonly UserRule[];
  readonly home: string;
  readonly columns?: number | undefined;
}

const MAX_ROWS = 8;

function isQuestion({ type, judged }: LogEntry): boolean {
  return type === 'asked' || type === 'held' || (type === 'observed' && judged === 'ask');
}

function isDenial({ type, judged }: LogEntry): boolean {
  return type === 'denied' || (type === 'observed' && judged === 'deny');
}

/** Entries that are alike, the most frequent kind first. */
function grouped<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): readonly (readonly Entry[])[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return [...groups.values()].toSorted((one, other) => other.length - one.length);
}

function commandOf({ arguments: given }: LogEntry): string | undefined {
  try {
    const { command } = fieldsOf(JSON.parse(given ?? ''));
    return typeof command === 'string' ? command : undefined;
  } catch {
    // Cut, because it was too long.
    return undefined;
  }
}

/** The call of an entry, as rules see it. */
function callOf(entry: LogEntry): RuledCall {
  const { server, tool = '', folder } = entry;
  const named = serverToolOf(tool);
  return { server: named?.server ?? server, tool: named?.tool ?? tool, command: commandOf(entry), folder };
}

/** What a call is about, for a person to recognize it: its command, file or address, or else all arguments. */
function exampleOf(entry: LogEntry): string {
  const { server, tool = '', arguments: given = '' } = entry;
  const [, named] = /"(?:file_?path|path|url|command)":"((?:[^"\\]|\\.)*)"/i.exec(given) ?? [];
  return printable(`${server}: ${tool} ${commandOf(entry) ?? named ?? given}`, 100);
}

/** A rule that would answer some of the questions. */
interface Proposal {
  readonly what: string;
  readonly folder?: string;
  readonly server?: string;
}

/** A program and what it is told to do, such as `kubectl get *`; a flag is not what it does. */
function patternOf(words: readonly string[]): string | undefined {
  const [program, verb] = words;
  if (program === undefined || words.some((word) => /[^\w@%+=:,./-]/.test(word))) return undefined;
  if (verb === undefined) return program;
  return /^[a-z][\w:-]*$/.test(verb) && !/[/.]/.test(verb) ? `${program} ${verb} *` : words.join(' ');
}

/** The rules that one question needs; none if no rule may answer it. */
function proposalsFor(entry: LogEntry): readonly Proposal[] {
  const { server, tool, command, folder } = callOf(entry);
  if (entry.isLiftable !== true) return [];
  if (command === undefined) return server === entry.server && folder !== undefined ? [] : [{ what: tool, server }];
  const patterns = commandsIn(command)?.map(patternOf) ?? [undefined];
  if (folder === undefined || patterns.includes(undefined)) return [];
  return patterns.flatMap((what) => (what === undefined ? [] : [{ what, folder }]));
}

function rowsOf(groups: readonly (readonly LogEntry[])[], titleOf: (entry: LogEntry) => string): string {
  const width = String(groups[0]?.length ?? 0).length;
  const rows = groups.slice(0, MAX_ROWS).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const count = String(group.length).padStart(width);
    return [`  ${count}  ${titleOf(first)}`, `  ${' '.repeat(width)}  such as ${exampleOf(first)}`];
  });
  const more = groups.length - MAX_ROWS;
  return [...rows, ...(more > 0 ? [`  and ${countOf(more, 'other cause')}`] : [])].join('\n');
}

function hostRows({ entries, made }: SummaryOptions): string {
  const servers = [...new Set([...entries, ...made].map(({ server }) => server))];
  const rows = servers.map((server) => {
    const own = entries.filter((entry) => entry.server === server);
    const [asked, denied] = [own.filter(isQuestion).length, own.filter(isDenial).length];
    return { server, asked, denied, calls: callsIn({ entries, made }, server) };
  });
  const width = Math.max(...rows.map(({ server }) => Math.min(40, server.length)));
  return rows
    .toSorted((one, other) => other.asked - one.asked || other.calls - one.calls)
    .map(({ server, calls, asked, denied }) => {
      const counts = [countOf(calls, 'call'), `${asked} asked`, ...(denied > 0 ? [`${denied} denied`] : [])];
      return `  ${printable(server, 40).padEnd(width)}  ${counts.join(', ')}`;
    })
    .join('\n');
}

/** The number of calls: a held call has a second entry when it is decided. */
function callsIn({ entries, made }: Pick<SummaryOptions, 'entries' | 'made'>, server?: string): number {
  const decided: readonly LogEntry['type'][] = ['held', 'asked', 'denied', 'observed', 'pinned'];
  const all = [...made, ...entries.filter(({ type }) => decided.includes(type))];
  return all.filter((entry) => server === undefined || entry.server === server).length;
}

function proposalText(questions: readonly LogEntry[], { home, columns }: SummaryOptions): string {
  const groups = grouped(questions.flatMap(proposalsFor), (each) => JSON.stringify(each));
  if (groups.length === 0) return '';
  const lines = groups.slice(0, MAX_ROWS).flatMap((group) => {
    const [{ what, folder, server } = { what: '' }] = group;
    const place = folder === undefined ? `of ${printable(server ?? '', 60)}` : `in ${shortPath(folder, { home })}`;
    const named = { in: folder && shortPath(folder, { home }), server };
    return [`  ${group.length}  ${printable(what, 100)}  ${place}`, `     sallyport ${addCommand(what, named)}`];
  });
  const about = 'Rules that would answer some of these questions. Add those that you agree with:';
  return `\n${fitLines(about, columns)}\n${lines.join('\n')}\n`;
}

function answersText({ entries, columns }: SummaryOptions): string {
  const names = { approved: 'approved', declined: 'declined', unanswered: 'without an answer' } as const;
  const counts = Object.entries(names).flatMap(([type, name]) => {
    const count = entries.filter((entry) => entry.type === type).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  const flagged = entries.filter(({ type }) => type === 'flagged').length;
  const texts = flagged === 0 ? [] : [`${countOf(flagged, 'text')} marked as an instruction to the agent`];
  return counts.length + texts.length === 0 ? '' : `\n${fitLines(`${[...counts, ...texts].join(', ')}.`, columns)}\n`;
}

/** How often a person was asked, or would have been, and by what; and the rules that would answer some of it. */
export function summaryText(options: SummaryOptions): string {
  const { entries, made, rules, columns } = options;
  const calls = callsIn(options);
  if (calls + entries.length === 0) return `${NOTHING}\n`;
  const questions = entries.filter(isQuestion);
  const [left, ruled] = [
    questions.filter((entry) => entry.isLiftable !== true || !covers(rules, callOf(entry))),
    questions.filter((entry) => entry.isLiftable === true && covers(rules, callOf(entry))),
  ];
  const denials = entries.filter(isDenial);
  const isWatching = entries.some(({ type }) => type === 'observed');
  const would = isWatching ? 'would have been' : 'were';
  const [first] = [...entries, ...made].toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
  const head = `Since ${first?.time.slice(0, 10)}: ${countOf(calls, 'call')}. ${left.length} ${would} asked about, ${denials.length} ${would} denied.`;
  const lifted = ruled.length === 0 ? '' : ` Your rules now answer ${ruled.length} more.`;
  const causes = grouped([...left, ...denials], (entry) => `${isDenial(entry)} ${entry.reason}`);
  const titleOf = (entry: LogEntry): string =>
    `${isDenial(entry) ? 'denied: ' : ''}${printable(entry.reason ?? 'no reason was logged', 200)}`;
  return [
    `${fitLines(`${head}${lifted}`, columns)}\n`,
    causes.length === 0 ? '' : `\nBy cause:\n${fitLines(rowsOf(causes, titleOf), columns)}\n`,
    calls === 0 ? '' : `\nBy host and server:\n${fitLines(hostRows(options), columns)}\n`,
    answersText(options),
    proposalText(left, options),
    isWatching ? `\nSallyport only watches. To be asked from now on:\n  sallyport init --ask\n` : '',
  ].join('');
}
