/** Width of help texts and messages where standard output is not a terminal. */
const DEFAULT_COLUMNS = 80;
/** Lines longer than this are hard to read. */
const MAX_COLUMNS = 120;
const MIN_COLUMNS = 30;
/** The largest share of the width that a first column may have. */
const MAX_FIRST_COLUMN = 0.6;
/** A line with this indent continues a second column. */
const SECOND_COLUMN = 10;

/** The length of a text on a terminal: without the codes of `painter`. */
function shownLength(text: string): number {
  return text
    .split('\u001b[')
    .reduce((sum, part, index) => sum + (index === 0 ? part : part.replace(/^\d+m/, '')).length, 0);
}

/** Breaks one line between words. Its continuation lines start with `indent` spaces. A longer word is kept whole. */
export function breakLine(first: string, rest: string, indent: number, width: number): string {
  const lines = [first];
  let isStart = true;
  for (const word of rest.split(' ').filter((each) => each !== '')) {
    const line = lines.at(-1) as string;
    const joined = isStart ? `${line}${word}` : `${line} ${word}`;
    if (isStart || shownLength(joined) <= width) lines.splice(-1, 1, joined);
    else lines.push(`${' '.repeat(indent)}${word}`);
    isStart = false;
  }
  return lines.join('\n');
}

/** An indented line: its second column, or else its continuation, is indented. */
function breakIndented(line: string, width: number): string {
  const [, first = '', rest = ''] = /^(\s+\S.*?\s{2,})(\S.*)$/.exec(line) ?? [];
  const indent = shownLength(first);
  if (indent > 0 && indent <= width * MAX_FIRST_COLUMN) return breakLine(first, rest, indent, width);
  const leading = line.length - line.trimStart().length;
  return breakLine(' '.repeat(leading), line.trim(), leading < SECOND_COLUMN ? leading + 2 : leading, width);
}

/** The width to use for a terminal of `columns`. */
export function widthFor(columns: number = DEFAULT_COLUMNS): number {
  return Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, columns));
}

/**
 * Breaks a text into lines of at most `columns` characters, between words. Lines without an indent that follow each other are one
 * paragraph; an indented line stays a line of its own.
 */
export function fitLines(text: string, columns?: number): string {
  const width = widthFor(columns);
  const paragraphs = text.replace(/(?<=^|\n)\S[^\n]*(?:\n\S[^\n]*)+/g, (lines) => lines.replaceAll('\n', ' '));
  return paragraphs
    .split('\n')
    .map((line) => {
      if (shownLength(line) <= width) return line;
      return /^\s/.test(line) ? breakIndented(line, width) : breakLine('', line, 0, width);
    })
    .join('\n');
}

/** Parts of a line, which are the line when they are joined: broken after a blank, or anywhere in a long word. */
function partsOf(line: string, length: number): readonly string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > length) {
    const blank = rest.lastIndexOf(' ', length - 1) + 1;
    const isPair = /[\ud800-\udbff]/.test(rest[length - 1] ?? '');
    const end = blank > length / 2 ? blank : length - Number(isPair);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

/** Breaks the lines of a diff. What continues a line has its mark, and is indented further. */
export function fitDiff(lines: readonly string[], columns?: number): readonly string[] {
  const width = widthFor(columns);
  return lines.map((line) => {
    const start = line.startsWith('\u001b[') ? line.slice(0, line.indexOf('m') + 1) : '';
    const end = start === '' ? '' : '\u001b[0m';
    const plain = line.slice(start.length, line.length - end.length);
    const [, mark = '', gap = '', rest = ''] = /^([-+ ])(\s*)(.*)$/s.exec(plain) ?? [];
    if (mark === '' || plain.length <= width) return line;
    const indent = `${mark}${gap.slice(0, width / 2)}`;
    return `${start}${indent}${partsOf(rest, width - indent.length - 2).join(`\n${indent}  `)}${end}`;
  });
}
