// Documents cannot drift: code blocks come from examples that run, figures from evals/figures.json, links lead somewhere.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, readOptions, root } from './command.mjs';

const options = readOptions(
  `
Checks every Markdown file: a code block under <!-- snippet: examples/x/main.ts#region --> is that region,
a number inside <!-- figure: id -->...<!-- end --> is that figure, and relative links lead to files that exist.

  node tools/check-docs.mjs           exit 1 when something is stale
  node tools/check-docs.mjs --write   bring code blocks and figures up to date
`,
  { write: { type: 'boolean' } },
);

const SNIPPET = /(<!-- snippet: (\S+)#(\S+) -->\n```ts\n)([\s\S]*?)(```)/g;
const FIGURE = /(<!-- figure: (\S+) -->)(.*?)(<!-- end -->)/g;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g;
const figuresFile = join(root, 'evals', 'figures.json');
if (!existsSync(figuresFile))
  fail('evals/figures.json does not exist', 'run npm run coverage and the others that measure');
const figures = JSON.parse(readFileSync(figuresFile, 'utf8'));
const problems = [];
let checked = 0;

function regionOf(file, name) {
  const source = readFileSync(join(root, file), 'utf8');
  const match = new RegExp(`// #region ${name}\\n([\\s\\S]*?)// #endregion ${name}`).exec(source);
  if (match === null) problems.push(`${file} has no region ${name}`);
  return match?.[1] ?? '';
}

function figureOf(id) {
  if (!Object.hasOwn(figures, id)) problems.push(`evals/figures.json has no ${id}`);
  const { value, unit } = figures[id] ?? { value: 0, unit: '' };
  const number = Number.isInteger(value) ? value.toLocaleString('en-US') : String(value);
  return /^[a-zA-Z%]/.test(unit) && unit !== 'cases' ? `${number} ${unit}` : number;
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);
for (const file of files) {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const fresh = text
    .replace(SNIPPET, (_, before, example, name, __, after) => before + regionOf(example, name) + after)
    .replace(FIGURE, (_, before, id, __, after) => before + figureOf(id) + after);
  checked += [...text.matchAll(SNIPPET), ...text.matchAll(FIGURE)].length;
  if (fresh !== text && options.write) writeFileSync(path, fresh);
  else if (fresh !== text) problems.push(`${file} holds a stale snippet or figure`);
  // Code is not prose: `a[b](c)` is no link.
  for (const [, target] of text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(LINK)) {
    checked++;
    if (!existsSync(join(dirname(path), target))) problems.push(`${file} links to ${target}, which does not exist`);
  }
}
if (checked === 0) problems.push('no snippet, figure or link was read: the check itself is broken');
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems in documents`, 'run node tools/check-docs.mjs --write, then mend the rest');
console.log(`OK - ${checked} snippets, figures and links in ${files.length} documents`);
