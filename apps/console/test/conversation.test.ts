import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Entry } from '../src/views/conversations/record/entry.ts';
import { CONVERSATION, fileOf, longConversation } from './conversation-fixture.ts';
import { hasChromium, logIn, openStage, type Stage } from './stage.ts';

const value = (page: Page, call: string, path: string) => page.locator(`[data-value="${call} ${path}"]`);

describe.skipIf(!hasChromium)('a conversation', () => {
  let stage: Stage;
  let folder: string;
  beforeAll(async () => {
    stage = await openStage();
    folder = await mkdtemp(join(tmpdir(), 'conversation-'));
  });
  afterAll(async () => {
    await stage?.close();
    await rm(folder, { recursive: true });
  });

  async function open(entries: readonly Entry[]): Promise<{ readonly page: Page; readonly errors: string[] }> {
    const opened = await stage.open({ viewport: { width: 1440, height: 900 } });
    await logIn(opened.page, 'ada', 'conversations');
    const path = join(folder, 'conversation.jsonl');
    writeFileSync(path, fileOf(entries).buffer);
    await opened.page.locator('input[type=file]').setInputFiles(path);
    await opened.page.getByText(/texts, \d/).waitFor();
    return opened;
  }

  test('shows sources, marked parts, calls, values and what decided', async () => {
    const { page, errors } = await open(CONVERSATION);
    await value(page, 'c1', '/iban').waitFor();
    expect(await page.locator('.span-tag').allTextContents()).toEqual(expect.arrayContaining(['instruction, high']));
    const call = (await page.locator('.entry-call').first().textContent()) ?? '';
    expect(call).toContain('Call of bank.transfer');
    expect(call).toContain('denied');
    expect(call).toContain(
      'Decided by the policy\u2019s table: spend, the value comes from: an instruction to the model',
    );
    expect(call).toContain(
      'The other policy says ask, by the rule requested: a value comes from a request in content that others wrote',
    );
    expect(errors.filter((each) => !/40[14]/.test(each))).toEqual([]);
    await page.context().close();
  });

  test('of the gateway is listed, and leads from an argument to the words that were read', async () => {
    const conversation = JSON.stringify(['sub:ada', 'conversation trip']);
    const entries = [
      {
        type: 'read',
        id: 'r1',
        server: 'web',
        tool: 'web.fetch',
        texts: ['The hotel writes from desk@hotel.example.'],
        bare: [],
      },
      { type: 'call', id: 'c1', tool: 'mail.send_email', arguments: { to: 'desk@hotel.example' } },
    ];
    for (const entry of entries)
      await stage.installation.test.attacker`insert into log (workspace_id, conversation, body)
        values (${stage.acme}, ${conversation}, ${JSON.stringify({ key: entry.id, entry })})`;
    const { page } = await stage.open({ viewport: { width: 1440, height: 900 } });
    await logIn(page, 'ada', 'conversations');
    await page.getByRole('link', { name: 'trip' }).click();
    await value(page, 'c1', '/to').hover();
    await page.locator('.place-active').waitFor();
    expect(await page.locator('.place-active').textContent()).toBe('desk@hotel.example');
    await page.context().close();
  });

  test('draws an arrow from a value to its words, by pointer and by keyboard', async () => {
    const { page } = await open(CONVERSATION);
    await value(page, 'c1', '/iban').hover();
    await page.locator('.place-active').waitFor();
    expect(await page.locator('.place-active').textContent()).toBe('DE02 1203 0000 0000 2020 51');
    const [line, words] = await Promise.all([
      page.locator('.arrow-line').getAttribute('d'),
      page.locator('.place-active').boundingBox(),
    ]);
    const [x = 0, y = 0] = (line ?? '').split(/[ ,]+/).slice(-2).map(Number);
    expect(Math.abs(x - (words?.x ?? 0))).toBeLessThan(12);
    expect(y).toBeGreaterThan(words?.y ?? 0);
    expect(y).toBeLessThan((words?.y ?? 0) + (words?.height ?? 0));
    await page.mouse.move(0, 0);
    await value(page, 'c2', '/to').focus();
    await expect.poll(() => page.locator('.place-active').textContent()).toBe('Ann');
    await page.context().close();
  });

  test('renders the text of strangers inert', async () => {
    const { page } = await open(CONVERSATION);
    const body = page.locator('.entry-body', { hasText: 'onerror' });
    await body.waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await body.locator('a, img, script').count()).toBe(0);
    expect(await body.textContent()).toContain('U+202Egnp.exeU+202CU+200BU+0007');
    await page.context().close();
  });

  test('keeps only what is in view of 10,000 entries and 50 MB, and leads to words that are far away', async () => {
    const { page } = await open(longConversation(10_000, 50_000_000));
    await page.getByText('9,999 texts, 1 call,').waitFor();
    await page.getByRole('button', { name: 'Next asked or denied' }).click();
    await value(page, 'last', '/to').waitFor();
    expect(await page.locator('.rows > li').count()).toBeLessThan(60);
    await value(page, 'last', '/to').click();
    await page.getByText('These words became a value of mail.send_email').waitFor();
    await expect.poll(() => page.locator('.place-active').isVisible()).toBe(true);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('eve@evil.example');
    await page.getByRole('button', { name: 'Back to the call' }).click();
    await value(page, 'last', '/to').waitFor();
    await page.context().close();
  });
});
