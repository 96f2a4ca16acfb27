// A page in headless Chromium that loads the installed packages without a bundler, through an import map.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import { publicPackages } from './packages.mjs';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
};
// No 'unsafe-eval': a page with a strict policy can use the library.
const policy = "default-src 'none'; script-src 'self' 'nonce-page'; connect-src 'self'";
const flags = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

function page() {
  const imports = { '@noble/hashes/': '/node_modules/@noble/hashes/' };
  for (const { name, manifest } of publicPackages()) {
    for (const [path, { default: entry }] of Object.entries(manifest.exports))
      if (entry !== undefined) imports[join(name, path)] = `/${join('node_modules', name, entry)}`;
  }
  return `<!doctype html><meta charset="utf-8"><title>consumer</title>
<script type="importmap" nonce="page">${JSON.stringify({ imports })}</script>
<script type="module" nonce="page">
import('/consumer.mjs').catch((error) => { window.result = String(error.stack ?? error); });
</script>`;
}

function serve(project, program) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = path === '/consumer.mjs' ? program : join(project, path);
    if (path !== '/' && path !== '/consumer.mjs' && (!path.startsWith('/node_modules/') || !existsSync(file))) {
      response.writeHead(404).end();
      return;
    }
    const type = types[path === '/' ? '.html' : extname(file)] ?? 'text/plain';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
    response.end(path === '/' ? page() : readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/**
 * Loads `program` in a page and waits for `window.result`; 'ok' is success, anything else is what went wrong.
 * @param {string} project where the packages are installed
 * @param {string} program
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runInBrowser(project, program) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    const output = `error: there is no Chromium at ${executablePath}\n next: apt-get install chromium, or set CHROMIUM to its path`;
    return { code: 2, output };
  }
  const server = await serve(project, program);
  const browser = await chromium.launch({ executablePath, args: flags });
  const notes = [];
  try {
    const view = await browser.newPage();
    view.on('console', (message) => notes.push(message.text()));
    view.on('pageerror', (error) => notes.push(String(error)));
    await view.goto(`http://127.0.0.1:${server.address().port}/`);
    for (let waited = 0; waited < 30_000; waited += 50) {
      const result = await view.evaluate(() => window.result);
      if (result !== undefined) return { code: result === 'ok' ? 0 : 1, output: [result, ...notes].join('\n') };
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { code: 1, output: ['the page set no window.result within 30 s', ...notes].join('\n') };
  } finally {
    await browser.close();
    server.close();
  }
}
