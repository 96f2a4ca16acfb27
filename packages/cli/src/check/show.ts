import type { Likelihood } from '@sallyport/core';
import { type Paint, shown } from '../say.ts';
import type { Finding } from './findings.ts';
import type { CheckedFile } from './sarif.ts';

const COLORS: Readonly<Record<Likelihood, Parameters<Paint>[0]>> = {
  none: 'dim',
  low: 'cyan',
  medium: 'yellow',
  high: 'red',
};

const LONGEST_SPAN = 300;

/** One finding on two lines: where and what, then the words with what stands around them. */
function findingLines(finding: Finding, paint: Paint): string {
  const { line, column, likelihood, tag, path, before, text, after } = finding;
  const color = COLORS[likelihood];
  const at = path === undefined ? '' : paint('dim', `  ${shown(path, 80)}`);
  // Off a terminal there are no colours to see where it begins and ends.
  const span = `${paint(color, '[')}${paint(color, shown(text, LONGEST_SPAN))}${paint(color, ']')}`;
  const words = `${paint('dim', shown(before))}${span}${paint('dim', shown(after))}`;
  return `  ${line}:${column}  ${paint(color, likelihood)}  ${paint('bold', tag)}${at}\n    ${words}\n`;
}

function countOf(files: readonly CheckedFile[], likelihood: Likelihood): number {
  return files.flatMap(({ findings }) => findings).filter((finding) => finding.likelihood === likelihood).length;
}

/** What was found, for a person. */
export function showFiles(files: readonly CheckedFile[], paint: Paint): string {
  const found = files.filter(({ findings }) => findings.length > 0);
  const blocks = found.map(
    ({ file, findings }) =>
      `${paint('bold', shown(file))}\n${findings.map((each) => findingLines(each, paint)).join('')}\n`,
  );
  const levels = (['high', 'medium', 'low'] as const).flatMap((level) => {
    const count = countOf(files, level);
    return count === 0 ? [] : [`${count} ${level}`];
  });
  const total = found.length === 0 ? 'Nothing found' : levels.join(', ');
  const noun = files.length === 1 ? 'file' : 'files';
  return `${blocks.join('')}${total} in ${files.length} ${noun}.\n`;
}
