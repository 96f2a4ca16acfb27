import type { Paint } from '../terminal-text.ts';
import type { Outcome, PlanOptions } from './plan.ts';
import type { DiffLine } from './show/diff.ts';
import { visible } from './show/visible.ts';
import type { Found, Problem } from './survey.ts';

/** How the report is written: in colours or not, and with the home folder as `~`. */
export interface ReportStyle {
  readonly paint: Paint;
  readonly home: string;
}

export function shortPath(path: string, { home }: Pick<ReportStyle, 'home'>): string {
  const isBelow = path.startsWith(home) && /^[\\/]/.test(path.slice(home.length));
  return visible(isBelow ? `~${path.slice(home.length)}` : path);
}

export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function nameOf({ name, project }: Outcome): string {
  return visible(project === undefined ? name : `${name} (${project})`);
}

/** Servers that share a reason share a line. */
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
      const alike = outcomes.filter((outcome) => outcome.type === 'left' && outcome.reason === reason);
      return `  ${style.paint('yellow', 'leave  ')}${names(alike)}: ${visible(reason)}`;
    }),
    ...(outcomes.length === 0 ? [`  ${style.paint('dim', 'no servers in it')}`] : []),
  ];
}

const SIGNS: Readonly<Record<DiffLine['type'], readonly [string, Parameters<Paint>[0]?]>> = {
  place: ['', 'cyan'],
  same: [' '],
  old: ['-', 'red'],
  new: ['+', 'green'],
};

function diffText(lines: readonly DiffLine[], path: string, style: ReportStyle): readonly string[] {
  if (lines.length === 0) return [];
  const head = [`--- ${path}`, `+++ ${path}`].map((line) => style.paint('bold', line));
  const body = lines.map(({ type, text }) => {
    const [sign, color] = SIGNS[type];
    const line = `${sign}${visible(text)}`;
    return color ? style.paint(color, line) : line;
  });
  return ['', ...head, ...body];
}

/** What is to become of one configuration: its servers, then the diff. */
export function foundText({ place, planned }: Found, action: PlanOptions['action'], style: ReportStyle): string {
  const path = shortPath(place.path, style);
  const lines = [
    `${style.paint('bold', place.label)}  ${path}`,
    ...outcomeLines(planned.outcomes, action, style),
    ...diffText(planned.diff, path, style),
  ];
  return `${lines.join('\n')}\n\n`;
}

export function problemText({ path, line, reason }: Problem, style: ReportStyle): string {
  const place = `${shortPath(path, style)}${line === undefined ? '' : `, line ${line}`}`;
  const next = `the file was not changed; ${line === undefined ? 'see to that' : 'mend it'}, then run the command again`;
  return `${style.paint('red', 'error:')} ${place}: ${visible(reason)}\n next: ${next}\n\n`;
}
