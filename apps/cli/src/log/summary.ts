import { fitLines, widthFor } from '../fit-lines.ts';
import { countOf, printable } from '../terminal-text.ts';
import type { LogEntry } from './entry.ts';

export const NOTHING = 'Nothing was held, denied or flagged.';

/** The columns of the summary: what they count, and of which entries. */
const COLUMNS: readonly (readonly [title: string, counts: (entry: LogEntry) => boolean])[] = [
  ['would ask', ({ type, judged }) => type === 'observed' && judged === 'ask'],
  ['would deny', ({ type, judged }) => type === 'observed' && judged === 'deny'],
  // A person's answer in a host's own dialog is not logged.
  ['asked', ({ type }) => type === 'asked'],
  ['held', ({ type }) => type === 'held'],
  ['approved', ({ type }) => type === 'approved'],
  ['declined', ({ type }) => type === 'declined'],
  ['no answer', ({ type }) => type === 'unanswered'],
  ['denied', ({ type }) => type === 'denied' || type === 'pinned'],
  ['flagged', ({ type }) => type === 'flagged'],
];

interface Row {
  readonly name: string;
  readonly counts: readonly number[];
}

function countsOf(entries: readonly LogEntry[]): readonly number[] {
  return COLUMNS.map(([, counts]) => entries.filter(counts).length);
}

function rowsOf(entries: readonly LogEntry[]): readonly Row[] {
  const groups = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    const name = `${entry.server}: ${entry.tool ?? '(its texts)'}`;
    const group = groups.get(name) ?? [];
    group.push(entry);
    groups.set(name, group);
  }
  const rows = Array.from(groups, ([name, group]) => ({ name: printable(name, 40), counts: countsOf(group) }));
  const sum = ({ counts }: Row): number => counts.reduce((total, count) => total + count, 0);
  return rows.filter((row) => sum(row) > 0).toSorted((one, other) => sum(other) - sum(one));
}

/** A column that is shown: its title, and its index among the counts. */
interface Column {
  readonly title: string;
  readonly index: number;
}

function widthOf(rows: readonly Row[]): number {
  return Math.max(...rows.map(({ name }) => name.length));
}

/** A line for the titles, and one for each row. */
function tableOf(rows: readonly Row[], shown: readonly Column[]): readonly string[] {
  const width = widthOf(rows);
  const line = (name: string, cells: readonly string[]): string =>
    [name.padEnd(width), ...cells.map((cell, at) => cell.padStart(shown[at]?.title.length ?? 0))].join('  ');
  const title = line(
    '',
    shown.map((column) => column.title),
  );
  const cells = ({ counts }: Row): readonly string[] => shown.map(({ index }) => String(counts[index]));
  return [title, ...rows.map((row) => line(row.name, cells(row)))];
}

/** A line for each row with its counts in words, for a table that would be too wide. */
function listOf(rows: readonly Row[], shown: readonly Column[]): readonly string[] {
  const width = widthOf(rows);
  return rows.map(({ name, counts }) => {
    const words = shown.flatMap(({ title, index }) => (counts[index] === 0 ? [] : [`${title}: ${counts[index]}`]));
    return `  ${name.padEnd(width)}  ${words.join(', ')}`;
  });
}

/** The calls per server and tool, with those that the policy would have asked about where it only observes. */
export function summaryText(entries: readonly LogEntry[], columns?: number): string {
  const rows = rowsOf(entries);
  const [first] = entries;
  if (rows.length === 0 || first === undefined) return `${NOTHING}\n`;
  const total: Row = { name: 'all', counts: countsOf(entries) };
  // Columns without a count say nothing.
  const shown = COLUMNS.flatMap(([title], index) => (total.counts[index] === 0 ? [] : [{ title, index }]));
  const lines = [...rows, ...(rows.length > 1 ? [total] : [])];
  const [asked = 0, denied = 0] = total.counts;
  const times = asked === 1 ? 'once' : `${asked} times`;
  const observed =
    asked + denied === 0
      ? ''
      : `\nWithout observe mode you would have been asked ${times}, and ${countOf(denied, 'call')} would have been denied.\n`;
  const table = tableOf(lines, shown);
  const isTooWide = table.some((line) => line.length > widthFor(columns));
  const text = isTooWide ? fitLines(listOf(lines, shown).join('\n'), columns) : table.join('\n');
  return `Since ${first.time.slice(0, 10)}:\n\n${text}\n${fitLines(observed, columns)}`;
}
