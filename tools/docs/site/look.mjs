// Checks every page of the site and two replay reports in Chromium, at the width of a phone and of a desktop, light and dark:
// accessibility with axe-core, and horizontal overflow. Tries the playground. Takes screenshots on request.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { endProgress, fail, progress, readOptions, root } from '../../command.mjs';
import { writeFigures } from '../../figures.mjs';
import { checkLinks } from './links.mjs';
import { tryPlayground } from './playground.mjs';
import { makeReports } from './reports.mjs';
import { serve } from './serve.mjs';

const options = readOptions(
  `
Opens the built site (npm run docs) and two reports of replay in Chromium at 390 and 1200 pixels, light and dark, and counts the
serious and critical findings of axe-core, and pages that are wider than the screen. Uses the playground. Writes the figure docs.axe_serious.

  npm run check -- site                   all pages; takes several minutes
  npm run check -- site --dry             no figure
  npm run check -- site --shots pictures  with a screenshot of each
`,
  { dry: { type: 'boolean' }, shots: { type: 'string' } },
);

const WIDTHS = [390, 1200];
const dist = join(root, 'site', 'dist');
const axeFile = join(root, 'site', 'node_modules', 'axe-core', 'axe.min.js');
const browserFile = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(dist) || !existsSync(axeFile)) fail('the site is not built', 'run npm run docs', 2);
if (!existsSync(browserFile)) fail(`${browserFile} does not exist`, 'install Chromium, or name it in CHROMIUM', 2);
if (options.shots) mkdirSync(options.shots, { recursive: true });

const scratch = mkdtempSync(join(tmpdir(), 'sallyport-look-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const axe = readFileSync(axeFile, 'utf8');
const reports = await makeReports(scratch);
const [site, other] = [await serve(dist), await serve(scratch)];
const built = checkLinks(dist).pages;
const addresses = [
  ...built.map((page) => ({ name: page, url: `${site.origin}/${page}` })),
  ...reports.map((page) => ({ name: page, url: `${other.origin}/${page}` })),
];
const browser = await chromium.launch({
  executablePath: browserFile,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
const problems = [];
let checked = 0;

/** Runs in the page. */
const look = async () => {
  const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
  return {
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    violations: violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      at: nodes[0]?.target.join(' '),
      count: nodes.length,
    })),
  };
};

for (const colorScheme of ['light', 'dark'])
  for (const width of WIDTHS) {
    // The policies of the pages stay in force: what a policy forbids its own page is an error of that page.
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push({ impact: 'error', text: `${page.url()}: ${error.message}` }));
    for (const { name, url } of addresses) {
      progress(`${name} at ${width}, ${colorScheme} (${++checked} of ${addresses.length * WIDTHS.length * 2})`);
      const response = await page.goto(url, { waitUntil: 'load' });
      if (!response?.ok())
        fail(`${name} does not exist`, 'run npm run docs, or update the list of pages in this tool', 2);
      await page.evaluate(axe);
      const { wide, violations } = await page.evaluate(look);
      const where = `${name} at ${width}, ${colorScheme}`;
      if (wide > 0) problems.push({ impact: 'error', text: `${where} is ${wide} pixels wider than the screen` });
      for (const { id, impact, at, count } of violations)
        problems.push({ impact, text: `${where}: ${id} (${impact}), ${count} times, first at ${at}` });
      if (options.shots)
        await page.screenshot({
          path: join(options.shots, `${name.replaceAll('/', '-').replace('.html', '')}-${width}-${colorScheme}.png`),
        });
    }
    await context.close();
  }
progress('the playground');
for (const text of await tryPlayground(browser, site.origin, axe)) problems.push({ impact: 'error', text });
endProgress();
await browser.close();
site.close();
other.close();

if (checked === 0) fail('no page was checked: the check itself is broken', 'check site/dist', 2);
const serious = problems.filter(({ impact }) => ['serious', 'critical'].includes(impact));
const errors = problems.filter(({ impact }) => impact === 'error');
for (const { text } of problems) console.error(text);
if (!options.dry)
  writeFigures({ 'docs.axe_serious': { value: serious.length, unit: 'findings', command: 'npm run check -- site' } });
if (serious.length + errors.length > 0)
  fail(`${serious.length} serious findings, ${errors.length} errors`, 'correct the theme or the page');
console.log(
  `OK - ${addresses.length} pages checked in ${checked} views: no serious finding, ${problems.length} lesser ones`,
);
