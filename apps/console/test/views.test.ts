import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed } from './seed.ts';
import { CONSOLE, hasChromium, logIn, openStage, type Stage } from './stage.ts';

describe.skipIf(!hasChromium)('the views of the console', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    await seed(stage);
  });
  afterAll(() => stage?.close());

  test('show what a server has changed, and accept it', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'servers');
    const added = page.locator('.diff-added');
    await added.waitFor();
    expect(await added.textContent()).toContain('audit@evil.example');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByText('No definition waits').waitFor();
    expect(await stage.pins.held(stage.acme)).toEqual([]);
    await page.context().close();
  });

  test('create a key, show its secret once, and revoke it', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Label').fill('nightly report');
    await page.getByLabel('Principal').fill('nightly');
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = await page.locator('.new-secret-text').textContent();
    const ask = () =>
      fetch(`${stage.origin}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } }).then(
        ({ status }) => status,
      );
    expect(await ask()).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Revoke nightly report' }).click();
    await page.getByRole('button', { name: 'Really revoke' }).click();
    await expect.poll(ask).toBe(401);
    await page.context().close();
  });

  test('edit the policy: the difference, a dry run, the new version, and back to the old one', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'policy');
    const text = page.getByRole('textbox');
    await text.fill('{"preset": "strict"}');
    await page.getByText('The table of your draft').waitFor();
    expect(await page.locator('.diff-added').allTextContents()).toEqual(['+added:   "preset": "strict"']);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('Of 1 call').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Version 3 applies.').waitFor();
    await page.getByRole('button', { name: 'Restore this version: 1' }).click();
    expect(JSON.parse(await text.inputValue())).toEqual({ preset: 'balanced' });
    await text.fill('{"preset": "strickt"}');
    await page.getByRole('button', { name: 'Apply' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('must be one of balanced, strict, none');
    await page.context().close();
  });

  test('are not there for people without their scopes, not even by their address', async () => {
    const { page } = await stage.open();
    const asked: string[] = [];
    await logIn(page, 'ada', 'keys');
    await page.getByText('You may not see keys').waitFor();
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const path of ['policy', 'servers', 'keys']) {
      await page.goto(`${CONSOLE}${path}`);
      await page.getByText(`You may not see ${path}`).waitFor();
    }
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      expect.stringMatching(/^Approvals/),
      'Conversations',
      'Corrections',
    ]);
    expect(asked.filter((path) => /keys$|policy$|pins$|servers$/.test(path) && path.startsWith('/api'))).toEqual([]);
    await page.context().close();
  });

  test('show that a call needs a second person', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'approvals?tool=delete_folder');
    const card = page.locator('.card');
    await card.waitFor();
    expect(await card.textContent()).toContain('This call needs another person than you.');
    expect(await card.getByRole('button').count()).toBe(0);
    await page.context().close();
  });
});
