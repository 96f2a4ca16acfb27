// Draws the scenarios of examples/hijacks from a real run: a page and one picture each.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root, run, sourceOptions } from '../command.mjs';
import { writePage } from './draw/page.mjs';
import { drawPicture } from './draw/picture.mjs';

const options = readOptions(
  `
Runs examples/hijacks from source and writes docs/hijacks.md and docs/hijacks/*.svg: what the model reads, what the classifier
flags, what the model calls, what the gate decides.

  node tools/docs/draw-hijacks.mjs           writes the page and the pictures
  node tools/docs/draw-hijacks.mjs --check   writes nothing, and exits 1 when a committed file is stale
`,
  { check: { type: 'boolean' } },
);

const FOLDER = join('docs', 'hijacks');

const example = [...sourceOptions, join('examples', 'hijacks', 'main.ts')];
const { code, output } = await run(process.execPath, [...example, '--json'], { timeout: 120_000 });
if (code !== 0) fail(`examples/hijacks exited with ${code}:\n${output}`, 'run npm run examples and correct it', 2);

const runs = JSON.parse(output);
if (runs.length === 0) fail('examples/hijacks ran no scenario', 'see its scenarios', 2);
const files = new Map([[join('docs', 'hijacks.md'), writePage(runs)]]);
for (const each of runs) files.set(join(FOLDER, `${each.scenario.id}.svg`), drawPicture(each));

const folder = join(root, FOLDER);
const present = existsSync(folder) ? readdirSync(folder).map((name) => join(FOLDER, name)) : [];
const obsolete = present.filter((file) => !files.has(file));

function isCurrent([file, text]) {
  const path = join(root, file);
  return existsSync(path) && readFileSync(path, 'utf8') === text;
}

const stale = [...files].filter((each) => !isCurrent(each)).map(([file]) => file);
if (options.check) {
  if (stale.length + obsolete.length > 0)
    fail(
      `stale: ${[...stale, ...obsolete].join(', ')}`,
      'run node tools/docs/draw-hijacks.mjs and look at the pictures',
    );
  console.log(`OK - ${files.size} files are up to date`);
} else {
  mkdirSync(folder, { recursive: true });
  for (const file of obsolete) rmSync(join(root, file));
  for (const [file, text] of files) writeFileSync(join(root, file), text);
  console.log(`OK - ${files.size} files written, ${stale.length} of them changed`);
}
