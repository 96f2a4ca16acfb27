// Documents of the repository, and what stands in them that comes from elsewhere: code of examples, and figures.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from '../command.mjs';

const SNIPPET = /(<!-- snippet: (\S+)#(\S+) -->\n```ts\n)([\s\S]*?)(```)/g;
const IMPORT = /^import (\{[^}]*\}|\w+) from '([^']+)';/gm;
/** What only the examples have. */
const PRIVATE = /^node:|^@sallyport\/conformance$/;
const FIGURE = /(<!-- figure: (\S+) -->)(.*?)(<!-- end -->)/g;

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
  if (!existsSync(file)) fail('evals/figures.json does not exist', 'run npm run coverage and the others that measure');
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The imports of a program of which a piece needs something, with the names it needs. */
function importsFor(source, piece) {
  const lines = [...source.matchAll(IMPORT)].flatMap(([, names, from]) => {
    const isDefault = !names.startsWith('{');
    const used = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && new RegExp(`(?<![.\\w])${name.replace(/^type /, '')}\\b(?!:)`).test(piece));
    return used.length === 0 || PRIVATE.test(from)
      ? []
      : [`import ${isDefault ? used[0] : `{ ${used.join(', ')} }`} from '${from}';\n`];
  });
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}

function regionOf(file, name, problems) {
  const source = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
  const match = new RegExp(`// #region ${name}\\n([\\s\\S]*?)// #endregion ${name}`).exec(source);
  if (match === null) problems.push(`${file} has no region ${name}`);
  const piece = match?.[1] ?? '';
  return importsFor(source, piece) + piece;
}

function shown(figures, id, problems) {
  if (!Object.hasOwn(figures, id)) problems.push(`evals/figures.json has no ${id}`);
  const { value, unit } = figures[id] ?? { value: 0, unit: '' };
  const number = Number.isInteger(value) ? value.toLocaleString('en-US') : String(value);
  return /^[a-zA-Z%]/.test(unit) && unit !== 'cases' ? `${number} ${unit}` : number;
}

/** How many figures a text quotes. */
export function figuresIn(text) {
  return [...text.matchAll(FIGURE)].length;
}

/**
 * A document with the code and the figures that it should hold.
 * @param {string} text
 * @param {string[]} problems are added to
 * @returns {{ fresh: string, count: number }}
 */
export function renew(text, problems) {
  const figures = readFigures();
  const fresh = text
    .replace(SNIPPET, (_, before, file, name, __, after) => before + regionOf(file, name, problems) + after)
    .replace(FIGURE, (_, before, id, __, after) => before + shown(figures, id, problems) + after);
  return { fresh, count: [...text.matchAll(SNIPPET)].length + figuresIn(text) };
}
