import { fitLines } from '../fit-lines.ts';
import { printable } from '../terminal-text.ts';
import type { LogEntry } from './entry.ts';

export const NOTHING = 'Nothing was held, denied or flagged.';

/** The columns of the summary: what they count, and of which entries. */
const COLUMNS: readonly (readonly [title: string, counts: (entry: LogEntry) => boolean])[] = [
  ['would ask', ({ type, judged }) => type === 'observed' && judged === 'ask'],
  ['would deny', ({ type, judged }) => type === 'observed' && judged === 'deny'],
  // What a person answers in a host's own dialog is not logged.
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

/** What happened, per server and tool, and what the policy would have asked about where it only observes. */
export function summaryText(entries: readonly LogEntry[], columns?: number): string {
  const rows = rowsOf(entries);
  const [first] = entries;
  if (rows.length === 0 || first === undefined) return `${NOTHING}\n`;
  const total: Row = { name: 'all', counts: countsOf(entries) };
  // Columns without a count say nothing.
  const shown = COLUMNS.flatMap(([title], index) => (total.counts[index] === 0 ? [] : [{ title, index }]));
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[]): string =>
    `${[name.padEnd(width), ...cells.map((cell, at) => cell.padStart(shown[at]?.title.length ?? 0))].join('  ')}`;
  const [asked = 0, denied = 0] = total.counts;
  const observed =
    asked + denied === 0
      ? ''
      : `\nWithout observe mode you would have been asked ${asked} times, and ${denied} calls would have been denied.\n`;
  return [
    `Since ${first.time.slice(0, 10)}:\n\n`,
    `${line(
      '',
      shown.map(({ title }) => title),
    )}\n`,
    ...[...rows, ...(rows.length > 1 ? [total] : [])].map(
      ({ name, counts }) =>
        `${line(
          name,
          shown.map(({ index }) => String(counts[index])),
        )}\n`,
    ),
    fitLines(observed, columns),
  ].join('');
}
