import { fitLines } from '../fit-lines.ts';
import { type Paint, printable } from '../terminal-text.ts';
import type { EntryType, LogEntry, LoggedText } from './entry.ts';

const TITLES: Readonly<Record<EntryType, readonly [title: string, color: Parameters<Paint>[0]]>> = {
  held: ['HELD', 'yellow'],
  asked: ['ASKED', 'yellow'],
  unanswered: ['NO ANSWER', 'yellow'],
  approved: ['APPROVED', 'green'],
  declined: ['DECLINED', 'red'],
  denied: ['DENIED', 'red'],
  observed: ['OBSERVED', 'cyan'],
  pinned: ['NOT MADE', 'yellow'],
  changed: ['CHANGED', 'yellow'],
  flagged: ['FLAGGED', 'cyan'],
  made: ['MADE', 'dim'],
};
const TITLE_WIDTH = 9;
const INDENT = '  ';

/** The local time as 2026-01-31 14:05:09, or without the date if it is that of `today`. */
function shownTime(time: string, today: string): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return today === '' || day !== today ? `${day} ${clock}` : clock;
}

/** Text that was read, with the part that matters in brackets. No quotation mark in it ends the quotation. */
export function quotedText({ path, source, before, match, after }: LoggedText, paint: Paint): string {
  const quoted = (text: string): string => printable(text, 300).replaceAll('"', "'");
  const value = path === undefined || path === '' ? 'text' : printable(path.replace(/^\//, ''), 60);
  const from = source === undefined ? '' : ` from ${printable(source, 80)}`;
  return `${paint('dim', `${value}${from}:`)} "${quoted(before)}${paint('bold', `[${quoted(match)}]`)}${quoted(after)}"`;
}

/** The next step for a person after an entry. */
function nextStep({ type, id, call, server }: LogEntry): string | undefined {
  const name = printable(server, 60);
  switch (type) {
    case 'held':
      return id && `Answer: sallyport approve [--deny] ${id}`;
    case 'unanswered':
      return id && `Allow it when it is made again: sallyport approve ${id}`;
    case 'denied':
      return id && call && `Let it pass once: sallyport approve ${id}`;
    case 'pinned':
    case 'changed':
      return `See the change: sallyport pins show ${name}`;
    default:
      return undefined;
  }
}

/** One entry as text for a terminal. */
export function entryText(entry: LogEntry, paint: Paint, columns?: number, today = ''): string {
  const { type, server, tool, reason, arguments: values, evidence = [], judged } = entry;
  const [title, color] = TITLES[type];
  const what = tool === undefined ? '' : `: ${paint('bold', printable(tool, 80))}`;
  const where = type === 'asked' ? ', in its own dialog' : '';
  const would = judged === undefined ? '' : ` (would have been ${judged === 'ask' ? 'held' : 'denied'})`;
  const lines = [
    `${paint('dim', shownTime(entry.time, today))}  ${paint(color, title.padEnd(TITLE_WIDTH))}  ${printable(server, 60)}${what}${where}${would}`,
    ...(reason === undefined ? [] : [`${INDENT}${printable(reason)}`]),
    ...(values === undefined ? [] : [`${INDENT}${printable(values, 300)}`]),
    ...evidence.map((each) => `${INDENT}${quotedText(each, paint)}`),
  ];
  const next = nextStep(entry);
  return `${fitLines([...lines, ...(next ? [`${INDENT}${next}`] : [])].join('\n'), columns)}\n`;
}
