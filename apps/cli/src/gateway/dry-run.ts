import type { DryRunReport } from '@sallyport/gateway';
import { type Paint, printable } from '../terminal-text.ts';

type Changed = DryRunReport['changed'][number];

const COLORS = { allow: 'green', ask: 'yellow', deny: 'red' } as const;

function changedLine({ at, principal, server, tool, before, after, rule, cell }: Changed, paint: Paint): string {
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const why = cell === undefined ? rule : `cell ${cell}`;
  return `${time}  ${printable(`${server}.${tool}`, 80)}  ${printable(principal, 80)}  ${before} -> ${paint(COLORS[after], after)}  (${printable(why, 80)})`;
}

function differenceOf({ asked, denied }: DryRunReport): string {
  const fewer = denied.fewer === 0 ? '' : ` and ${denied.fewer} fewer`;
  return `would have asked ${asked.more} more times and ${asked.fewer} fewer; denied ${denied.more} more${fewer}`;
}

const STOPPED = {
  calls: 'Not all calls were judged: there are more than the limit. Choose a shorter time with --last.',
  time: 'Not all calls were judged: the time ran out. Choose a shorter time with --last.',
};

const IGNORED = {
  conversations:
    '`conversations` changes, but was not tried out: calls were judged in the conversations in which they were made.',
  secondPerson: '`secondPerson` changes, but was not tried out: it says who may answer, not what is asked.',
};

/** The decisions of another policy about recorded calls, for a terminal. */
export function dryRunLines(report: DryRunReport, last: string, paint: Paint): readonly string[] {
  const { calls, changed, asked, denied, marked, stoppedBy, unread, ignored } = report;
  const total = asked.more + asked.fewer + denied.more + denied.fewer;
  return [
    `Of ${calls} recorded calls of the last ${last}, this policy ${total === 0 ? 'decides each as before' : differenceOf(report)}.`,
    ...changed.map((each) => `  ${changedLine(each, paint)}`),
    ...(marked.more + marked.fewer === 0
      ? []
      : [`In what was read, ${marked.more} more and ${marked.fewer} fewer spans would be marked.`]),
    ...(stoppedBy === undefined ? [] : [STOPPED[stoppedBy]]),
    ...(unread === 0
      ? []
      : [`${unread} conversations were not read: their names are too long, or there is too much in them.`]),
    ...ignored.map((name) => IGNORED[name]),
  ];
}
