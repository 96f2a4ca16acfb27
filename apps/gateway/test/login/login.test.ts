import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { eventually } from '../fixture/eventually.ts';
import { at, atProvider, Browser, begin, logIn, tokensOf } from './rig.ts';
import { ATTEMPT, OWN, openStage, SESSION } from './stage.ts';

const { installation, provider, one, two, acme, whoIs, hold, post } = await openStage();

describe('a person who logs in', () => {
  test('is known to all replicas by subject and groups, and goes where they wanted', async () => {
    const browser = new Browser();
    const done = await logIn(one, browser, 'carol', '?to=/approvals%3Fa=1');
    expect([done.status, done.headers.get('location')]).toEqual([303, '/approvals?a=1']);
    const expected = { principal: 'sub:carol', workspace: 'acme', scopes: ['approve:own', 'approve:any', 'pins'] };
    for (const replica of [one, two]) expect(await whoIs(browser, replica)).toEqual(expected);
    expect([...browser.cookies.keys()]).toEqual([SESSION]);
    const rows = await installation.test
      .attacker`select payload from audit where workspace_id = ${acme} and payload like '%"login"%'`;
    expect(JSON.parse(rows.at(-1)?.payload)).toMatchObject({ type: 'login', what: 'began', by: 'sub:carol' });
  });

  test.each([
    { to: '/\u0436', expected: '/%D0%B6' },
    { to: '/a b?q=\u00fc&r=%2F#\u00e9', expected: '/a%20b?q=%C3%BC&r=%2F#%C3%A9' },
    { to: '/.//evil.example/\ud83d\ude00', expected: '/.//evil.example/%F0%9F%98%80' },
    { to: `/${'\u0436'.repeat(100)}`, expected: `/${'%D0%B6'.repeat(100)}` },
  ])('goes to $to', async ({ to, expected }) => {
    const done = await logIn(one, new Browser(), 'ada', `?to=${encodeURIComponent(to)}`);
    expect([done.status, done.headers.get('location')]).toEqual([303, expected]);
  });

  test('gets cookies that neither scripts nor other hosts nor plain connections have', async () => {
    const browser = new Browser();
    await logIn(one, browser, 'ada');
    expect(browser.set.length).toBeGreaterThan(2);
    for (const text of browser.set) {
      expect(text).toMatch(
        /^__Host-sallyport-(?:login|session)=[\w.-]*; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/,
      );
      expect(text).not.toContain('ada');
    }
    const [row] = await installation.test.attacker`select encode(digest, 'hex') as digest from logins limit 1`;
    expect(browser.set.join()).not.toContain(row?.digest);
  });

  test('answers their own held calls and no others', async () => {
    const browser = new Browser();
    await logIn(one, browser, 'ada');
    const [own, other] = [await hold(acme, 'sub:ada', 'own'), await hold(acme, 'sub:carol', 'other')];
    const shown = await (await browser.send(`${one.origin}/api/v1/approvals`)).text();
    expect([shown.includes(own), shown.includes(other)]).toEqual([true, false]);
    const answer = { answer: 'approved' };
    expect((await post(browser, `/api/v1/approvals/${other}`, OWN, answer)).status).toBe(404);
    expect((await post(browser, `/api/v1/approvals/${own}`, OWN, answer)).status).toBe(204);
    const [row] = await installation.test.attacker`select answered_by from approvals where id = ${own}`;
    expect(row?.answered_by).toBe('sub:ada');
  });

  test('in no group with a role has no access', async () => {
    for (const [person, groups] of [
      ['dora', ['cooks']],
      ['dora', ['constructor', '__proto__']],
    ] as const) {
      provider.groups[person] = groups;
      const browser = new Browser();
      const response = await logIn(one, browser, person);
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('None of your groups')]);
      expect(browser.cookies.has(SESSION)).toBe(false);
    }
  });

  test.each([
    {
      title: 'in no group with a role',
      person: 'dora',
      says: 'login without access: SALLYPORT_OIDC_GROUPS gives the groups in the claim `groups` no access',
    },
    {
      title: 'without a claim of groups',
      person: 'nobody',
      says: 'login without access: neither the token nor userinfo has the claim `groups`; SALLYPORT_OIDC_SCOPE may need it',
    },
    {
      title: 'with a role in a missing workspace',
      person: 'gus',
      says: 'login without access: SALLYPORT_OIDC_GROUPS names the workspace nowhere, which does not exist',
    },
  ])('$title is named in the log, without the groups', async ({ person, says }) => {
    provider.groups.gus = ['ghosts'];
    const from = installation.lines.length;
    expect((await logIn(one, new Browser(), person)).status).toBe(403);
    const warned = installation.lines.slice(from).filter((line) => line.includes('without access'));
    expect(warned.map((line) => JSON.parse(line))).toEqual([[says, expect.objectContaining({ subject: person })]]);
    expect(warned.join()).not.toMatch(/cooks|ghosts/);
  });

  test.each(['', '?workspace=acme'])('from /login%s comes to the console', async (query) => {
    const done = await logIn(one, new Browser(), 'ada', query);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/console/']);
  });

  test.each([
    { groups: ['ghosts'], query: '', status: 403 },
    { groups: ['ghosts', 'staff'], query: '?workspace=nowhere', status: 403 },
    { groups: ['ghosts', 'staff'], query: '', status: 303 },
  ])('with roles in a workspace that does not exist: $groups $query', async ({ groups, query, status }) => {
    provider.groups.dora = groups;
    const response = await logIn(one, new Browser(), 'dora', query);
    expect(response.status).toBe(status);
    if (status === 303) return;
    expect(await response.json()).toEqual({
      error: 'Your groups give you access to a workspace that does not exist: nowhere.',
      next: 'Ask the operator to create it with `sallyport gateway workspace nowhere`, then open /login again.',
    });
  });

  test('with roles in two workspaces chooses one of them, and no other', async () => {
    provider.groups.dora = ['staff', 'partners'];
    const browser = new Browser();
    const response = await logIn(one, browser, 'dora');
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('acme, globex')]);
    await logIn(one, browser, 'dora', '?workspace=globex');
    expect(await whoIs(browser)).toMatchObject({ workspace: 'globex', scopes: ['approve:any', 'pins', 'admin'] });
    expect((await logIn(one, new Browser(), 'ada', '?workspace=globex')).status).toBe(403);
  });

  test('loses a role at their next login, in every browser', async () => {
    const [laptop, phone] = [new Browser(), new Browser()];
    await logIn(one, laptop, 'carol');
    expect(await whoIs(laptop)).toMatchObject({ scopes: ['approve:own', 'approve:any', 'pins'] });
    provider.groups.carol = ['staff'];
    await logIn(two, phone, 'carol');
    expect(await whoIs(phone)).toMatchObject({ scopes: ['approve:own'] });
    await eventually(async () => expect(await whoIs(laptop)).toBe(401));
    provider.groups.carol = [];
    await logIn(two, new Browser(), 'carol');
    await eventually(async () => expect(await whoIs(phone)).toBe(401));
  });

  test('keeps the session of another browser while the roles are the same', async () => {
    const [laptop, phone] = [new Browser(), new Browser()];
    await logIn(one, laptop, 'ada');
    await logIn(one, phone, 'ada');
    for (const browser of [laptop, phone]) expect(await whoIs(browser)).toMatchObject({ principal: 'sub:ada' });
  });
});

describe('a login is refused', () => {
  test('with another state, or none', async () => {
    for (const change of [
      (url: URL) => url.searchParams.set('state', 'x'.repeat(43)),
      (url: URL) => url.searchParams.delete('state'),
    ]) {
      const browser = new Browser();
      const url = new URL(await atProvider(await begin(one, browser), 'ada'));
      change(url);
      expect((await browser.send(at(one, url.href))).status).toBe(401);
      expect(browser.cookies.has(SESSION)).toBe(false);
    }
  });

  test('with a nonce of another login', async () => {
    const browser = new Browser();
    const request = new URL(await begin(one, browser));
    request.searchParams.set('nonce', 'n'.repeat(43));
    expect((await browser.send(at(one, await atProvider(request.href, 'ada')))).status).toBe(401);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  test('with another code verifier', async () => {
    const browser = new Browser();
    const request = new URL(await begin(one, browser));
    request.searchParams.set('code_challenge', 'c'.repeat(43));
    expect((await browser.send(at(one, await atProvider(request.href, 'ada')))).status).toBe(401);
  });

  test('with a code that was used before', async () => {
    const browser = new Browser();
    const url = at(one, await atProvider(await begin(one, browser), 'ada'));
    const attempt = browser.cookies.get(ATTEMPT) as string;
    expect((await browser.send(url)).status).toBe(303);
    const thief = new Browser();
    thief.cookies.set(ATTEMPT, attempt);
    expect((await thief.send(url)).status).toBe(401);
    expect(thief.cookies.has(SESSION)).toBe(false);
  });

  test('in another browser than the one that began it, and after it has ended', async () => {
    const browser = new Browser();
    const url = at(one, await atProvider(await begin(one, browser), 'ada'));
    expect((await new Browser().send(url)).status).toBe(400);
    // A code of another person, in the browser of a victim who has begun a login of their own.
    const victim = new Browser();
    await begin(one, victim);
    expect((await victim.send(url)).status).toBe(401);
    expect(victim.cookies.has(SESSION)).toBe(false);
    await browser.send(url);
    expect((await browser.send(url)).status).toBe(400);
  });

  test.each(['x', `${'A'.repeat(120)}`, ''])('with the attempt %j, which the gateway did not seal', async (sealed) => {
    const browser = new Browser();
    const url = at(one, await atProvider(await begin(one, browser), 'ada'));
    browser.cookies.set(ATTEMPT, sealed);
    expect((await browser.send(url)).status).toBe(400);
  });

  test('if the provider says so', async () => {
    const browser = new Browser();
    const state = new URL(await begin(one, browser)).searchParams.get('state');
    const url = `${one.origin}/login/callback?error=access_denied&error_description=%3Cb%3E&state=${state}`;
    const response = await browser.send(url);
    expect([response.status, await response.text()]).toEqual([401, expect.not.stringContaining('<b>')]);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/%5Cevil.example\\x',
    'javascript:alert(1)',
    '/a\nb',
    '/\t/evil.example',
    'evil',
    '',
    `/${'\u0436'.repeat(200)}`,
  ])('that leads to %j', async (to) => {
    const response = await new Browser().send(`${one.origin}/login?to=${encodeURIComponent(to)}`);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });
});

describe('a token of the same provider', () => {
  const ask = async (token: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${one.origin}/api/v1/me`, { headers });
    return response.status === 200 ? response.json() : response.status;
  };

  test('is of the same principal, and of its groups has the scopes that it asks for', async () => {
    provider.groups.ada = ['makers'];
    const agent = await tokensOf(provider, 'ada', 'openid mcp');
    expect(await ask(agent.access_token)).toEqual({ principal: 'sub:ada', workspace: 'acme', scopes: ['mcp'] });
    const browser = new Browser();
    await logIn(one, browser, 'ada');
    expect(await whoIs(browser)).toEqual({ principal: 'sub:ada', workspace: 'acme', scopes: ['mcp', 'approve:own'] });
  });

  test('does not count if it is an ID token, or of a person without a role', async () => {
    expect(await ask((await tokensOf(provider, 'ada', 'openid mcp')).id_token)).toBe(401);
    expect(await ask((await tokensOf(provider, 'dora', 'openid mcp')).access_token)).toBe(401);
  });
});

test('no login without a provider', async () => {
  const replica = await installation.start();
  for (const path of ['/login', '/login/callback'])
    expect((await fetch(`${replica.origin}${path}`, { redirect: 'manual' })).status).toBe(404);
});

test('a provider that does not answer is said to be unavailable', async () => {
  const environment = {
    SALLYPORT_OPEN: 'http://127.0.0.1:9',
    SALLYPORT_OIDC_ISSUER: 'http://127.0.0.1:9',
    SALLYPORT_OIDC_CLIENT_ID: 'x',
  };
  const replica = await installation.start({ environment });
  expect((await fetch(`${replica.origin}/login`, { redirect: 'manual' })).status).toBe(503);
});

test('one address begins and ends a limited number of logins, and others go on', async () => {
  const replica = await installation.start({
    environment: {
      SALLYPORT_PROXIES: '1',
      SALLYPORT_OPEN: provider.issuer,
      SALLYPORT_OIDC_ISSUER: provider.issuer,
      SALLYPORT_OIDC_CLIENT_ID: 'x',
    },
  });
  const [busy, calm] = Array.from({ length: 2 }, () => `2001:db8:${randomInt(1, 65536).toString(16)}:1::1`);
  const ask = async (path: string, address = ''): Promise<Response> =>
    fetch(`${replica.origin}${path}`, { redirect: 'manual', headers: { 'x-forwarded-for': address } });
  const statuses = await Promise.all(Array.from({ length: 400 }, async () => (await ask('/login', busy)).status));
  expect(new Set(statuses)).toEqual(new Set([303, 429]));
  // Many at once: a slow machine allows another one before a single request arrives.
  for (const path of ['/login', '/login/callback']) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(path, busy)));
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
  }
  expect((await ask('/login', calm)).status).toBe(303);
});
