import { relative } from 'node:path';
import { applyEdits, format } from 'jsonc-parser';
import { lineDiff } from '../diff/line-diff.ts';
import { breakLine, fitLines, widthFor } from '../fit-lines.ts';
import { shortPath } from '../short-path.ts';
import { countOf, type Paint, printable } from '../terminal-text.ts';
import { type Client, type ConfigLocation, clientName } from './config/clients.ts';
import type { Outcome, Planned, PlanOptions } from './plan.ts';
import type { Found, Problem } from './survey.ts';

/** The style of the report: its colours, its width, and the home folder, which is shown as `~`. */
export interface ReportStyle {
  readonly paint: Paint;
  readonly home: string;
  readonly columns: number | undefined;
}

/** Untrusted text, uncut: names of files and servers must not write over the report. */
function onOneLine(text: string): string {
  return printable(text, Number.POSITIVE_INFINITY);
}

function nameOf({ name, project }: Outcome): string {
  return onOneLine(project === undefined ? name : `${name} (${project})`);
}

/** The width of the column of servers. */
const SERVER = 22;
/** Spaces between two columns. */
const GAP = 2;

function widthOfClients(found: readonly Found[]): number {
  return Math.max(...['client', ...found.map(({ location }) => location.label)].map((each) => each.length)) + GAP;
}

/** The rows of one file: what is done with each server, and why servers are left. */
function rowsOf(
  { location, planned }: Found,
  { action, clients }: { readonly action: PlanOptions['action']; readonly clients: number },
  { paint, columns }: ReportStyle,
): readonly string[] {
  const left = ' '.repeat(clients + SERVER);
  const row = (server: string, text: string, color: 'green' | 'yellow' | 'dim', isFirst: boolean): string => {
    const client = (isFirst ? location.label : '').padEnd(clients);
    // Names that begin alike must be told apart, so a long one is not cut.
    const name = server.length < SERVER ? server.padEnd(SERVER) : `${server}\n${left}`;
    const lines = breakLine(left, text, left.length, widthFor(columns)).split('\n');
    return `${client}${name}${lines.map((line) => paint(color, line.slice(left.length))).join(`\n${left}`)}`;
  };
  if (planned.outcomes.length === 0) return [row('', 'contains no servers', 'dim', true)];
  return planned.outcomes.map((outcome, index) =>
    outcome.type === 'changed'
      ? row(nameOf(outcome), outcome.reason || action, 'green', index === 0)
      : row(nameOf(outcome), `leave: ${onOneLine(outcome.reason)}`, 'yellow', index === 0),
  );
}

/** The planned changes, as a table. */
export function tableText(found: readonly Found[], action: PlanOptions['action'], style: ReportStyle): string {
  const clients = widthOfClients(found);
  const head = `${'client'.padEnd(clients)}${'server'.padEnd(SERVER)}what is done`;
  const rows = found.flatMap((each) => rowsOf(each, { action, clients }, style));
  return `${[style.paint('bold', head), ...rows].join('\n')}\n\n`;
}

/** The planned changes in a sentence, and the files that they change. */
export function summaryText(changed: readonly Found[], action: PlanOptions['action'], style: ReportStyle): string {
  const outcomes = changed.flatMap(({ planned }) => planned.outcomes.filter(({ type }) => type === 'changed'));
  const hooks = outcomes.filter(({ reason }) => reason !== '').length;
  const servers = outcomes.length - hooks;
  const about = [
    ...(servers === 0 ? [] : [`${action} ${countOf(servers, 'server')}`]),
    ...(hooks === 0 ? [] : [`${action === 'wrap' ? 'add hooks to' : 'remove the hooks of'} ${countOf(hooks, 'host')}`]),
  ];
  const sentence = `This will ${about.join(' and ')}${about.length > 1 ? ',' : ''} in ${countOf(changed.length, 'file')}:`;
  const files = changed.map(({ location }) => `  ${shortPath(location.path, style)}\n`);
  return `${fitLines(sentence, style.columns)}\n${files.join('')}Everything else stays as it is.\n`;
}

/** Says that files of a project are changed, and which command they start; empty if none is. */
export function projectFiles(
  changed: readonly Found[],
  launcher: string,
  { columns }: Pick<ReportStyle, 'columns'>,
): string {
  const shared = changed.filter(({ location }) => location.isShared).length;
  if (shared === 0) return '';
  const [belongs, it, starts] = shared === 1 ? ['belongs', 'it', 'it starts'] : ['belong', 'them', 'they start'];
  const text = `${shared} of these files ${belongs} to the project in this folder: run --undo for ${it} here too. Others who use the project need the command that ${starts} from now on: ${launcher}`;
  return `${fitLines(text, columns)}\n`;
}

/** Says which files of the project stay as they are; empty if there are none. `command` changes them too. */
export function projectsLeft(left: readonly Found[], command: string, style: ReportStyle): string {
  if (left.length === 0) return '';
  const files = left.map(({ location }) => `  ${shortPath(location.path, style)}\n`).join('');
  const it = left.length === 1 ? 'it' : 'them';
  const head = `\nLeft alone, because others who use this project start the same servers:\n${files}`;
  return `${head}${fitLines(`To wrap ${it} for everyone:`, style.columns)}\n  ${command}\n\n`;
}

/** The most files of projects that are named. */
const MAX_NAMED = 3;

/** Says that files of other projects stay wrapped; empty if no files of projects were looked for. */
export function undoneHere(
  locations: readonly ConfigLocation[],
  folder: string,
  { columns }: Pick<ReportStyle, 'columns'>,
): string {
  const files = locations.filter(({ isShared }) => isShared).map(({ path }) => onOneLine(relative(folder, path)));
  if (files.length === 0) return '';
  const named = `${files.length > MAX_NAMED ? 'such as ' : ''}${files.slice(0, MAX_NAMED).join(', ')}`;
  const text = `Files of a project (${named}) are only looked for in the working folder: run --undo in each project.`;
  return `${fitLines(text, columns)}\n`;
}

/** Servers that clients keep where `init` does not look. */
const NOT_FOUND: Readonly<Partial<Record<Client, string>>> = {
  'claude-desktop': 'extensions of Claude Desktop (.mcpb)',
  'claude-code': 'plugins of Claude Code',
  junie: 'JetBrains AI Assistant',
};

/** Says what of these clients was not looked for; empty if there is nothing. */
export function notLookedFor(clients: readonly Client[]): string {
  const things = clients.flatMap((client) => NOT_FOUND[client] ?? []);
  return things.length === 0 ? '' : ` Not looked for: ${things.join(', ')}.`;
}

/** The clients that were looked for, and which of them have a configuration here. */
export function lookedFor(clients: readonly Client[], found: readonly Found[], { columns }: ReportStyle): string {
  const names = (some: readonly Client[]): string => some.map(clientName).join(', ') || 'none';
  const isFound = (client: Client): boolean => found.some(({ location }) => location.client === client);
  const text = `Looked for: ${names(clients)}. Found: ${names(clients.filter(isFound))}.${notLookedFor(clients)} Name the file of another client with --file.`;
  return `${fitLines(text, columns)}\n`;
}

/** A line that is longer is not read by a person. */
const MAX_LINE = 200;

/** A file of few long lines in the usual form of JSON. */
function inLines(text: string): string {
  return applyEdits(text, format(text, undefined, { tabSize: 2, insertSpaces: true, eol: '\n' }));
}

/** The lines that differ, whole: a person decides about them. */
function diffOf({ text, after, masked }: Planned, path: string, { paint }: ReportStyle): readonly string[] {
  const isLong = `${masked.before}\n${masked.after}`.split('\n').some((line) => line.length > MAX_LINE);
  const lines =
    isLong && !/\.toml$/i.test(path)
      ? lineDiff({ text: inLines(masked.before) }, { text: inLines(masked.after) }, paint, true)
      : lineDiff({ text, displayed: masked.before }, { text: after, displayed: masked.after }, paint, true);
  return lines.length === 0 ? [] : [paint('bold', `--- ${path}`), paint('bold', `+++ ${path}`), ...lines];
}

/** The planned change of one configuration as a diff; empty if nothing changes. */
export function diffText({ location, planned }: Found, style: ReportStyle): string {
  const lines = diffOf(planned, shortPath(location.path, style), style);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

export function problemText({ path, line, reason }: Problem, style: ReportStyle): string {
  const position = `${shortPath(path, style)}${line === undefined ? '' : `, line ${line}`}`;
  const next = `the file was not changed; correct ${line === undefined ? 'this' : 'the file'}, then run the command again`;
  const lines = `${style.paint('red', 'error:')} ${position}: ${onOneLine(reason)}\n next: ${next}\n\n`;
  return fitLines(lines, style.columns);
}
