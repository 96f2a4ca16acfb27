import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atProvider } from '../../gateway/test/login/rig.ts';
import { seed } from './seed.ts';
import { CONSOLE, hasChromium, logIn, openStage, type Stage } from './stage.ts';

const SESSION = '__Host-sallyport-session';

/** The status of a request that a script in the page sends. */
function statusOf(page: Page, method: string, path: string, body?: unknown): Promise<number> {
  return page.evaluate(
    async ([verb, to, json]) => {
      const init = json === undefined ? {} : { body: json, headers: { 'content-type': 'application/json' } };
      return (await fetch(`/api/v1${to}`, { method: verb as string, ...init })).status;
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
}

async function cookieOf(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies(CONSOLE);
  return cookies.find(({ name }) => name === SESSION)?.value;
}

describe.skipIf(!hasChromium)('an attack on the console', () => {
  let stage: Stage;
  let held: string;
  let conversation: string;
  let key: string;
  beforeAll(async () => {
    stage = await openStage();
    await seed(stage);
    held = await stage.hold('sub:ada', { conversation: 'attacked' });
    const name = JSON.stringify(['sub:carol', 'conversation secret']);
    const entry = { type: 'read', id: 'r', server: 'web', tool: 'web.fetch', texts: ['private words'], bare: [] };
    await stage.installation.test.attacker`insert into log (workspace_id, conversation, body)
      values (${stage.acme}, ${name}, ${JSON.stringify({ key: 'r', entry })})`;
    conversation = Buffer.from(JSON.stringify(['sub:carol', 'secret'])).toString('base64url');
    const [row] = await stage.installation.test
      .attacker`select public_id from keys where workspace_id = ${stage.acme} limit 1`;
    key = row?.public_id;
  });
  afterAll(() => stage?.close());

  test.each([
    { title: 'reads a conversation', method: 'GET', path: () => `/conversations/${conversation}` },
    {
      title: 'tries a policy on a conversation',
      method: 'POST',
      path: () => `/conversations/${conversation}/dry-run`,
      body: { body: {} },
    },
    { title: 'approves a held call', method: 'POST', path: () => `/approvals/${held}`, body: { answer: 'approved' } },
    {
      title: 'accepts a definition',
      method: 'POST',
      path: () => '/pins/mail/accept',
      body: { digest: '0'.repeat(64) },
    },
    { title: 'removes a server', method: 'DELETE', path: () => '/servers/mail' },
    { title: 'revokes a key', method: 'DELETE', path: () => `/keys/${key}` },
  ])('by an administrator of another workspace, who $title, finds nothing', async ({ method, path, body }) => {
    const { page } = await stage.open();
    await logIn(page, 'eve');
    expect(await statusOf(page, method, path(), body)).toBe(404);
    expect(await stage.answerTo(held)).toMatchObject({ answer: null });
    await page.context().close();
  });

  test('by an administrator of another workspace shows none of its texts in any view', async () => {
    const { page } = await stage.open();
    await logIn(page, 'eve');
    for (const view of ['approvals', 'servers', 'keys', 'policy', 'conversations', `conversations/${conversation}`]) {
      await page.goto(`${CONSOLE}${view}`);
      await page.locator('main h1').waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      expect(await page.content()).not.toMatch(/evil\.example|invoice-agent|private words/);
    }
    await page.context().close();
  });

  test('that listens for events of another workspace hears nothing', async () => {
    const [own, other] = [await stage.open(), await stage.open()];
    await logIn(own.page, 'ada');
    await logIn(other.page, 'eve');
    const listen = (page: Page) =>
      page.evaluate(`(() => {
        window.heard = [];
        const source = new EventSource('/api/v1/events?workspace=acme');
        const plain = new EventSource('/api/v1/events');
        for (const each of [source, plain]) each.onmessage = ({ data }) => window.heard.push(JSON.parse(data));
      })()`);
    await listen(own.page);
    await listen(other.page);
    await expect.poll(() => other.page.evaluate('window.heard.length')).toBeGreaterThan(0);
    await expect.poll(() => own.page.evaluate('window.heard.length')).toBeGreaterThan(0);
    const [before, known] = [
      await other.page.evaluate('window.heard.length'),
      (await own.page.evaluate('window.heard.length')) as number,
    ];
    await stage.hold('sub:ada', { conversation: 'heard' });
    await expect.poll(() => own.page.evaluate('window.heard.length')).toBeGreaterThan(known);
    expect(await other.page.evaluate('window.heard.length')).toBe(before);
    expect(await other.page.evaluate('window.heard.every(({ waiting }) => waiting === 0)')).toBe(true);
    await own.page.context().close();
    await other.page.context().close();
  });

  test.each([
    { title: 'a policy', method: 'PUT', path: '/policy', body: { version: 2, body: { preset: 'none' } } },
    { title: 'a key', method: 'POST', path: '/keys', body: { label: 'x', principal: 'x', scopes: ['admin'] } },
    { title: 'a server', method: 'DELETE', path: '/servers/mail' },
    { title: 'a definition', method: 'POST', path: '/pins/mail/accept', body: { digest: '0'.repeat(64) } },
    { title: 'the sessions of others', method: 'POST', path: '/logins/end', body: { principal: 'sub:carol' } },
    { title: 'the audit', method: 'GET', path: '/audit/export' },
    { title: 'a webhook', method: 'GET', path: '/webhooks' },
  ])('by a person without the scope, on $title, is refused', async ({ method, path, body }) => {
    const { page } = await stage.open();
    await logIn(page, 'ada');
    expect(await statusOf(page, method, path, body)).toBe(403);
    await page.context().close();
  });

  test('by a person without the scope, on a call or a conversation of another, finds nothing', async () => {
    const others = await stage.hold('sub:carol', { conversation: 'of carol' });
    const { page } = await stage.open();
    await logIn(page, 'ada');
    expect(await statusOf(page, 'POST', `/approvals/${others}`, { answer: 'approved' })).toBe(404);
    expect(await statusOf(page, 'GET', `/conversations/${conversation}`)).toBe(404);
    await page.goto(`${CONSOLE}conversations/${conversation}`);
    await page.getByRole('alert').waitFor();
    expect(await page.content()).not.toContain('private words');
    await page.context().close();
  });

  test('that plants a session before the login gains nothing: the login makes a new one', async () => {
    const attacker = await stage.open();
    await logIn(attacker.page, 'eve');
    const planted = (await cookieOf(attacker.page)) as string;
    const victim = await stage.open();
    await victim.page.route('**/planted', (route) =>
      route.fulfill({ headers: { 'set-cookie': `${SESSION}=${planted}; Path=/; Secure; HttpOnly` } }),
    );
    await victim.page.goto(`${new URL(CONSOLE).origin}/planted`);
    expect(await cookieOf(victim.page)).toBe(planted);
    await victim.page.goto(`${new URL(CONSOLE).origin}/login?to=/console/`);
    await victim.page.locator('[name=login]').fill('ada');
    await victim.page.locator('[name=password]').fill('x');
    await victim.page.locator('[type=submit]').click();
    await victim.page.getByRole('button', { name: 'Continue' }).click();
    await victim.page.waitForURL(`${CONSOLE}**`);
    expect(await cookieOf(victim.page)).not.toBe(planted);
    await attacker.page.reload();
    expect(await attacker.page.evaluate('fetch("/api/v1/me").then((answer) => answer.json())')).not.toMatchObject({
      principal: 'sub:ada',
    });
    await attacker.page.context().close();
    await victim.page.context().close();
  });

  test('that sends a person the end of its own login is refused: the person stays who they are', async () => {
    const begun = await fetch(`${stage.origin}/login?to=/console/`, { redirect: 'manual' });
    const callback = await atProvider(begun.headers.get('location') ?? '', 'eve');
    expect(callback).toContain('code=');
    const victim = await stage.open();
    await logIn(victim.page, 'ada');
    const answer = await victim.page.goto(callback);
    expect(answer?.status()).toBeGreaterThanOrEqual(400);
    await victim.page.goto(CONSOLE);
    await expect.poll(() => victim.page.locator('.person-name strong').textContent()).toBe('ada');
    await victim.page.context().close();
  });

  test('with the cookie of a person who has logged out is refused, and the way back shows nothing', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'keys');
    await page.getByText('invoice-agent').first().waitFor();
    const old = (await cookieOf(page)) as string;
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    const headers = { cookie: `${SESSION}=${old}` };
    expect((await fetch(`${stage.origin}/api/v1/me`, { headers })).status).toBe(401);
    await page.goto('about:blank');
    await page.goBack();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    expect(await page.content()).not.toContain('invoice-agent');
    await page.context().close();
  });

  test('by a script in the page reads no cookie and no secret', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol');
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(
      /session|secret/i,
    );
    await page.context().close();
  });
});
