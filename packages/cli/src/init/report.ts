import { lineDiff } from '../diff/line-diff.ts';
import { type Paint, printable } from '../terminal-text.ts';
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

/** One line for the changed servers, and one for each reason to leave servers unchanged. */
function outcomeLines(
  outcomes: readonly Outcome[],
  action: PlanOptions['action'],
  style: ReportStyle,
): readonly string[] {
  const changed = outcomes.filter(({ type }) => type === 'changed');
  const reasons = new Set(outcomes.filter(({ type }) => type === 'left').map(({ reason }) => reason));
  const names = (some: readonly Outcome[]): string => some.map(nameOf).join(', ');
  return [
    ...(changed.length > 0 ? [`  ${style.paint('green', action.padEnd(7))}${names(changed)}`] : []),
    ...Array.from(reasons, (reason) => {
      const withReason = outcomes.filter((outcome) => outcome.type === 'left' && outcome.reason === reason);
      return `  ${style.paint('yellow', 'leave  ')}${names(withReason)}: ${onOneLine(reason)}`;
    }),
    ...(outcomes.length === 0 ? [`  ${style.paint('dim', 'contains no servers')}`] : []),
  ];
}

function diffOf({ text, after, masked }: Planned, path: string, { paint }: ReportStyle): readonly string[] {
  const lines = lineDiff({ text, displayed: masked.before }, { text: after, displayed: masked.after }, paint);
  return lines.length === 0 ? [] : ['', paint('bold', `--- ${path}`), paint('bold', `+++ ${path}`), ...lines];
}

/** The planned change of one configuration: its servers, then the diff. */
export function foundText({ location, planned }: Found, action: PlanOptions['action'], style: ReportStyle): string {
  const path = shortPath(location.path, style);
  const lines = [
    `${style.paint('bold', location.label)}  ${path}`,
    ...outcomeLines(planned.outcomes, action, style),
    ...diffOf(planned, path, style),
  ];
  return `${lines.join('\n')}\n\n`;
}

export function problemText({ path, line, reason }: Problem, style: ReportStyle): string {
  const position = `${shortPath(path, style)}${line === undefined ? '' : `, line ${line}`}`;
  const next = `the file was not changed; correct ${line === undefined ? 'this' : 'the file'}, then run the command again`;
  return `${style.paint('red', 'error:')} ${position}: ${onOneLine(reason)}\n next: ${next}\n\n`;
}
