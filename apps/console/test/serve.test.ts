import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createConsole } from '../serve/index.ts';

const outside = mkdtempSync(join(tmpdir(), 'console-'));
const folder = join(outside, 'dist');
mkdirSync(join(folder, 'assets'), { recursive: true });
writeFileSync(join(outside, 'secret.txt'), 'secret');
writeFileSync(join(folder, 'index.html'), 'the page');
writeFileSync(join(folder, 'assets', 'main-1234.js'), 'the script');
afterAll(() => rmSync(outside, { recursive: true }));

const answer = createConsole(folder);
const ask = (path: string, init?: RequestInit): Response => answer(new Request(`http://localhost${path}`, init));

describe('the console', () => {
  test.each([
    { title: 'the page', path: '/console/', body: 'the page', type: 'text/html; charset=utf-8', cache: 'no-store' },
    {
      title: 'a view',
      path: '/console/approvals?x=1',
      body: 'the page',
      type: 'text/html; charset=utf-8',
      cache: 'no-store',
    },
    {
      title: 'a hashed file',
      path: '/console/assets/main-1234.js',
      body: 'the script',
      type: 'text/javascript; charset=utf-8',
      cache: 'public, max-age=31536000, immutable',
    },
  ])('serves $title with strict headers', async ({ path, body, type, cache }) => {
    const response = await ask(path);
    const { headers } = response;
    expect([response.status, await response.text()]).toEqual([200, body]);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([type, cache]);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers.get('content-security-policy')).toMatch(
      /frame-ancestors 'none'; require-trusted-types-for 'script'/,
    );
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  test('redirects from its name to its folder', async () => {
    const response = await ask('/console');
    expect([response.status, response.headers.get('location')]).toEqual([308, '/console/']);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses %s', async (method) => {
    const response = await ask('/console/', { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('answers HEAD without a body', async () => {
    const response = await ask('/console/', { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '8', '']);
  });

  test.each([
    { title: 'dots', path: '/console/../secret.txt' },
    { title: 'encoded dots', path: '/console/%2e%2e/secret.txt' },
    { title: 'encoded slashes', path: '/console/..%2fsecret.txt' },
    { title: 'backslashes', path: '/console/..%5csecret.txt' },
    { title: 'dots below the hashed files', path: '/console/assets/..%2f..%2fsecret.txt' },
    { title: 'an absolute path', path: '/console//etc/passwd' },
    { title: 'a null byte', path: '/console/index.html%00.js' },
    { title: 'a name of the object', path: '/console/constructor' },
  ])('never reads a file outside of its folder, by $title', async ({ path }) => {
    const text = await (await ask(path)).text();
    expect(text === 'the page' || text.includes('another version')).toBe(true);
  });

  test.each([
    { title: 'that can read it', accepts: 'br, gzip', encoding: 'gzip' },
    { title: 'that refuses it', accepts: 'gzip;q=0', encoding: null },
    { title: 'that says nothing', accepts: '', encoding: null },
  ])('is compressed for a browser $title', async ({ accepts, encoding }) => {
    const response = await ask('/console/', { headers: { 'accept-encoding': accepts } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('accept-encoding');
  });

  test('answers a file of another version with 404, so that no page is taken for a script', async () => {
    expect((await ask('/console/assets/main-5678.js')).status).toBe(404);
  });

  test('says how to build it if it is not built', async () => {
    const response = createConsole(join(outside, 'nowhere'))(new Request('http://localhost/console/'));
    expect([response.status, ((await response.json()) as { next: string }).next]).toEqual([
      404,
      'Run npm run build, and start again.',
    ]);
  });
});
