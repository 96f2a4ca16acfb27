import type { Likelihood } from '@sallyport/core/stages';
import { type Paint, printable } from '../terminal-text.ts';
import { AROUND, type Finding } from './findings.ts';
import type { CheckedFile } from './sarif.ts';

const COLORS: Readonly<Record<Likelihood, Parameters<Paint>[0]>> = {
  none: 'dim',
  low: 'cyan',
  medium: 'yellow',
  high: 'red',
};

const MAX_SPAN_LENGTH = 300;

const INDENT = '    ';

type Piece = readonly [color: Parameters<Paint>[0], text: string];

/** Joins the pieces, and breaks lines between words to fit the width of the terminal. */
function flow(pieces: readonly Piece[], paint: Paint, width: number): string {
  let line = 0;
  const painted = pieces.flatMap(([color, text]) =>
    text.split(/(?<= )/).map((word) => {
      const isBroken = line > 0 && line + word.length > width - INDENT.length;
      line = (isBroken ? 0 : line) + word.length;
      return `${isBroken ? `\n${INDENT}` : ''}${paint(color, word)}`;
    }),
  );
  return `${INDENT}${painted.join('')}`;
}

/** The context of a finding, without the partial words at which it was cut. */
function around(before: string, after: string): readonly [string, string] {
  const start = before.length < AROUND ? before : before.replace(/^\S*\s+/, '... ');
  const end = after.length < AROUND ? after : after.replace(/\s+\S*$/, ' ...');
  return [printable(start), printable(end.trimEnd())];
}

/** One finding: its position and tag, then the text in its context. */
function findingLines(finding: Finding, paint: Paint, width: number): string {
  const { line, column, likelihood, tag, path, text } = finding;
  const color = COLORS[likelihood];
  const at = path === undefined ? '' : paint('dim', `  ${printable(path, 80)}`);
  const [before, after] = around(finding.before, finding.after);
  // The brackets show where it starts and ends if there are no colours.
  const pieces: readonly Piece[] = [
    ['dim', before],
    [color, `[${printable(text, MAX_SPAN_LENGTH)}]`],
    ['dim', after],
  ];
  return `  ${line}:${column}  ${paint(color, likelihood)}  ${paint('bold', tag)}${at}\n${flow(pieces, paint, width)}\n`;
}

function countOf(files: readonly CheckedFile[], likelihood: Likelihood): number {
  return files.flatMap(({ findings }) => findings).filter((finding) => finding.likelihood === likelihood).length;
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The amounts that were checked: "2 files (1 skipped: not text) and 3 servers with 12 definitions". */
function amounts(checked: readonly CheckedFile[], skipped: number): string {
  const counts = checked.flatMap(({ definitions }) => definitions ?? []);
  const servers = `${amount(counts.length, 'server')} with ${amount(
    counts.reduce((sum, count) => sum + count, 0),
    'definition',
  )}`;
  const others = skipped === 0 ? '' : ` (${skipped} skipped: not text)`;
  const files = `${amount(checked.length - counts.length, 'file')}${others}`;
  if (counts.length === 0) return files;
  return checked.length === counts.length && skipped === 0 ? servers : `${files} and ${servers}`;
}

/** The findings as text for a terminal. */
export function showFiles(
  files: readonly CheckedFile[],
  paint: Paint,
  width: number = Number.POSITIVE_INFINITY,
  skipped = 0,
): string {
  const found = files.filter(({ findings }) => findings.length > 0);
  const blocks = found.map(
    ({ file, findings }) =>
      `${paint('bold', printable(file))}\n${findings.map((each) => findingLines(each, paint, width)).join('')}\n`,
  );
  const levels = (['high', 'medium', 'low'] as const).flatMap((level) => {
    const count = countOf(files, level);
    return count === 0 ? [] : [`${count} ${level}`];
  });
  const total = found.length === 0 ? 'Nothing found' : levels.join(', ');
  return `${blocks.join('')}${total} in ${amounts(files, skipped)}.\n`;
}
