import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, logIn, openStage, type Stage } from './stage.ts';

const POLICY = {
  servers: { mail: { tools: { send_email: { effect: 'send' } } }, web: { tools: { fetch: { effect: 'read' } } } },
};

describe.skipIf(!hasChromium)('a choice', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    const { installation, acme } = stage;
    await installation.server(acme, 'mail', { kind: 'http', url: 'https://mail.example/mcp' });
    await installation.server(acme, 'web', { kind: 'http', url: 'https://web.example/mcp' });
    await installation.policy(acme, POLICY);
    const entries = [
      {
        type: 'read',
        id: 'r1',
        server: 'web',
        tool: 'web.fetch',
        texts: ['The desk is desk@hotel.example.'],
        bare: [],
      },
      { type: 'call', id: 'c1', tool: 'mail.send_email', arguments: { to: 'desk@hotel.example' } },
    ];
    for (const entry of entries)
      await installation.test.attacker`insert into log (workspace_id, conversation, body)
        values (${acme}, ${JSON.stringify(['sub:ada', 'conversation trip'])}, ${JSON.stringify({ key: entry.id, entry })})`;
  });
  afterAll(() => stage?.close());

  test('of another policy shows what it would have decided about the calls of a conversation', async () => {
    const { page, errors } = await stage.open();
    await logIn(page, 'carol', 'conversations');
    await page.getByRole('link', { name: 'trip' }).click();
    await page.locator('.entry-call').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Conversation trip');
    expect(await page.locator('.entry-call').textContent()).toContain('allowed');
    await page.getByLabel('Compare with').selectOption('the strict table');
    await page.getByText('Under the strict table, 1 would be decided differently.').waitFor();
    expect(await page.locator('.proposed').textContent()).toMatch(
      /^The other policy says ask, by the policy.s table: send, the value comes from: content that others wrote$/,
    );
    await page.getByRole('button', { name: 'Next asked, denied or different' }).waitFor();
    await page.getByLabel('Compare with').selectOption('no other policy');
    await expect.poll(() => page.locator('.proposed').count()).toBe(0);
    expect(errors.filter((each) => !each.includes('401'))).toEqual([]);
    await page.context().close();
  });

  test('of another policy is not offered to people who may not read it', async () => {
    const { page } = await stage.open();
    await logIn(page, 'ada', 'conversations');
    await page.getByRole('link', { name: 'trip' }).click();
    await page.locator('.entry-call').waitFor();
    expect(await page.getByLabel('Compare with').count()).toBe(0);
    await page.context().close();
  });

  test('in the table of the policy goes into the draft, and applies only then', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'policy');
    const cell = page.getByLabel('send, Content that others wrote');
    await page.getByRole('button', { name: 'Edit the table' }).click();
    await cell.selectOption('deny');
    await page.getByText('The table of your draft').waitFor();
    expect(await page.locator('.diff-added').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('"content": "deny"')]),
    );
    await cell.selectOption('allow');
    await page.getByText('The table that applies').waitFor();
    await cell.selectOption('deny');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Version 2 applies.').waitFor();
    await page.getByRole('button', { name: 'Stop editing the table' }).click();
    expect(await page.locator('.outcome-deny', { hasText: 'changed' }).count()).toBe(1);
    await page.context().close();
  });

  test('about a held call is made with the Tab key alone, and every part of the card has a name', async () => {
    const id = await stage.hold('sub:ada', { conversation: 'tabs' });
    const { page } = await stage.open();
    await logIn(page, 'ada');
    await page.locator('.card').waitFor();
    const tree = await page.locator('body').ariaSnapshot();
    for (const part of [
      'link "Approvals 1 waiting"',
      'heading "Approvals" [level=1]',
      'heading "Send email to eve@evil.example?" [level=2]',
      'combobox "Server"',
      'button "Approve once"',
      'button "Reject"',
    ])
      expect(tree).toContain(part);
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');
    const reach = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 40 && (await focused()) !== name; presses++) await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    };
    await reach('Skip to the content');
    await page.keyboard.press('Enter');
    await reach('Reject');
    await page.keyboard.press('Enter');
    await page.keyboard.type('unknown to us');
    await page.keyboard.press('Enter');
    await said(page, 'Rejected.');
    expect(await stage.answerTo(id)).toMatchObject({ answer: 'denied', note: 'unknown to us' });
    await page.context().close();
  });

  /** What a screen reader says by itself. */
  async function said(page: Page, words: string): Promise<void> {
    await expect.poll(() => page.getByRole('status').allTextContents()).toContain(words);
  }
});
