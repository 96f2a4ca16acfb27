import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HeldCall } from '@sallyport/core';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeldAnswer } from '../src/index.ts';
import { EVIL, heldCall, heldCalls } from './calls.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

interface Server {
  load: () => Promise<readonly HeldCall[]>;
  settle: (id: string, answer: HeldAnswer) => Promise<unknown>;
}

/** A server whose calls wait until they are answered. */
function serverWith(...waiting: HeldCall[]) {
  const answers: HeldAnswer[] = [];
  const server: Server = {
    load: async () => waiting.slice(),
    settle: async (_, answer) => {
      answers.push(answer);
      waiting.pop();
    },
  };
  return { server, answers, waiting };
}

// In real React and a real browser: keys, focus and timers are the browser's own.
describe.skipIf(!existsSync(CHROMIUM))('held calls in a browser', () => {
  let browser: Browser;
  let script: string;

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('page.tsx', import.meta.url))],
      ...{ bundle: true, write: false, format: 'iife', jsx: 'automatic', conditions: ['@sallyport/source'] },
      define: { 'process.env.NODE_ENV': '"development"' },
    });
    script = outputFiles[0]?.text ?? '';
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser?.close());

  async function open(server: Server, approveDelay?: number): Promise<Page> {
    const page = await browser.newPage();
    if (approveDelay !== undefined) await page.addInitScript(`window.approveDelay = ${approveDelay}`);
    await page.goto('about:blank');
    await page.exposeFunction('load', () => server.load());
    await page.exposeFunction('settle', (id: string, answer: HeldAnswer) => server.settle(id, answer));
    await page.setContent('<!doctype html><html lang="en"><title>Held calls</title><div id="root"></div></html>');
    await page.addScriptTag({ content: script });
    return page;
  }

  const state = (page: Page) => page.locator('#state').textContent();
  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('are loaded again and again', async () => {
    const { server, waiting } = serverWith();
    const page = await open(server);
    await expect.poll(() => state(page)).toBe('0 waiting');
    waiting.push(await heldCall());
    await expect.poll(() => state(page)).toBe('1 waiting');
    await page.close();
  });

  it.each([
    { name: 'Reject', answer: { outcome: 'reject', note: 'not known' } },
    { name: 'Allow once', answer: { outcome: 'approve', scope: 'once' } },
    { name: 'Allow until my next message', answer: { outcome: 'approve', scope: 'task' } },
    { name: 'Allow in this conversation', answer: { outcome: 'approve', scope: 'conversation' } },
    { name: 'Always allow', answer: { outcome: 'approve', scope: 'always' } },
  ])('are answered with $name', async ({ name, answer }) => {
    const { boundary, calls } = await heldCalls();
    const { server, answers } = serverWith(...calls);
    const page = await open(server);
    await page.getByRole('button', { name, exact: true }).click();
    await expect.poll(() => state(page)).toBe('0 waiting');
    expect(answers).toEqual([answer]);
    // What the hook sends is what core takes, with the name of the person.
    expect(await boundary.settle(calls[0]?.id ?? '', { ...(answers[0] as HeldAnswer), by: 'ann' })).toBe(true);
    await page.close();
  });

  it('are not allowed by a click that was meant for what was there before', async () => {
    const { server, answers } = serverWith(await heldCall());
    const page = await open(server, 1_000_000);
    const once = page.getByRole('button', { name: 'Allow once' });
    await once.waitFor();
    await once.click({ force: true });
    expect(await page.getByRole('button', { name: 'Always allow' }).isDisabled()).toBe(true);
    expect(answers).toEqual([]);
    await page.getByRole('button', { name: 'Reject' }).click();
    await expect.poll(() => answers.length).toBe(1);
    await page.close();
  });

  it('are overridden with the keyboard, after the box is ticked', async () => {
    const { boundary, calls } = await heldCalls(EVIL, { account: 'EVIL-666', amount: 900 });
    const { server, answers } = serverWith(...calls);
    const page = await open(server);
    const override = page.getByRole('button', { name: 'Allow once anyway' });
    await override.waitFor();
    expect(await override.isDisabled()).toBe(true);
    await press(page, 'Tab', 'Space');
    await expect.poll(() => override.isEnabled()).toBe(true);
    await press(page, 'Tab', 'Tab', 'Enter');
    await expect.poll(() => state(page)).toBe('0 waiting');
    expect(answers).toEqual([{ outcome: 'approve', acknowledge: true }]);
    expect(await boundary.settle(calls[0]?.id ?? '', { ...(answers[0] as HeldAnswer), by: 'ann' })).toBe(true);
    await page.close();
  });

  it('stay, with an error, if the server does not accept an answer', async () => {
    const { server } = serverWith(await heldCall());
    server.settle = () => Promise.reject(new Error('Log in first.'));
    const page = await open(server);
    const once = page.getByRole('button', { name: 'Allow once' });
    await once.click();
    await expect.poll(() => state(page)).toContain('Log in first.');
    await expect.poll(() => once.isEnabled()).toBe(true);
    let loads = 0;
    const { load } = server;
    server.load = () => {
      loads++;
      return load();
    };
    await expect.poll(() => loads).toBeGreaterThan(2);
    expect(await state(page)).toContain('Log in first.');
    await page.close();
  });

  it('stay, with an error, if the server does not answer', async () => {
    const { server } = serverWith(await heldCall());
    const page = await open(server);
    const once = page.getByRole('button', { name: 'Allow once' });
    await once.waitFor();
    const { load } = server;
    server.load = () => Promise.reject(new Error('The server is away.'));
    await expect.poll(() => state(page)).toContain('The server is away.');
    expect(await once.count()).toBe(1);
    server.load = load;
    await expect.poll(() => state(page)).toBe('1 waiting');
    await page.close();
  });

  it('that were answered do not come back with a list that was asked for earlier', async () => {
    const call = await heldCall();
    const { server } = serverWith(call);
    const page = await open(server);
    const once = page.getByRole('button', { name: 'Allow once' });
    await once.waitFor();
    let release = (_: readonly HeldCall[]): void => undefined;
    let isAsked = false;
    server.load = () => {
      isAsked = true;
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    await expect.poll(() => isAsked).toBe(true);
    const late = release;
    server.load = async () => [];
    await once.click();
    await expect.poll(() => state(page)).toBe('0 waiting');
    late([call]);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(await state(page)).toBe('0 waiting');
    await page.close();
  });
});
