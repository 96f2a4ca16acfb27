import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOUBT, EVE } from '../../../packages/mcp-proxy/test/fixture/rig.ts';
import { eventually } from '../../gateway/test/fixture/eventually.ts';
import { Agent } from '../../gateway/test/serve/agent.ts';
import { type MailServer, mailServer } from '../../gateway/test/serve/upstream.ts';
import { hasChromium, logIn, openStage, type Stage } from './stage.ts';

describe.skipIf(!hasChromium)('approvals that last', () => {
  let stage: Stage;
  let mail: MailServer;
  let page: Page;
  beforeAll(async () => {
    mail = Object.assign(await mailServer(), { mail: DOUBT, receipt: 'Sent.' });
    stage = await openStage(mail.origin);
    await stage.installation.server(stage.acme, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
    await stage.installation.policy(stage.acme, {
      askTimeout: 3600,
      servers: { mail: { tools: { read: { effect: 'read' }, send: { effect: 'send' } } } },
    });
    page = (await stage.open()).page;
    await logIn(page, 'carol');
  });
  afterAll(async () => {
    await stage?.close();
    await mail?.close();
  });

  const tab = (name: string) => page.getByRole('navigation', { name: 'Approvals' }).getByRole('link', { name });
  const card = () => page.locator('.card', { hasText: 'mail.send' });

  test('a call is approved always by the keyboard, is listed, and is held again after it was revoked', async () => {
    const agent = await Agent.connect(stage.origin, await stage.installation.key(stage.acme, 'agent'));
    const held = agent.call('send', { to: EVE });
    await card().waitFor();
    await page.waitForTimeout(700);
    await page.keyboard.press('l');
    await page.keyboard.type('always, for 30');
    expect(await page.locator('.coverage').textContent()).toMatch(
      /^Until .*, calls of mail\.send for agent in all conversations pass without a question if they are held for the same reason and to is the same as now\.$/,
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Approved for longer.').waitFor();
    expect(await held).toContain('Sent.');
    expect(await agent.call('send', { to: EVE })).toContain('Sent.');
    expect(mail.sent).toEqual([EVE, EVE]);
    await tab('Lasting approvals').click();
    const row = page.locator('[data-lasting]');
    await row.waitFor();
    expect(await row.textContent()).toMatch(/^mail\.send\{"to":"eve@evil\.example"\}agentalwayscarol/);
    await page.getByRole('button', { name: 'Revoke mail.send' }).click();
    await page.getByRole('button', { name: 'Really revoke' }).click();
    await page.getByText('Nothing is approved for longer').waitFor();
    const again = agent.call('send', { to: EVE });
    await tab('Waiting').click();
    await card().getByRole('button', { name: 'Reject' }).click();
    await page.keyboard.type('no more');
    await page.keyboard.press('Enter');
    expect(await again).toContain('not made');
    expect(mail.sent).toHaveLength(2);
    await tab('Answered').click();
    await page.getByText('no more').waitFor();
    expect(await page.locator('tbody tr').allTextContents()).toEqual([
      expect.stringMatching(/rejectedcarol.*no more$/),
      expect.stringMatching(/approvedalwayscarol/),
    ]);
  });

  test('a choice in the form is sent to the gateway, and Escape closes it', async () => {
    const id = await stage.hold('sub:ada', { conversation: 'sub:ada' });
    await tab('Waiting').click();
    const shown = page.locator(`[data-approval="${id}"]`);
    await shown.getByRole('button', { name: 'For longer' }).click();
    expect(await shown.locator('.coverage').textContent()).toContain('for ada that name no conversation pass');
    expect(await shown.locator('.coverage').textContent()).toContain(
      'to, subject are the same as now. body may differ.',
    );
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'Approve once' }).waitFor();
    await shown.getByRole('button', { name: 'For longer' }).click();
    await shown.getByRole('combobox').selectOption({ label: 'always, for 7 days' });
    await shown.getByRole('button', { name: 'Approve for longer' }).click();
    await eventually(async () =>
      expect(await stage.answerTo(id)).toMatchObject({ answer: 'approved', scope: 'always' }),
    );
    const { lasts_until: until } = (await stage.answerTo(id)) as { lasts_until: Date };
    expect(Math.round((until.getTime() - Date.now()) / 3_600_000)).toBe(7 * 24);
  });

  test('are not offered for a call that can only be approved once', async () => {
    const id = await stage.hold('sub:ada', { conversation: 'strict', scopes: ['once'] });
    const shown = page.locator(`[data-approval="${id}"]`);
    await shown.getByRole('button', { name: 'Approve once' }).waitFor();
    expect(await shown.getByRole('button').allTextContents()).toEqual(['Approve once', 'Reject']);
  });
});
