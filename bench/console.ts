// Measures the console with very many messages and held calls, against a bare list of the same texts in the same browser.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ApprovalFiles } from '../apps/cli/src/approve/approval-files.ts';
import { createUiApi } from '../apps/cli/src/ui/api.ts';
import { Entrance } from '../apps/cli/src/ui/entrance.ts';
import { createPages } from '../apps/cli/src/ui/pages.ts';
import { ReplayedConversations } from '../apps/cli/src/ui/replayed.ts';
import { serveLocally } from '../apps/cli/src/ui/server.ts';
import { endProgress, fail, progress, readOptions } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Opens the console in Chromium with a conversation of 10,000 messages (50 MB), and with 500 held calls, and a bare page with a list of
the same texts. Measures the time until the first text is shown, the time of frames while it scrolls, and the memory of the
page, as ratios to the bare list. Rounds alternate, and the medians count. If the slowest twentieth of the frames is more than
twice as slow as that of the bare list, fewer messages are tried.

  npm run bench -- console             writes evals/results/console.json and its figure
  npm run bench -- console --dry       write nothing
  npm run bench -- console --rounds 1  fewer rounds; writes nothing
`,
  { dry: { type: 'boolean' }, rounds: { type: 'string' } },
);

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const rounds = Number(options.rounds ?? 3);
if (!(rounds >= 1)) fail(`--rounds must be at least 1; received ${options.rounds}`, 'use --rounds 3', 2);
if (!existsSync(CHROMIUM)) fail('Chromium is not installed', 'apt-get install chromium, or set CHROMIUM', 2);

const COUNTS = [10_000, 5000, 2000, 500];
const CHARACTERS = 5000;
/** Characters of a message that the console shows at first. */
const SHOWN = 1500;
const HELD = 500;
const FRAMES = 240;
const STEP = 150;

interface Measured {
  /** Milliseconds from the navigation to the first text. */
  readonly shown: number;
  /** Milliseconds of a frame while scrolling. */
  readonly frame: number;
  /** The same for the slowest twentieth. */
  readonly slow: number;
  readonly heap: number;
  readonly nodes: number;
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const median = (values: readonly number[]): number => quantile(values, 0.5);
const rounded = (value: number): number => Number(value.toPrecision(4));

const textOf = (index: number): string =>
  `Message ${index}. `.padEnd(CHARACTERS + (index % 7) * 90, 'lorem ipsum dolor ');

/** Notes when the first element is there that matches, and has been painted. */
function watch(selector: string): string {
  return `new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.shownAt = performance.now(); }, 0));
  }).observe(document, { childList: true, subtree: true });`;
}

const SCROLL = `new Promise((resolve) => {
  const times = [];
  let last = performance.now();
  const step = (now) => {
    times.push(now - last);
    last = now;
    if (times.length > ${FRAMES}) return resolve(times.slice(1));
    scrollBy(0, ${STEP});
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

async function measure(page: Page, url: string, selector: string): Promise<Measured> {
  await page.addInitScript(watch(selector));
  await page.goto(url, { waitUntil: 'commit' });
  let shown: number | undefined;
  while (shown === undefined) {
    await page.waitForTimeout(100);
    shown = (await page.evaluate('window.shownAt')) as number | undefined;
  }
  await page.waitForLoadState('load');
  // The rest of the conversation arrives while the first part is shown.
  await page.waitForTimeout(3000);
  const times = (await page.evaluate(SCROLL)) as number[];
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string): number => metrics.find((each) => each.name === name)?.value ?? 0;
  return {
    shown,
    frame: median(times),
    slow: quantile(times, 0.95),
    heap: metric('JSHeapUsedSize') / 1e6,
    nodes: metric('Nodes'),
  };
}

const state = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
const approvals = new ApprovalFiles(state);
const callOf = (index: number) => ({
  server: 'mail',
  conversation: `conversation ${index}`,
  tool: 'send_email',
  arguments: JSON.stringify({ to: `person${index}@example.com`, body: textOf(index).slice(0, 400) }),
  rule: 'requested',
  reason: '"to" is from a request in web.fetch, where outsiders write.',
  scopes: ['once'] as const,
  evidence: [],
});

/** A page with nothing but the texts. */
function barePage(texts: readonly string[]): Response {
  const items = texts.map((text) => `<li>${text}</li>`).join('\n');
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>list</title><ol>${items}</ol></html>`;
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

interface Served {
  readonly origin: string;
  readonly link: string;
  close(): void;
}

async function serve(count: number): Promise<Served> {
  const replayed = new ReplayedConversations('ada');
  const entries = Array.from({ length: count }, (_, index) => {
    const part = { recordId: `r${index}`, part: 0, name: 'web.fetch', text: textOf(index), spans: [] };
    return { type: 'read' as const, origin: index % 3 === 0 ? ('external' as const) : ('user' as const), ...part };
  });
  replayed.add({ id: 'long', entries });
  const ended = new AbortController();
  const entrance = new Entrance();
  const api = createUiApi({ stateFolder: state, principal: 'ada', replayed, ended: ended.signal });
  const host = (): string => `bench.localhost:${server.port}`;
  const pages = createPages({ host, entrance, api, onClosed: () => undefined });
  const server = await serveLocally(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/bare/messages')
      return barePage(Array.from({ length: count }, (_, index) => textOf(index).slice(0, SHOWN)));
    if (pathname === '/bare/approvals')
      return barePage(Array.from({ length: HELD }, (_, index) => JSON.stringify(callOf(index))));
    return pages(request);
  }, 0);
  const origin = `http://${host()}`;
  return {
    origin,
    link: entrance.link(origin),
    close() {
      ended.abort();
      server.close();
    },
  };
}

const CASES = [
  { name: 'messages', path: '/console/conversations/0', selector: '.rows > li' },
  { name: 'approvals', path: '/console/approvals', selector: '.cards > li' },
] as const;

const relations = (console: Measured, bare: Measured) => ({
  shown: rounded(console.shown / bare.shown),
  frame: rounded(console.frame / bare.frame),
  slow: rounded(console.slow / bare.slow),
  heap: rounded(console.heap / bare.heap),
  nodes: rounded(console.nodes / bare.nodes),
});

function middle(all: readonly Measured[]): Measured {
  const of = (name: keyof Measured): number => rounded(median(all.map((each) => each[name])));
  return { shown: of('shown'), frame: of('frame'), slow: of('slow'), heap: of('heap'), nodes: of('nodes') };
}

async function run(browser: Browser, count: number) {
  const served = await serve(count);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await (await context.newPage()).goto(served.link);
  const results = [];
  for (const { name, path, selector } of CASES) {
    const [own, bare]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      progress(`${count} messages: ${name}, round ${round + 1} of ${rounds}`);
      for (const [list, to, what] of [[bare, `/bare/${name}`, 'ol > li'] as const, [own, path, selector] as const]) {
        const page = await context.newPage();
        list.push(await measure(page, `${served.origin}${to}`, what));
        await page.close();
      }
    }
    const [console, list] = [middle(own), middle(bare)];
    results.push({
      name,
      count: name === 'messages' ? count : HELD,
      console,
      bare: list,
      ratio: relations(console, list),
    });
  }
  await context.close();
  served.close();
  return results;
}

for (let index = 0; index < HELD; index++) approvals.askNow(callOf(index));
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
const tried = [];
let fluent = 0;
for (const count of COUNTS) {
  const results = await run(browser, count);
  tried.push(...results);
  if ((results[0]?.ratio.slow ?? Number.POSITIVE_INFINITY) > 2) continue;
  fluent = count;
  break;
}
endProgress();
await browser.close();
rmSync(state, { recursive: true });
for (const { name, count, console: own, bare, ratio } of tried)
  console.log(
    `${count} ${name}: shown after ${own.shown} ms (bare ${bare.shown}, ${ratio.shown} x), frame ${own.frame} ms (${ratio.frame} x), slowest twentieth ${own.slow} ms (${ratio.slow} x), ${own.heap} MB (${ratio.heap} x), ${own.nodes} nodes (${ratio.nodes} x)`,
  );
if (options.dry !== true && rounds >= 3) {
  const command = 'npm run bench -- console';
  // Both pages share the machine with whatever else runs on it: the ratios say more than the times.
  const machine = { cpus: availableParallelism(), load: rounded(loadavg()[0] ?? 0) };
  writeResult('console', { command, rounds, machine, results: tried });
  writeFigures({ 'console.messages_fluent': { value: fluent, unit: 'messages', command } });
}
process.exit(0);
