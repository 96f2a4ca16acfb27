import type { Likelihood } from '@sallyport/core/stages';
import { type Paint, shown } from '../terminal-text.ts';
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

/** Pieces one after the other, broken between words where a line would be wider than the screen. */
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

/** What stands around a finding, without halves of words where it was cut. */
function around(before: string, after: string): readonly [string, string] {
  const start = before.length < AROUND ? before : before.replace(/^\S*\s+/, '... ');
  const end = after.length < AROUND ? after : after.replace(/\s+\S*$/, ' ...');
  return [shown(start), shown(end.trimEnd())];
}

/** One finding: where and what, then the words with what stands around them. */
function findingLines(finding: Finding, paint: Paint, width: number): string {
  const { line, column, likelihood, tag, path, text } = finding;
  const color = COLORS[likelihood];
  const at = path === undefined ? '' : paint('dim', `  ${shown(path, 80)}`);
  const [before, after] = around(finding.before, finding.after);
  // Off a terminal there are no colours to see where it begins and ends.
  const pieces: readonly Piece[] = [
    ['dim', before],
    [color, `[${shown(text, MAX_SPAN_LENGTH)}]`],
    ['dim', after],
  ];
  return `  ${line}:${column}  ${paint(color, likelihood)}  ${paint('bold', tag)}${at}\n${flow(pieces, paint, width)}\n`;
}

function countOf(files: readonly CheckedFile[], likelihood: Likelihood): number {
  return files.flatMap(({ findings }) => findings).filter((finding) => finding.likelihood === likelihood).length;
}

/** What was found, for a person. */
export function showFiles(
  files: readonly CheckedFile[],
  paint: Paint,
  width: number = Number.POSITIVE_INFINITY,
): string {
  const found = files.filter(({ findings }) => findings.length > 0);
  const blocks = found.map(
    ({ file, findings }) =>
      `${paint('bold', shown(file))}\n${findings.map((each) => findingLines(each, paint, width)).join('')}\n`,
  );
  const levels = (['high', 'medium', 'low'] as const).flatMap((level) => {
    const count = countOf(files, level);
    return count === 0 ? [] : [`${count} ${level}`];
  });
  const total = found.length === 0 ? 'Nothing found' : levels.join(', ');
  const noun = files.length === 1 ? 'file' : 'files';
  return `${blocks.join('')}${total} in ${files.length} ${noun}.\n`;
}
