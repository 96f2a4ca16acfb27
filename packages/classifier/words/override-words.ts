// Generates packages/classifier/src/language/override-words.ts from the word lists in `override`. README.md describes the format.
import { readdirSync, readFileSync } from 'node:fs';
import { LINE_WIDTH, literal, wrap } from './request-words.ts';

const TARGET = 'packages/classifier/src/language/override-words.ts';

/** The lists of a language, in the order of the table. */
const NAMES = [
  'verb',
  'earlier',
  'order',
  'orders',
  'rule',
  'rules',
  'any',
  'after',
  'says',
  'perhaps',
  'unlike',
] as const;
const LINE = new RegExp(`^(${NAMES.join('|')}): (\\S.*)$`);
/** Lists of phrases in which each line is an item. */
const WHOLE: readonly string[] = ['says', 'perhaps'];
/** Reads the lists of one language: a name, a colon and words; a name may have several lines. */
export function parseOverrideWords(text: string, name: string): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const [, list, words] = LINE.exec(line) ?? [];
    if (list === undefined || words === undefined)
      throw new Error(`${name}:${index + 1}: expected "<list>: <words>", received "${line}".`);
    const items = WHOLE.includes(list) ? [words] : words.split(' ');
    lists.set(list, [...(lists.get(list) ?? []), ...items]);
  }
  return lists;
}

function printList(name: string, items: readonly string[]): string[] {
  const literals = (WHOLE.includes(name) ? items : wrap(items, ' ')).map(literal);
  const onOneLine = `    ${name}: [${literals.join(', ')}],`;
  if (onOneLine.length <= LINE_WIDTH + 2) return [onOneLine];
  return [`    ${name}: [`, ...literals.map((each) => `      ${each},`), '    ],'];
}

const folder = new URL('./override/', import.meta.url);

/** The languages that have a list. */
export function overrideLanguages(): string[] {
  return readdirSync(folder)
    .map((name) => name.replace(/\.txt$/, ''))
    .sort();
}

function printLanguage(code: string): string[] {
  const lists = parseOverrideWords(readFileSync(new URL(`${code}.txt`, folder), 'utf8'), `${code}.txt`);
  const printed = NAMES.flatMap((name) => (lists.has(name) ? printList(name, lists.get(name) as string[]) : []));
  return ['  {', `    language: '${code}',`, ...printed, '  },'];
}

/** The generated file: path from the repository's root, text, and a summary of its content. */
export function makeOverrideWords(): [path: string, text: string, size: string] {
  const codes = overrideLanguages();
  const text = `// Made by \`npx tsx packages/core/generate/tables.ts\` from packages/classifier/words/override; change the lists there.

/** How a language says that earlier instructions no longer count; packages/classifier/words/README.md describes each list. */
export interface OverrideWords {
  readonly language: string;
  readonly verb: readonly string[];
  readonly earlier: readonly string[];
  readonly order: readonly string[];
  readonly orders?: readonly string[];
  readonly rule?: readonly string[];
  readonly rules?: readonly string[];
  readonly any?: readonly string[];
  readonly after?: readonly string[];
  readonly says: readonly string[];
  readonly perhaps?: readonly string[];
  readonly unlike?: readonly string[];
}

export const OVERRIDE_WORDS: readonly OverrideWords[] = [
${codes.flatMap(printLanguage).join('\n')}
];
`;
  return [TARGET, text, `${codes.length} languages`];
}
