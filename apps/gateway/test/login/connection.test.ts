import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Accounts, CLIENT, startAccounts } from '../serve/accounts.ts';
import { at, Browser, logIn, PUBLIC, tokensOf } from './rig.ts';
import { OWN, openStage, SESSION } from './stage.ts';

const accounts: Accounts = await startAccounts(`${PUBLIC}/oauth/callback`);
const { installation, provider, one, two, acme, post } = await openStage([
  accounts.issuer.origin,
  accounts.server.origin,
]);
const PATH = '/api/v1/servers/crm/connection';

beforeAll(async () => {
  const { origin } = accounts.issuer;
  const settings = { type: 'person', issuer: origin, authorizationEndpoint: `${origin}/auth`, ...CLIENT };
  const credentials = { ...settings, tokenEndpoint: `${origin}/token`, scope: 'openid' };
  await installation.server(acme, 'crm', { kind: 'http', url: `${accounts.server.origin}/mcp` }, credentials);
});
afterAll(() => accounts.close());

async function loggedIn(person: string): Promise<Browser> {
  const browser = new Browser();
  await logIn(one, browser, person);
  return browser;
}

/** Where the authorization server sends a browser back to, after a login as `account`. */
async function returned(answer: Response, account: string): Promise<string> {
  expect(answer.status).toBe(200);
  const { url } = (await answer.json()) as { url: string };
  return at(two, (await accounts.login(url, account)).href);
}

async function begunBy(browser: Browser): Promise<string> {
  return returned(await post(browser, PATH, OWN), 'account');
}

async function begunWithToken(person: string): Promise<string> {
  provider.groups[person] = ['makers'];
  const { access_token: token } = await tokensOf(provider, person, 'openid approve:own');
  const headers = { authorization: `Bearer ${token}` };
  return returned(await fetch(`${one.origin}${PATH}`, { method: 'POST', headers }), 'account');
}

async function connected(): Promise<readonly string[]> {
  const rows = await installation.test.attacker<{ principal: string }[]>`delete from person_tokens returning principal`;
  return rows.map(({ principal }) => principal);
}

/** What a browser sees on the page, and after sending its form. */
async function seen(browser: Browser, url: string): Promise<readonly unknown[]> {
  const page = await browser.send(url);
  const hasButton = (await page.text()).includes('<button>');
  return [page.status, hasButton, (await browser.send(url, { method: 'POST' })).status, await connected()];
}

const FINISHED = [200, true, 200, ['sub:ada']];
const REFUSED = [400, false, 400, []];

describe('a connection that a logged-in person began', () => {
  const rows: { title: string; browser: (own: Browser) => Promise<Browser> | Browser; expected: unknown }[] = [
    { title: 'is finished in the same browser', browser: (own) => own, expected: FINISHED },
    { title: 'is refused in a browser without a login', browser: () => new Browser(), expected: REFUSED },
    { title: 'is refused in the browser of another person', browser: () => loggedIn('carol'), expected: REFUSED },
    { title: 'is refused in another login of the same person', browser: () => loggedIn('ada'), expected: REFUSED },
    {
      title: 'is refused after a log-out',
      async browser(own) {
        const before = own.cookies.get(SESSION) as string;
        expect((await post(own, '/logout', OWN)).status).toBe(204);
        own.cookies.set(SESSION, before);
        return own;
      },
      expected: REFUSED,
    },
  ];
  test.each(rows)('$title', async ({ browser, expected }) => {
    const own = await loggedIn('ada');
    const url = await begunBy(own);
    expect(await seen(await browser(own), url)).toEqual(expected);
  });

  test('says how to go on where it is refused', async () => {
    const url = await begunBy(await loggedIn('ada'));
    expect(await (await new Browser().send(url)).text()).toContain(`${PUBLIC}/login`);
  });
});

describe('a connection that began with a token', () => {
  test.each([
    { title: 'is finished where its person is logged in', browser: () => loggedIn('ada'), expected: FINISHED },
    { title: 'is refused without a login', browser: async () => new Browser(), expected: REFUSED },
    { title: 'is refused where another person is logged in', browser: () => loggedIn('carol'), expected: REFUSED },
  ])('$title', async ({ browser, expected }) => {
    const url = await begunWithToken('ada');
    expect(await seen(await browser(), url)).toEqual(expected);
  });
});

describe('a connection that began with a key', () => {
  const MINE = [200, true, 200, ['bot']];
  test.each([
    {
      title: 'is finished where its person is logged in',
      by: 'sub:ada',
      browser: () => loggedIn('ada'),
      expected: MINE,
    },
    {
      title: 'is refused without a login of its person',
      by: 'sub:ada',
      browser: () => new Browser(),
      expected: REFUSED,
    },
    { title: 'is refused at another person', by: 'sub:ada', browser: () => loggedIn('carol'), expected: REFUSED },
    { title: 'is asked about if its person is not known', by: undefined, browser: () => new Browser(), expected: MINE },
  ])('$title', async ({ by, browser, expected }) => {
    const key = await installation.key(acme, 'bot', ['approve:own'], [], by);
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${one.origin}${PATH}`, { method: 'POST', headers });
    expect(await seen(await browser(), await returned(answer, 'account'))).toEqual(expected);
  });
});

describe('an error of the authorization server', () => {
  const rows = [
    { title: 'is shown', error: 'access_denied', description: 'Not today', shown: 'access_denied: Not today' },
    { title: 'is shown without a description', error: 'server_error', description: '', shown: 'server_error' },
    { title: 'is inert', error: '<b>', description: '<a href="x">', shown: '&lt;b&gt;: &lt;a href=&quot;x&quot;&gt;' },
    { title: 'has no control characters', error: 'a\nb', description: '\u202ec', shown: 'a b:  c' },
    { title: 'is cut', error: 'x'.repeat(900), description: 'y', shown: `${'x'.repeat(300)}\u2026` },
  ];
  test.each(rows)('$title, without a button', async ({ error, description, shown }) => {
    const browser = await loggedIn('ada');
    const url = new URL(await begunBy(browser));
    url.searchParams.delete('code');
    url.searchParams.set('error', error);
    if (description !== '') url.searchParams.set('error_description', description);
    const page = await browser.send(url.href);
    const text = await page.text();
    expect([page.status, text.includes('<button>')]).toEqual([400, false]);
    expect(text).toContain(`<q>${shown}</q>`);
  });
});
