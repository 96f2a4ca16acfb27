// Takes a screenshot of a conversation in a report of `sallyport replay`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { readOptions, root } from '../command.mjs';
import { makeReports } from './site/reports.mjs';

readOptions(`
Replays a hijacked conversation, and writes a screenshot of it in the report to docs/replay/report.png.
Needs Chromium (/usr/bin/chromium, or the path in CHROMIUM) and a build: npm run build.

  node tools/docs/draw-report.mjs
`);

const folder = mkdtempSync(join(tmpdir(), 'sallyport-report-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await makeReports(folder);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: { width: 960, height: 900 }, colorScheme: 'light' });
await page.goto(pathToFileURL(join(folder, 'replay-hijacked.html')).href);
mkdirSync(join(root, 'docs', 'replay'), { recursive: true });
await page.locator('details[open]').screenshot({ path: join(root, 'docs', 'replay', 'report.png') });
await browser.close();
console.log('OK - docs/replay/report.png written');
