import { type StructuredPatchHunk, structuredPatch } from 'diff';
import { escapeControls, type Paint } from '../terminal-text.ts';
import { shortenChanged, shortenSame } from './shorten.ts';

const CONTEXT = 3;
/** The cost grows with the square of this, and an attacker may choose the texts. */
const MAX_CHANGES = 1000;

/** One version of a text. `displayed` has the same number of lines, for example with secrets masked. */
export interface DiffSide {
  readonly text: string;
  /** @default text */
  readonly displayed?: string;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function hunksOf(before: readonly string[], after: readonly string[]): readonly StructuredPatchHunk[] {
  const patch = structuredPatch('', '', joined(before), joined(after), undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MAX_CHANGES,
  });
  if (patch !== undefined) return patch.hunks;
  // Too different to compare: all lines are removed, and all new lines added.
  const lines = [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
  return [{ oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length, lines }];
}

interface Style {
  readonly paint: Paint;
  /** Set to show lines of any length whole. */
  readonly isWhole: boolean;
}

/** The removed and the added lines of one change, pairwise shortened if their numbers are equal. */
function changedLines(
  removed: readonly string[],
  added: readonly string[],
  { paint, isWhole }: Style,
): readonly string[] {
  const pairs =
    removed.length === added.length && !isWhole
      ? removed.map((line, index) => shortenChanged(line, added[index] ?? ''))
      : [];
  const [before, after] =
    pairs.length > 0 ? [pairs.map(([line]) => line), pairs.map(([, line]) => line)] : [removed, added];
  return [
    ...before.map((line) => paint('red', `-${escapeControls(line)}`)),
    ...after.map((line) => paint('green', `+${escapeControls(line)}`)),
  ];
}

function hunkLines(
  { oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk,
  before: readonly string[],
  after: readonly string[],
  style: Style,
): readonly string[] {
  const { paint, isWhole } = style;
  const printed = [paint('cyan', `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`)];
  let [oldIndex, newIndex] = [oldStart - 1, newStart - 1];
  let [removed, added]: [string[], string[]] = [[], []];
  const flush = (): void => {
    printed.push(...changedLines(removed, added, style));
    [removed, added] = [[], []];
  };
  for (const each of lines) {
    if (each.startsWith('-')) removed.push(before[oldIndex++] ?? '');
    else if (each.startsWith('+')) added.push(after[newIndex++] ?? '');
    else {
      flush();
      const line = before[oldIndex++] ?? '';
      printed.push(` ${escapeControls(isWhole ? line : shortenSame(line))}`);
      newIndex++;
    }
  }
  flush();
  return printed;
}

/** The lines of a unified diff for a terminal; none if the texts are equal. Control characters in the texts are escaped. `isWhole` shows lines of any length whole. */
export function lineDiff(before: DiffSide, after: DiffSide, paint: Paint, isWhole = false): readonly string[] {
  const displayedBefore = linesOf(before.displayed ?? before.text);
  const displayedAfter = linesOf(after.displayed ?? after.text);
  return hunksOf(linesOf(before.text), linesOf(after.text)).flatMap((hunk) =>
    hunkLines(hunk, displayedBefore, displayedAfter, { paint, isWhole }),
  );
}
