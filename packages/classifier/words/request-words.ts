// Generates packages/classifier/src/language/request-words from the word lists in this folder. README.md describes the format.
import { readFileSync } from 'node:fs';

export const LINE_WIDTH = 118;
const TARGET = 'packages/classifier/src/language/request-words';

/** The generated files, each with its languages. The order is that of the table. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  germanic: ['de', 'nl', 'sv'],
  romance: ['fr', 'es', 'pt', 'it'],
  'other-latin': ['pl', 'cs', 'id', 'tl', 'vi', 'tr'],
  cyrillic: ['ru', 'uk'],
  arabic: ['ar', 'fa'],
  indic: ['hi', 'bn'],
  'east-asian': ['th', 'zh', 'ja', 'ko'],
};

const WORD_LISTS: readonly string[] = [
  ...['imperatives', 'ambiguous', 'nouns', 'infinitives', 'politeForms', 'finalVerbs', 'auxiliaries'],
  ...['leads', 'objects'],
];
const EXPRESSION_LISTS: readonly string[] = ['phrases', 'obligations', 'starts', 'fragments', 'openings'];
const HEADING = new RegExp(`^(${[...WORD_LISTS, ...EXPRESSION_LISTS].join('|')}):$`);
const SCRIPT = /^script: ([a-z]+)$/;

interface Lists {
  readonly script: string;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Reads the word lists of one language. */
export function parseWordLists(text: string, name: string): Lists {
  const [first = '', ...lines] = text.split('\n');
  const script = SCRIPT.exec(first)?.[1];
  if (script === undefined) throw new Error(`${name}:1: expected "script: <name>", received "${first}".`);
  const lists = new Map<string, string[]>();
  let list: string[] | undefined;
  for (const [index, line] of lines.entries()) {
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) {
      if (lists.has(heading)) throw new Error(`${name}:${index + 2}: the list "${heading}" occurs twice.`);
      list = [];
      lists.set(heading, list);
    } else if (line.trim() !== '') {
      if (list === undefined) throw new Error(`${name}:${index + 2}: expected the name of a list, received "${line}".`);
      list.push(line.trim());
    }
  }
  return { script, lists };
}

/** Joins the lines of an expression: each line is an alternative, except that `(?:` opens a group and `)` closes it. */
export function joinExpression(lines: readonly string[]): string {
  return lines.reduce((joined, line) => {
    const isSameAlternative = /\(\?(?::|!|=|<!|<=)$/.test(joined) || line.startsWith(')');
    return `${joined}${isSameAlternative ? '' : '|'}${line}`;
  });
}

/** The characters as they appear in a string literal, one item each. */
function literalUnits(text: string, quote: string): string[] {
  return Array.from({ length: text.length }, (_, index) => {
    const unit = text.charAt(index);
    if (unit === '\\' || unit === quote) return `\\${unit}`;
    return /[ -~]/.test(unit) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function quoteOf(text: string): string {
  return text.split("'").length > text.split('"').length ? '"' : "'";
}

/** A string literal in plain ASCII. */
export function literal(text: string): string {
  const quote = quoteOf(text);
  return `${quote}${literalUnits(text, quote).join('')}${quote}`;
}

/** Joins units to pieces, each of which fits on a line as a literal. */
export function wrap(units: readonly string[], separator: string): string[] {
  const pieces: string[] = [];
  for (const unit of units) {
    const longer = `${pieces.at(-1)}${separator}${unit}`;
    if (pieces.length > 0 && literal(longer).length + 7 <= LINE_WIDTH) pieces.splice(-1, 1, longer);
    else pieces.push(unit);
  }
  return pieces;
}

function printList(name: string, lines: readonly string[]): string[] {
  const pieces = WORD_LISTS.includes(name) ? wrap(lines, ' ') : wrap([...joinExpression(lines)], '');
  const literals = pieces.map(literal);
  const onOneLine = `    ${name}: [${literals.join(', ')}],`;
  if (onOneLine.length <= LINE_WIDTH) return [onOneLine];
  return [`    ${name}: [`, ...literals.map((each) => `      ${each},`), '    ],'];
}

function printLanguage(code: string): string[] {
  const text = readFileSync(new URL(`./${code}.txt`, import.meta.url), 'utf8');
  const { script, lists } = parseWordLists(text, `${code}.txt`);
  return [
    '  {',
    `    language: '${code}',`,
    `    script: '${script}',`,
    ...[...lists].flatMap(([name, lines]) => printList(name, lines)),
    '  },',
  ];
}

function constantOf(file: string): string {
  return file.toUpperCase().replaceAll('-', '_');
}

const HEADER = '// Made by `npx tsx tools/make-tables.ts` from packages/classifier/words; change the lists there.';

function printFile(file: string, languages: readonly string[]): string {
  return `${HEADER}
import type { RequestWords } from './request-words.ts';

export const ${constantOf(file)}: readonly RequestWords[] = [
${languages.flatMap(printLanguage).join('\n')}
];
`;
}

/** The generated files: path from the repository's root, text, and a summary of its content. */
export function makeRequestWords(): [path: string, text: string, size: string][] {
  return Object.entries(FILES).map(([file, languages]) => [
    `${TARGET}/${file}.ts`,
    printFile(file, languages),
    `${languages.length} languages`,
  ]);
}
