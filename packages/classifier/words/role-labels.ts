// Generates packages/classifier/src/language/role-labels.ts from roles/labels.txt. README.md describes the format.
import { readFileSync } from 'node:fs';
import { expandEndings } from '../src/language/spelling.ts';
import { literal, wrap } from './request-words.ts';

const TARGET = 'packages/classifier/src/language/role-labels.ts';
const LINE = /^(label|prompt|notice): (\S.*)$/;

/** Reads the labels: the name of a list, a colon and labels; `_` is the blank in a label. */
export function parseRoleLabels(text: string): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const [, list, labels] = LINE.exec(line) ?? [];
    if (list === undefined || labels === undefined)
      throw new Error(
        `labels.txt:${index + 1}: expected "label:", "prompt:" or "notice:" and labels, received "${line}".`,
      );
    lists.set(list, [...(lists.get(list) ?? []), ...labels.split(' ').flatMap(expandEndings)]);
  }
  return lists;
}

function print(labels: readonly string[] = []): string {
  return wrap(labels, ' ')
    .map((piece) => `  ${literal(piece)},`)
    .join('\n');
}

/** The generated file: path from the repository's root, text, and a summary of its content. */
export function makeRoleLabels(): [path: string, text: string, size: string] {
  const lists = parseRoleLabels(readFileSync(new URL('./roles/labels.txt', import.meta.url), 'utf8'));
  const text = `// Made by \`npx tsx packages/core/generate/tables.ts\` from packages/classifier/words/roles; change the lists there.

/** What a message to a model from its developer or operator is called. */
export const LABELS: readonly string[] = [
${print(lists.get('label'))}
];

/** What people call the text that they gave a model. A new one is another matter. */
export const PROMPTS: readonly string[] = [
${print(lists.get('prompt'))}
];

/** What the messages of other systems are called as well. */
export const NOTICES: readonly string[] = [
${print(lists.get('notice'))}
];
`;
  return [TARGET, text, `${[...lists.values()].flat().length} labels`];
}
