import { type StructuredPatchHunk, structuredPatch } from 'diff';
import { type Paint, shown } from './terminal-text.ts';

const MAX_LINE_LENGTH = 2000;
/** The effort grows with the square of this, and whoever wrote the texts chooses it. */
const MAX_CHANGES = 1000;

function linesOf(text: string, sign: '+' | '-'): string[] {
  const lines = text.split('\n').map((line) => `${sign}${line}`);
  return text.endsWith('\n') || text === '' ? lines.slice(0, -1) : lines;
}

function hunksOf(before: string, after: string): readonly StructuredPatchHunk[] {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_CHANGES,
  });
  if (patch !== undefined) return patch.hunks;
  // Too different to be compared: all of the one, all of the other.
  const [removed, added] = [linesOf(before, '-'), linesOf(after, '+')];
  const [oldLines, newLines] = [removed.length, added.length];
  return [{ oldStart: 1, oldLines, newStart: 1, newLines, lines: [...removed, ...added] }];
}

/** Two texts as a unified diff, for people: of lines that others wrote nothing can move the cursor. */
export function lineDiff(before: string, after: string, paint: Paint): string {
  const colors = { '+': 'green', '-': 'red' } as const;
  return hunksOf(before, after)
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      paint('cyan', `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
      ...lines.map((line) => {
        const color = colors[line[0] as keyof typeof colors];
        const text = (line[0] ?? '') + shown(line.slice(1), MAX_LINE_LENGTH);
        return color === undefined ? text : paint(color, text);
      }),
    ])
    .join('\n');
}
