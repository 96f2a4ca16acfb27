// Checks that documents match the repository: code blocks come from examples, figures from evals/figures.json, tables from results, links resolve.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { documents, updateDocument } from '../docs/documents.mjs';

const options = readOptions(
  `
Checks every Markdown file: a code block under <!-- snippet: examples/x/main.ts#region --> is that region,
a number inside <!-- figure: id -->...<!-- end --> is that figure, a table under <!-- table: name --> is that of the
committed results, and every relative link names a file that exists.

  node tools/check/docs.mjs           exit 1 when something is stale
  node tools/check/docs.mjs --write   update code blocks, tables and figures
`,
  { write: { type: 'boolean' } },
);

const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g;
const problems = [];
let checked = 0;
const files = documents();
for (const file of files) {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const { updated, count } = updateDocument(text, problems);
  checked += count;
  if (updated !== text && options.write) writeFileSync(path, updated);
  else if (updated !== text) problems.push(`${file} contains a stale snippet, table or figure`);
  // Code is skipped: `a[b](c)` in code is not a link.
  for (const [, target] of text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(LINK)) {
    checked++;
    if (!existsSync(join(dirname(path), target))) problems.push(`${file} links to ${target}, which does not exist`);
  }
}
if (checked === 0) problems.push('no snippet, figure or link was read: the check itself is broken');
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems in documents`, 'run node tools/check/docs.mjs --write, then correct the rest');
console.log(`OK - ${checked} snippets, figures and links in ${files.length} documents`);
