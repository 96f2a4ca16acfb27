// The titles in test files: of tests, of groups, of rows in tables, and the ids of invariants.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../command.mjs';
import { PROGRAMS } from '../programs.mjs';

// A string after `title:` or `id:`, as the first argument of a call such as it(), describe() or the second call of it.each(),
// or as the first element of a row.
const TITLE = /(?:\b(?:title|id):|[\w)\]]\(|\[)\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`)/g;

const unescaped = (text) => text.replace(/\\(.)/g, '$1');

/** @type {Map<string, readonly string[] | undefined>} */
const read = new Map();

/** The titles in a file; undefined if it does not exist. */
function titlesIn(file) {
  if (read.has(file)) return read.get(file);
  const path = join(root, file);
  const titles = existsSync(path)
    ? Array.from(readFileSync(path, 'utf8').matchAll(TITLE), (match) => unescaped(match[1] ?? match[2] ?? match[3]))
    : undefined;
  read.set(file, titles);
  return titles;
}

/**
 * What is wrong with a reference to a test, `path/to/file.test.ts > the beginning of a title`, or to a program that tests,
 * `npm run bench -- linear`. Undefined if it exists.
 * @param {string} reference
 * @returns {string | undefined}
 */
export function problemOfTest(reference) {
  const [, group, program] = /^npm run (\w+) -- ([\w-]+)$/.exec(reference) ?? [];
  if (group !== undefined)
    return PROGRAMS[group]?.[program] === undefined ? `tools/programs.mjs has no ${reference}` : undefined;
  const [file, title = '', ...rest] = reference.split(' > ');
  if (title.trim() === '' || rest.length > 0) return `${reference} must be "file > the beginning of a title"`;
  const titles = titlesIn(file);
  if (titles === undefined) return `${file} does not exist`;
  return titles.some((each) => each.startsWith(title)) ? undefined : `${file} has no title "${title}"`;
}
