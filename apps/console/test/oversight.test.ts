import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed } from './seed.ts';
import { CONSOLE, hasChromium, logIn, openStage, type Stage } from './stage.ts';

describe.skipIf(!hasChromium)('those who watch over a workspace', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    await seed(stage);
  });
  afterAll(() => stage?.close());

  test('search the audit, open an event, go on to older ones, and send the address to others', async () => {
    const { page, errors } = await stage.open();
    await logIn(page, 'carol', 'audit');
    await page.getByRole('button', { name: 'Show older events' }).click();
    await page.getByRole('button', { name: 'Event 1', exact: true }).waitFor();
    await page.getByLabel('Tool').fill('send_email');
    await page.getByLabel('Outcome').selectOption('deny');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/tool=send_email/);
    await expect.poll(() => page.locator('main tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: /^Event/ }).click();
    expect(await page.locator('.audit-event').textContent()).toContain('"rule": "instructed"');
    const link = page.getByRole('link', { name: 'Show the conversation' });
    const name = Buffer.from((await link.getAttribute('href'))?.split('/').at(-1) ?? '', 'base64url').toString();
    expect(JSON.parse(name)).toEqual(['sub:ada', 'Invoices of November']);
    await page.goto(`${CONSOLE}audit?tool=send_email&outcome=deny&type=nonsense&from=2026-99-01`);
    await expect.poll(() => page.locator('main tbody tr').count()).toBe(1);
    expect(await page.getByLabel('Tool').inputValue()).toBe('send_email');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => page.locator('main tbody tr').count()).toBe(50);
    expect(errors.filter((each) => !each.includes('401'))).toEqual([]);
    await page.context().close();
  });

  test('verify the audit, hear in plain words what is wrong, and download it', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'audit');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText(/^All \d+ rows are there and unchanged/).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.jsonl');
    const { attacker } = stage.installation.test;
    // Which row it is depends on what the seed has recorded meanwhile.
    const [row] =
      await attacker`select seq from audit where workspace_id = ${stage.acme} and payload like '%read_mail%' limit 1`;
    await attacker`update audit set payload = replace(payload, 'read_mail', 'read_more') where seq = ${row?.seq}`;
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText(`The audit is damaged at row ${row?.seq}. A row was changed after it was written.`).waitFor();
    await attacker`update audit set payload = replace(payload, 'read_more', 'read_mail') where seq = ${row?.seq}`;
    await page.context().close();
  });

  test('see how often people are asked, as a chart and as a table, and what observing let pass', async () => {
    const { page, errors } = await stage.open();
    await logIn(page, 'carol', 'health');
    await page.getByText('Calls checked').waitFor();
    const figures = await page.locator('.figures').textContent();
    expect(figures).toContain('Calls checked62');
    expect(figures).toContain('4 questions');
    expect(await page.locator('.observed').textContent()).toContain(
      'would have asked about 1 of 62 calls and denied 0',
    );
    expect(await page.locator('svg.chart-bars rect[height="0"]').count()).toBeGreaterThan(20);
    expect(await page.getByRole('img', { name: /^What became of questions: at most \d/ }).count()).toBe(1);
    await page.getByText('As a table').last().click();
    const cells = await page.locator('.chart').last().locator('tbody tr').last().locator('td').allTextContents();
    expect(cells).toEqual(['1', '0', '0', '3']);
    expect(await page.getByRole('row', { name: /instructed/ }).textContent()).toContain('instructed0100');
    await page.getByLabel('Time').selectOption('744');
    await expect.poll(() => page.locator('.chart').first().locator('tbody tr').count()).toBe(31);
    expect(errors.filter((each) => !each.includes('401'))).toEqual([]);
    await page.context().close();
  });

  test('log a person out everywhere', async () => {
    const [ada, carol] = [(await stage.open()).page, (await stage.open()).page];
    await logIn(ada, 'ada');
    await ada.locator('.person-name').waitFor();
    await logIn(carol, 'carol', 'people');
    const row = carol.getByRole('row', { name: /^ada/ });
    await row.waitFor();
    expect(await row.textContent()).toContain('approve:own');
    await carol.getByRole('button', { name: 'Log out ada' }).click();
    await carol.getByRole('button', { name: 'Really log out' }).click();
    await expect.poll(() => ada.evaluate('fetch("/api/v1/me").then(({ status }) => status)')).toBe(401);
    await expect.poll(() => carol.getByRole('button', { name: 'Log out ada' }).count()).toBe(0);
    for (const page of [ada, carol]) await page.context().close();
  });

  test('add a webhook, see its secret once, test it, and remove it', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByLabel('Name').fill('chat');
    await page.getByLabel('Address').fill('http://127.0.0.1/');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Address').fill('https://192.0.2.1/hook-with-a-secret');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Address').fill('https://8.8.8.8/hook-with-a-secret');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = (await page.locator('.new-secret-text').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /^chat/ }).waitFor();
    const content = await page.content();
    expect([content.includes(secret), content.includes('hook-with-a-secret')]).toEqual([false, false]);
    await page.getByRole('button', { name: 'Remove chat' }).click();
    await page.getByRole('button', { name: 'Really remove' }).click();
    await expect.poll(() => page.getByRole('row', { name: /^chat/ }).count()).toBe(0);
    await page.context().close();
  });

  test('restore a version of the policy after its difference and a dry run', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'policy');
    await page.getByRole('button', { name: 'Restore this version: 1' }).click();
    await page.getByText('Apply puts version 1 back as a new version.').waitFor();
    await page.getByText(/^Of 1 call,/).waitFor();
    expect(await page.locator('.diff-removed').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Version 3 applies.').waitFor();
    await page.getByRole('textbox').fill('{"observe": true}');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('This workspace only observes').waitFor();
    await page.getByText('would have asked about 1 of 62 calls').waitFor();
    await page.context().close();
  });

  test('are shown nothing of it without their scopes', async () => {
    const { page } = await stage.open();
    const asked: string[] = [];
    await logIn(page, 'ada', 'audit');
    await page.getByText('You may not see audit').waitFor();
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const path of ['audit', 'health', 'people', 'webhooks']) {
      await page.goto(`${CONSOLE}${path}`);
      await page.getByText(`You may not see ${path}`).waitFor();
    }
    expect(asked.filter((path) => /audit|people|webhooks/.test(path) && path.startsWith('/api'))).toEqual([]);
    await page.context().close();
  });
});
