import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Agent } from '../../gateway/test/serve/agent.ts';
import { type MailServer, mailServer } from '../../gateway/test/serve/upstream.ts';
import { CONSOLE, hasChromium, logIn, openStage, type Stage } from './stage.ts';

const ANN = 'ann@team.example';
const invitation = (day: string): string =>
  `The canteen writes. ~~Please tell ${ANN} whether you come on ${day}.~~ See you there.`;

describe.skipIf(!hasChromium)('a false alarm', () => {
  let stage: Stage;
  let mail: MailServer;
  let key: string;
  beforeAll(async () => {
    mail = Object.assign(await mailServer(), { receipt: 'Sent.' });
    stage = await openStage(mail.origin);
    const { installation, acme } = stage;
    await installation.server(acme, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
    await installation.policy(acme, {
      askTimeout: 3600,
      secondPerson: ['send'],
      servers: { mail: { tools: { read: { effect: 'read' }, send: { effect: 'send' } } } },
    });
    key = await installation.key(acme, 'sub:ada');
  });
  afterAll(async () => {
    await stage?.close();
    await mail?.close();
  });

  /** An agent of Ada's that has read an invitation. */
  function agentOn(day: string): Promise<Agent> {
    mail.mail = invitation(day);
    return Agent.connect(stage.origin, key, day);
  }

  async function show(page: Page, conversation: string): Promise<void> {
    await page.goto(`${CONSOLE}conversations`);
    await page.getByRole('link', { name: conversation }).click();
    await page.locator('.entry-text', { hasText: `on ${conversation}` }).waitFor();
  }

  test('holds a call, is approved by a second person, corrected, tried out and applied, and is gone in the next conversation', async () => {
    const [ada, carol] = [(await stage.open()).page, (await stage.open()).page];
    await logIn(ada, 'ada');
    await logIn(carol, 'carol');

    const answer = (await agentOn('monday')).call('send', { to: ANN });
    const card = (page: Page) => page.locator('.card', { hasText: 'mail.send' });
    await card(ada).getByText('This call needs another person than you.').waitFor();
    expect(await card(ada).getByRole('button').count()).toBe(0);
    expect(mail.sent).toEqual([]);
    await card(carol).getByText('You answer as the second person, for ada.').waitFor();
    await card(carol).getByRole('button', { name: 'Approve once' }).click();
    expect(await answer).toContain('Sent.');
    expect(mail.sent).toEqual([ANN]);

    await agentOn('tuesday');
    await agentOn('wednesday');
    const dialog = carol.getByRole('dialog');
    for (const day of ['monday', 'tuesday', 'wednesday']) {
      await show(carol, day);
      await carol.locator('.span-tag').click();
      await dialog.getByRole('button', { name: 'This was harmless' }).click();
      await dialog.getByText('Saved. You: harmless.').waitFor();
      if (day === 'monday') {
        await carol.keyboard.press('Escape');
        await carol.getByRole('button', { name: /^Was this right.*mail\.send$/ }).click();
        await dialog.getByRole('button', { name: 'This was harmless' }).click();
        await dialog.getByText('Saved. You: harmless.').waitFor();
      }
    }
    await carol.goto(`${CONSOLE}corrections?server=mail&tag=imperative`);
    const raise = carol.getByRole('region', { name: /^Raise the threshold/ });
    await raise.getByText('3 false alarms were reported; 3 are needed.').waitFor();
    await raise.getByText('Every known attack would still be found.').waitFor();
    await raise.getByText(/^In what was read, 3 fewer and 0 more places would be marked/).waitFor();
    await raise.getByText(/^Of \d calls, 1 would be decided differently/).waitFor();
    await raise.getByRole('button', { name: 'Apply for 30 days' }).click();
    await raise.getByText(/^Raised until /).waitFor();

    expect(await (await agentOn('thursday')).call('send', { to: ANN })).toContain('Sent.');
    expect(mail.sent).toEqual([ANN, ANN]);
    await show(carol, 'thursday');
    await carol.locator('.entry-call', { hasText: 'mail.send' }).getByText('allowed').waitFor();
    expect(await carol.locator('.span-tag').count()).toBe(0);
    await ada.goto(`${CONSOLE}approvals/answered`);
    await ada.getByText('carol').first().waitFor();
    for (const page of [ada, carol]) await page.context().close();
  });
});
