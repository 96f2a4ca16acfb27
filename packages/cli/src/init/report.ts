import { lineDiff } from '../diff/line-diff.ts';
import { type Paint, printable } from '../terminal-text.ts';
import { type Client, clientName } from './config/clients.ts';
import type { Outcome, Planned, PlanOptions } from './plan.ts';
import type { Found, Problem } from './survey.ts';

/** The style of the report: its colours, and the home folder, which is shown as `~`. */
export interface ReportStyle {
  readonly paint: Paint;
  readonly home: string;
}

/** Untrusted text, uncut: names of files and servers must not write over the report. */
function onOneLine(text: string): string {
  return printable(text, Number.POSITIVE_INFINITY);
}

export function shortPath(path: string, { home }: Pick<ReportStyle, 'home'>): string {
  const isBelow = path.startsWith(home) && /^[\\/]/.test(path.slice(home.length));
  return onOneLine(isBelow ? `~${path.slice(home.length)}` : path);
}

export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function nameOf({ name, project }: Outcome): string {
  return onOneLine(project === undefined ? name : `${name} (${project})`);
}

export const WIDTH = 80;
const COLUMNS = { client: 24, server: 22 };

/** A text in one cell: cut if it is too long, and one blank after it. */
function cell(text: string, width: number): string {
  return `${text.length < width ? text : `${text.slice(0, width - 4)}...`}`.padEnd(width);
}

/** Breaks a text into lines at blanks. */
export function linesOf(text: string, width: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.pop() as string;
    if (line === '' || line.length + word.length < width) lines.push(line === '' ? word : `${line} ${word}`);
    else lines.push(line, word);
  }
  return lines;
}

/** The rows of one file: what is done with each server, and why servers are left. */
function rowsOf(
  { location, planned }: Found,
  action: PlanOptions['action'],
  { paint }: ReportStyle,
): readonly string[] {
  const left = COLUMNS.client + COLUMNS.server;
  const row = (server: string, text: string, color: 'green' | 'yellow' | 'dim', isFirst: boolean): string => {
    const [first = '', ...more] = linesOf(text, WIDTH - left);
    const client = cell(isFirst ? location.label : '', COLUMNS.client);
    const rest = more.map((line) => `\n${' '.repeat(left)}${line}`).join('');
    return `${client}${cell(server, COLUMNS.server)}${paint(color, first)}${rest}`;
  };
  if (planned.outcomes.length === 0) return [row('', 'contains no servers', 'dim', true)];
  return planned.outcomes.map((outcome, index) =>
    outcome.type === 'changed'
      ? row(nameOf(outcome), outcome.reason || action, 'green', index === 0)
      : row(nameOf(outcome), `leave: ${onOneLine(outcome.reason)}`, 'yellow', index === 0),
  );
}

/** What will be done, as a table of 80 columns. */
export function tableText(found: readonly Found[], action: PlanOptions['action'], style: ReportStyle): string {
  const head = style.paint('bold', `${cell('client', COLUMNS.client)}${cell('server', COLUMNS.server)}what is done`);
  return `${[head, ...found.flatMap((each) => rowsOf(each, action, style))].join('\n')}\n\n`;
}

/** What is done, as the beginning of a sentence. */
export function summaryOf(changed: readonly Found[], action: PlanOptions['action']): string {
  const outcomes = changed.flatMap(({ planned }) => planned.outcomes.filter(({ type }) => type === 'changed'));
  const hooks = outcomes.filter(({ reason }) => reason !== '').length;
  const servers = outcomes.length - hooks;
  const about = `hooks of ${count(hooks, 'host')} to ${action === 'wrap' ? 'add' : 'remove'}`;
  if (servers === 0) return `H${about.slice(1)}`;
  return `${count(servers, 'server')} to ${action}${hooks === 0 ? '' : `, ${about}`}`;
}

/** The clients that were looked for, and which of them have a configuration here. */
export function lookedFor(clients: readonly Client[], found: readonly Found[]): string {
  const names = (some: readonly Client[]): string => some.map(clientName).join(', ') || 'none';
  const isFound = (client: Client): boolean => found.some(({ location }) => location.client === client);
  const text = `Looked for the clients ${names(clients)}. Found: ${names(clients.filter(isFound))}. Name the file of another one with --file.`;
  return `${linesOf(text, WIDTH).join('\n')}\n`;
}

function diffOf({ text, after, masked }: Planned, path: string, { paint }: ReportStyle): readonly string[] {
  const lines = lineDiff({ text, displayed: masked.before }, { text: after, displayed: masked.after }, paint);
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
  return `${style.paint('red', 'error:')} ${position}: ${onOneLine(reason)}\n next: ${next}\n\n`;
}
