// Writes a text as tools, mails and files write it: folded, quoted, escaped, commented. Marks around a part of the text survive.
import type { Random } from '../random.ts';

const MARKS = /[\ue000\ue001]/g;

/** Units that are seen: marks are not. */
function widthOf(text: string): number {
  return text.replace(MARKS, '').length;
}

/** Breaks each line of a text at blanks, so that no line is wider than `width` if its words allow it. */
export function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && widthOf(current) + 1 + widthOf(word) > width) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}

/** Breaks each line at a column, within words too, as a terminal does. */
export function cutAt(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      const pieces: string[] = [];
      let current = '';
      for (const unit of line) {
        if (widthOf(current) >= width && widthOf(unit) > 0) {
          pieces.push(current);
          current = '';
        }
        current += unit;
      }
      return [...pieces, current].join('\n');
    })
    .join('\n');
}

function prefixed(text: string, prefix: string): string {
  return text.replace(/^/gm, prefix).replace(/[ \t]+$/gm, '');
}

function byteCodes(unit: string): string {
  return Array.from(
    new TextEncoder().encode(unit),
    (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/** Quoted-printable, with soft breaks at 76 columns. */
export function quotedPrintable(text: string): string {
  const encode = (unit: string): string =>
    /[\ue000\ue001\n]/.test(unit) || /[ -<>-~]/.test(unit) ? unit : byteCodes(unit);
  return text
    .split('\n')
    .map((line) => {
      let out = '';
      let column = 0;
      for (const unit of line) {
        const code = encode(unit);
        const width = widthOf(code);
        if (column + width > 75) {
          out += '=\n';
          column = 0;
        }
        out += code;
        column += width;
      }
      return out;
    })
    .join('\n');
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).filter((each) => each.trim() !== '');
}

export type FormatName =
  | 'plain'
  | 'yaml'
  | 'mail'
  | 'printable'
  | 'json'
  | 'quote'
  | 'html'
  | 'comment'
  | 'terminal'
  | 'words';

/** The text as it is written in a format, with names and, if none is given, the width of its lines drawn at random. */
export const FORMATS: Readonly<Record<FormatName, (random: Random, text: string, width?: number) => string>> = {
  plain: (_, text) => text,
  yaml: (random, text, width = 60 + random.below(41)) =>
    `id: ${random.below(9000)}\n${random.pick(['body', 'text', 'description', 'notes'])}: ${random.pick(['>', '>-', '|'])}\n${prefixed(wrap(text, width), '  ')}\nstate: ${random.pick(['open', 'read', 'new'])}`,
  mail: (random, text, width = 62 + random.below(17)) => wrap(text, width),
  printable: (_, text) => quotedPrintable(text),
  json: (random, text) => {
    const fields = { id: random.below(9000), [random.pick(['body', 'content', 'text', 'summary'])]: text };
    return JSON.stringify(random.chance(0.5) ? fields : [fields], undefined, random.chance(0.5) ? 2 : undefined);
  },
  quote: (random, text, width = 56 + random.below(25)) => prefixed(wrap(text, width), '> '),
  html: (random, text, width = random.chance(0.5) ? 80 : Number.POSITIVE_INFINITY) =>
    `<div>\n${paragraphsOf(text)
      .map((each) => wrap(`<p>${escapeHtml(each)}</p>`, width))
      .join('\n')}\n</div>`,
  comment: (random, text, width = 60 + random.below(40)) => {
    const mark = random.pick(['// ', '# ', ' * ', '-- ', ';; ']);
    const body = prefixed(wrap(text, width), mark);
    return mark === ' * ' ? `/**\n${body}\n */` : body;
  },
  terminal: (random, text, width = 80) => (random.chance(0.5) ? cutAt(text, width) : wrap(text, width)),
  words: (_, text) => text.replace(/[ \t]+/g, '\n'),
};

export const FORMAT_NAMES: readonly FormatName[] = Object.keys(FORMATS) as FormatName[];
