import { describe, expect, test } from 'vitest';
import { eventually } from '../fixture/eventually.ts';
import { Browser, logIn } from './rig.ts';
import { OWN, openStage, SESSION } from './stage.ts';

const { installation, provider, one, two, acme, globex, whoIs, hold, post } = await openStage();

describe('a session', () => {
  test('has a new secret after each login, whatever the browser had before', async () => {
    const browser = new Browser();
    browser.cookies.set(SESSION, `${'a'.repeat(43)}.${'b'.repeat(43)}`);
    await logIn(one, browser, 'ada');
    const first = browser.cookies.get(SESSION) as string;
    expect(first).not.toContain('aaaa');
    await logIn(one, browser, 'ada');
    expect(browser.cookies.get(SESSION)).not.toBe(first);
    const attacker = new Browser();
    attacker.cookies.set(SESSION, first);
    await eventually(async () => expect(await whoIs(attacker)).toBe(401));
    expect(await whoIs(browser)).toMatchObject({ principal: 'sub:ada' });
  });

  test('ends on all replicas when the person logs out, and its cookie is removed', async () => {
    const browser = new Browser();
    await logIn(one, browser, 'ada');
    const secret = browser.cookies.get(SESSION) as string;
    expect(await whoIs(browser, one)).toMatchObject({ principal: 'sub:ada' });
    expect((await post(browser, '/logout', OWN)).status).toBe(204);
    expect(browser.cookies.has(SESSION)).toBe(false);
    const thief = new Browser();
    thief.cookies.set(SESSION, secret);
    for (const replica of [one, two]) await eventually(async () => expect(await whoIs(thief, replica)).toBe(401));
  });

  test('ends when an administrator of its workspace says so, and of no other', async () => {
    const browser = new Browser();
    await logIn(one, browser, 'ada');
    const ended = async (workspace: string): Promise<unknown> => {
      const key = await installation.key(workspace, 'boss', ['admin']);
      const response = await fetch(`${two.origin}/api/v1/logins/end`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ principal: 'sub:ada' }),
      });
      return response.json();
    };
    expect(await ended(globex)).toEqual({ ended: 0 });
    expect(await whoIs(browser)).toMatchObject({ principal: 'sub:ada' });
    expect(await ended(acme)).not.toEqual({ ended: 0 });
    for (const replica of [one, two]) await eventually(async () => expect(await whoIs(browser, replica)).toBe(401));
  });

  const rows: { title: string; end: (browser: Browser) => Promise<unknown>; event: object }[] = [
    { title: 'by a log-out', end: (browser) => post(browser, '/logout', OWN), event: { by: 'sub:carol' } },
    {
      title: 'by a new login in the same browser',
      end: (browser) => logIn(one, browser, 'carol'),
      event: { by: 'sub:carol' },
    },
    {
      title: 'by a login in another browser with other roles',
      async end() {
        provider.groups.carol = ['staff'];
        await logIn(two, new Browser(), 'carol');
      },
      event: { by: 'sub:carol', principal: 'sub:carol' },
    },
    {
      title: 'by a login without a role',
      async end() {
        provider.groups.carol = [];
        await logIn(two, new Browser(), 'carol');
      },
      event: { by: 'sub:carol', principal: 'sub:carol' },
    },
  ];
  test.each(rows)('is in the audit when it ends $title', async ({ end, event }) => {
    const browser = new Browser();
    await installation.test.attacker`delete from logins`;
    await logIn(one, browser, 'carol');
    const events = async (): Promise<unknown[]> => {
      const found = await installation.test.attacker<{ payload: string }[]>`
        select payload from audit where workspace_id = ${acme} and payload like '%"ended"%' order by seq`;
      return found.map(({ payload }) => JSON.parse(payload));
    };
    const before = (await events()).length;
    await end(browser);
    const added = (await events()).slice(before);
    expect(added).toMatchObject([{ type: 'login', what: 'ended', ...event }]);
  });

  test('ends when its time is over', async () => {
    const browser = new Browser();
    await logIn(one, browser, 'ada');
    await installation.test.attacker`update logins set expires_at = now() - interval '1 second'`;
    for (const replica of [one, two]) await eventually(async () => expect(await whoIs(browser, replica)).toBe(401));
  });

  test('of one workspace shows and changes nothing of another', async () => {
    const browser = new Browser();
    await logIn(one, browser, 'eve');
    const id = await hold(acme, 'sub:ada', 'secret');
    await hold(globex, 'sub:eve', 'mine');
    const shown = await (await browser.send(`${one.origin}/api/v1/approvals`)).text();
    expect([shown.includes(id), shown.includes('"mine"')]).toEqual([false, true]);
    expect((await post(browser, `/api/v1/approvals/${id}`, OWN, { answer: 'approved' })).status).toBe(404);
  });

  test('calls no tools: /mcp takes keys and tokens only', async () => {
    const browser = new Browser();
    await logIn(one, browser, 'eve');
    expect((await post(browser, '/mcp/mail', OWN, { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(401);
  });

  test('does not count with an Authorization header', async () => {
    const browser = new Browser();
    await logIn(one, browser, 'eve');
    const headers = { authorization: 'Bearer nothing' };
    expect((await browser.send(`${one.origin}/api/v1/me`, { headers })).status).toBe(401);
  });

  test.each([
    { title: 'no sign of its page', headers: {} },
    { title: 'the origin of another site', headers: { origin: 'https://evil.example' } },
    { title: 'another port', headers: { origin: 'http://localhost:8081' } },
    { title: 'no origin', headers: { origin: 'null' } },
    { title: 'a page of the same site only', headers: { 'sec-fetch-site': 'same-site' } },
    { title: 'another site', headers: { 'sec-fetch-site': 'cross-site' } },
    { title: 'a typed address', headers: { 'sec-fetch-site': 'none' } },
    {
      title: 'another site that claims to be ours',
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    },
  ])('changes nothing with $title', async ({ headers }) => {
    const browser = new Browser();
    await logIn(one, browser, 'carol');
    const id = await hold(acme, 'sub:ada', `forged ${JSON.stringify(headers)}`);
    const given = headers as Record<string, string>;
    expect((await post(browser, `/api/v1/approvals/${id}`, given, { answer: 'approved' })).status).toBe(403);
    expect((await post(browser, '/logout', given)).status).toBe(403);
    expect(await whoIs(browser)).toMatchObject({ principal: 'sub:carol' });
    const [row] = await installation.test.attacker`select answer from approvals where id = ${id}`;
    expect(row?.answer).toBeNull();
  });

  test('changes something with a page of the gateway', async () => {
    const browser = new Browser();
    await logIn(one, browser, 'carol');
    for (const headers of [OWN, { 'sec-fetch-site': 'same-origin' }]) {
      const id = await hold(acme, 'sub:ada', `asked ${Object.keys(headers)}`);
      expect((await post(browser, `/api/v1/approvals/${id}`, headers, { answer: 'denied' })).status).toBe(204);
    }
  });
});
