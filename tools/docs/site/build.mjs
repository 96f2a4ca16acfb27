// Builds the documentation site: pages from the repository's documents, a reference from the sources; then checks every link.
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { endProgress, fail, progress, readOptions, root, run } from '../../command.mjs';
import { writeFigures } from '../../figures.mjs';
import { describe } from './describe.mjs';
import { foreignIn } from './foreign.mjs';
import { gather } from './gather.mjs';
import { checkLinks } from './links.mjs';

const options = readOptions(
  `
Builds the documentation into site/dist and checks every link in it. Installs its own dependencies under site/ the first time.
Writes the figure docs.dead_links; exit 1 when a link is dead.

  npm run docs              build, check, write evals/figures.json
  npm run docs -- --dry     write no figure
  npm run docs -- --serve   then serve it at http://localhost:4173
`,
  { dry: { type: 'boolean' }, serve: { type: 'boolean' } },
);

const site = join(root, 'site');
const pages = join(site, 'pages');

/** Runs one step; prints its output only when it fails. */
async function step(what, program, args, next) {
  progress(what);
  const { code, output } = await run(program, args, { cwd: site });
  endProgress();
  if (code !== 0) fail(`${what} failed:\n${output}`, next);
}

function isInstalled() {
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((name) => join(site, name));
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

if (!isInstalled()) await step('installing under site/', 'npm', ['ci'], 'check that the registry is reachable');
progress('gathering');
const gathered = gather(pages);
progress('reading the sources');
const problem = await describe(join(pages, 'api'));
endProgress();
if (problem) fail(`typedoc failed:\n${problem}`, 'run npm run typecheck, and correct what it names');
rmSync(join(site, 'dist'), { recursive: true, force: true });
const vitepress = join(site, 'node_modules/vitepress/bin/vitepress.js');
await step('building', process.execPath, [vitepress, 'build'], 'correct the page that is named above');

const { pages: built, checked, dead } = checkLinks(join(site, 'dist'));
if (checked === 0 || built.length < gathered)
  fail('pages or links are missing: the check itself is broken', 'check site/dist', 2);
const foreign = foreignIn(join(site, 'dist'));
for (const line of [...foreign, ...dead]) console.error(line);
if (!options.dry) writeFigures({ 'docs.dead_links': { value: dead.length, unit: 'links', command: 'npm run docs' } });
if (dead.length + foreign.length > 0)
  fail(`${dead.length} dead links, ${foreign.length} resources from other hosts`, 'correct the documents');
console.log(`OK - ${built.length} pages, ${checked} links, none dead: site/dist`);
if (options.serve) await run(process.execPath, [vitepress, 'preview', '--port', '4173'], { cwd: site, show: true });
