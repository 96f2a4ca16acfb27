// Generates packages/core/src/task/words from the word lists in this folder. README.md describes the format.
import { readFileSync } from 'node:fs';
import { foldAccents } from '../src/task/word-matcher.ts';
import { ACTS, KINDS } from '../src/task/words/act-words.ts';

const LINE_WIDTH = 118;
const MAX_LINE = 120;
const TARGET = 'packages/core/src/task/words';

/** The generated files, each with its languages. The order is that of the table. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  germanic: ['en', 'de', 'nl', 'sv'],
  romance: ['fr', 'es', 'pt', 'it'],
  'other-latin': ['pl', 'cs', 'id', 'tl', 'vi', 'tr'],
  russian: ['ru'],
  ukrainian: ['uk'],
  arabic: ['ar', 'fa'],
  indic: ['hi', 'bn'],
  'east-asian': ['zh', 'ja', 'ko'],
  thai: ['th'],
};

const REQUIRED: readonly string[] = [...ACTS, 'requests'];
const OPTIONAL: readonly string[] = [
  ...ACTS.flatMap((act) => KINDS.map((kind) => `${act} ${kind}`)),
  ...['leads', 'links', 'determiners', 'nounSigns', 'bounds', 'harmless'],
  ...['prohibitions', 'lateProhibitions', 'negations', 'exceptions', 'contrasts'],
];
const HEADING = new RegExp(`^(${[...REQUIRED, ...OPTIONAL].join('|')}):$`);
const MATCHING = /^matching: (english|stems|words|dense)$/;

interface Lists {
  readonly matching: string;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

function refuseMissing(lists: Lists['lists'], name: string): void {
  const missing = REQUIRED.filter((each) => (lists.get(each)?.length ?? 0) === 0);
  if (missing.length > 0) throw new Error(`${name}: these lists are missing or empty: ${missing.join(', ')}.`);
}

/** Reads the word lists of one language. */
export function parseActWords(text: string, name: string): Lists {
  const [first = '', ...lines] = text.split('\n');
  const matching = MATCHING.exec(first)?.[1];
  if (matching === undefined) throw new Error(`${name}:1: expected "matching: <name>", received "${first}".`);
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
      if (line.includes(',')) throw new Error(`${name}:${index + 2}: an entry must not contain a comma: "${line}".`);
      list.push(line.trim());
    }
  }
  refuseMissing(lists, name);
  return { matching, lists };
}

/** A string literal in ASCII. */
function literal(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => {
    const unit = text.charAt(index);
    return /[ -~]/.test(unit) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `'${units.join('')}'`;
}

/** Joins entries to pieces, each of which fits on a line as a literal. */
function wrap(entries: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const entry of entries) {
    const longer = `${pieces.at(-1)},${entry}`;
    if (pieces.length > 0 && literal(longer).length + 7 <= LINE_WIDTH) pieces.splice(-1, 1, longer);
    else pieces.push(entry);
  }
  return pieces;
}

/** The entries as they are compared, so that the tables are small: without the accents that the comparison ignores. */
function compared(entries: readonly string[], matching: string): string[] {
  const ignoresAccents = matching === 'stems' || matching === 'english';
  return [...new Set(entries.map((each) => (ignoresAccents && !each.startsWith('!') ? foldAccents(each) : each)))];
}

function printList(name: string, entries: readonly string[]): string[] {
  const literals = wrap(entries).map(literal);
  const key = name.includes(' ') ? literal(name) : name;
  const onOneLine = `    ${key}: [${literals.join(', ')}],`;
  if (onOneLine.length <= MAX_LINE) return [onOneLine];
  return [`    ${key}: [`, ...literals.map((each) => `      ${each},`), '    ],'];
}

function printLanguage(code: string): string[] {
  const text = readFileSync(new URL(`./${code}.txt`, import.meta.url), 'utf8');
  const { matching, lists } = parseActWords(text, `${code}.txt`);
  return [
    '  {',
    `    language: '${code}',`,
    `    matching: '${matching}',`,
    ...[...lists].flatMap(([name, entries]) => printList(name, compared(entries, matching))),
    '  },',
  ];
}

function printFile(file: string, languages: readonly string[]): string {
  return `// Made by \`npx tsx packages/core/generate/tables.ts\` from packages/core/words; change the lists there.
import type { ActWords } from './act-words.ts';

export const ${file.toUpperCase().replaceAll('-', '_')}: readonly ActWords[] = [
${languages.flatMap(printLanguage).join('\n')}
];
`;
}

/** The generated files: path from the repository's root, text, and a summary of its content. */
export function makeActWords(): [path: string, text: string, size: string][] {
  return Object.entries(FILES).map(([file, languages]) => [
    `${TARGET}/${file}.ts`,
    printFile(file, languages),
    `${languages.length} languages`,
  ]);
}
