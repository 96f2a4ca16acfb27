// The repository's documents, and the parts of them that are generated: code of examples, figures, and tables of results.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from '../command.mjs';
import { NUMBER_TABLES, numberOf, numbersTable } from './numbers-tables.mjs';
import { secondTierTable } from './second-tier-table.mjs';
import { wrapProfileTable } from './wrap-profile-table.mjs';

const SNIPPET = /(<!-- snippet: (\S+)#(\S+) -->\n```tsx?(?: \[[^\]\n]*\])?\n)([\s\S]*?)(```)/g;
const IMPORT = /^import (type )?(\{[^}]*\}|\w+) from '([^']+)';/gm;
/** Modules that only the examples use. */
const PRIVATE = /^node:/;
/** Lines that mark a region inside another one. */
const MARKERS = /^ *\/\/ #(?:end)?region \S+\n/gm;
const TABLE = /(<!-- table: (\S+) -->\n)([\s\S]*?)(<!-- end table -->)/g;
const FIGURE = /(<!-- figure: (\S+) -->)(.*?)(<!-- end -->)/g;

/** Tables of results, by the names of the results in evals/results. */
const TABLES = {
  'second-tier': { results: ['second-tier'], write: secondTierTable },
  'wrap-profile': { results: ['wrap-profile'], write: wrapProfileTable },
  ...Object.fromEntries(
    NUMBER_TABLES.map((name) => [
      `numbers-${name}`,
      { results: ['../figures'], write: (figures) => numbersTable(name, figures) },
    ]),
  ),
};

/** Every Markdown file, by its path in the repository. */
export function documents() {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));
}

function readFigures() {
  const file = join(root, 'evals', 'figures.json');
  if (!existsSync(file))
    fail('evals/figures.json does not exist', 'run the commands that measure, such as npm run coverage');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The import lines that a region of a program needs and does not have itself, reduced to the names that it uses. */
function importsFor(source, piece) {
  const own = new Set([...piece.matchAll(IMPORT)].map(([, , , from]) => from));
  const others = [...source.matchAll(IMPORT)].filter(([, , , from]) => !own.has(from));
  const lines = others.flatMap(([, type = '', names, from]) => {
    const isDefault = !names.startsWith('{');
    const used = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && new RegExp(`(?<![.\\w])${name.replace(/^type /, '')}\\b(?!:)`).test(piece));
    return used.length === 0 || PRIVATE.test(from)
      ? []
      : [`import ${type}${isDefault ? used[0] : `{ ${used.join(', ')} }`} from '${from}';\n`];
  });
  return lines.length === 0 ? '' : lines.join('') + (piece.startsWith('import ') ? '' : '\n');
}

/** A region of an indented block, without the indent that its lines share. */
function unindented(piece) {
  const lines = piece.replace(/ +$/, '').split('\n');
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(shared)).join('\n');
}

function regionOf(file, name, problems) {
  const source = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
  const match = new RegExp(`// #region ${name}\\n([\\s\\S]*?)// #endregion ${name}`).exec(source);
  if (match === null) problems.push(`${file} has no region ${name}`);
  const piece = unindented((match?.[1] ?? '').replace(MARKERS, ''));
  return importsFor(source, piece) + piece;
}

function readResult(name) {
  return JSON.parse(readFileSync(join(root, 'evals', 'results', `${name}.json`), 'utf8'));
}

function tableOf(name, problems) {
  if (!Object.hasOwn(TABLES, name)) problems.push(`tools/docs/documents.mjs has no table ${name}`);
  const { results = [], write = () => '' } = TABLES[name] ?? {};
  return `\n${write(...results.map(readResult))}\n`;
}

/** A figure with its unit. `id:number` is without the unit, and `id:percent` turns a share into percent. */
function shown(figures, reference, problems) {
  const [id, form] = reference.split(':');
  if (!Object.hasOwn(figures, id)) problems.push(`evals/figures.json has no ${id}`);
  const { value, unit } = figures[id] ?? { value: 0, unit: '' };
  const plain = numberOf(value, form);
  const number = Number.isInteger(plain) ? plain.toLocaleString('en-US') : String(plain);
  if (form !== undefined) return form === 'percent' ? `${number} %` : number;
  return /^[a-zA-Z%]/.test(unit) && unit !== 'cases' ? `${number} ${unit}` : number;
}

/** The number of figures in a text. */
export function figuresIn(text) {
  return [...text.matchAll(FIGURE)].length;
}

/**
 * A document with up-to-date code blocks, tables and figures.
 * @param {string} text
 * @param {string[]} problems receives what is wrong
 * @returns {{ updated: string, count: number }}
 */
export function updateDocument(text, problems) {
  const figures = readFigures();
  const updated = text
    .replace(SNIPPET, (_, before, file, name, __, after) => before + regionOf(file, name, problems) + after)
    .replace(TABLE, (_, before, name, __, after) => before + tableOf(name, problems) + after)
    .replace(FIGURE, (_, before, id, __, after) => before + shown(figures, id, problems) + after);
  const generated = [SNIPPET, TABLE].flatMap((pattern) => [...text.matchAll(pattern)]);
  return { updated, count: generated.length + figuresIn(text) };
}
