// The documentation as a site: pages gathered from the repository, the reference from the sources, built, every link followed.
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
Builds the documentation into site/dist and follows every link in it. Installs what it needs under site/ the first time.
Writes the figure docs.dead_links; exit 1 when a link leads nowhere.

  npm run docs              build, check, write evals/figures.json
  npm run docs -- --dry     write no figure
  npm run docs -- --serve   then serve it at http://localhost:4173
`,
  { dry: { type: 'boolean' }, serve: { type: 'boolean' } },
);

const site = join(root, 'site');
const pages = join(site, 'pages');

/** Runs one step, whose words are shown only when it fails. */
async function step(what, program, args, next) {
  progress(what);
  const { code, output } = await run(program, args, { cwd: site });
  endProgress();
  if (code !== 0) fail(`${what} fails:\n${output}`, next);
}

function isInstalled() {
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((name) => join(site, name));
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

if (!isInstalled()) await step('installing under site/', 'npm', ['ci'], 'look whether the registry answers');
progress('gathering');
const gathered = gather(pages);
progress('reading the sources');
const problem = await describe(join(pages, 'api'));
endProgress();
if (problem) fail(`typedoc fails:\n${problem}`, 'run npm run typecheck, and mend what it names');
rmSync(join(site, 'dist'), { recursive: true, force: true });
const vitepress = join(site, 'node_modules/vitepress/bin/vitepress.js');
await step('building', process.execPath, [vitepress, 'build'], 'mend the page that is named above');

const { pages: built, checked, dead } = checkLinks(join(site, 'dist'));
if (checked === 0 || built.length < gathered)
  fail('pages or links are missing: the check itself is broken', 'look into site/dist', 2);
const foreign = foreignIn(join(site, 'dist'));
for (const line of [...foreign, ...dead]) console.error(line);
if (!options.dry) writeFigures({ 'docs.dead_links': { value: dead.length, unit: 'links', command: 'npm run docs' } });
if (dead.length + foreign.length > 0)
  fail(`${dead.length} links lead nowhere, ${foreign.length} things are loaded from elsewhere`, 'mend the documents');
console.log(`OK - ${built.length} pages, ${checked} links, all lead somewhere: site/dist`);
if (options.serve) await run(process.execPath, [vitepress, 'preview', '--port', '4173'], { cwd: site, show: true });
