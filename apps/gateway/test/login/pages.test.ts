import { describe, expect, test } from 'vitest';
import { at, atProvider, Browser, begin } from './rig.ts';
import { openStage } from './stage.ts';

const { provider, one, whoIs } = await openStage();
const HTML = { accept: 'text/html,application/xhtml+xml' };

async function finish(browser: Browser, person: string, query = ''): Promise<Response> {
  const callback = await atProvider(await begin(one, browser, query), person);
  return browser.send(at(one, callback), { headers: HTML });
}

describe('a person in a browser', () => {
  test('chooses one of several workspaces, and goes where they wanted', async () => {
    provider.groups.ada = ['staff', 'partners'];
    const browser = new Browser();
    const asked = await finish(browser, 'ada', '?to=/console/keys');
    const text = await asked.text();
    expect([asked.status, text]).toEqual([200, expect.stringContaining('Which workspace?')]);
    const [, link = ''] = /href="([^"]*workspace=globex[^"]*)"/.exec(text) ?? [];
    const again = link.replaceAll('&amp;', '&').replace('/login', '');
    const done = await finish(browser, 'ada', again);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/console/keys']);
    expect(await whoIs(browser, one)).toMatchObject({ workspace: 'globex' });
  });

  test.each([
    { title: 'without a role', groups: [], expected: 'None of your groups gives you access.' },
    { title: 'whose workspace is missing', groups: ['ghosts'], expected: 'that does not exist' },
  ])('$title reads why on a page', async ({ groups, expected }) => {
    provider.groups.bob = groups;
    const refused = await finish(new Browser(), 'bob');
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining(expected)]);
  });

  test('whose login has expired, or was begun elsewhere, is offered another', async () => {
    const callback = await atProvider(await begin(one, new Browser()), 'ada');
    const refused = await new Browser().send(at(one, callback), { headers: HTML });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringMatching(/This login has expired.*<a href="\/login">Log in<\/a>/),
    ]);
  });

  test('reads an error of the provider as text', async () => {
    const browser = new Browser();
    const location = new URL(await begin(one, browser));
    const state = location.searchParams.get('state') ?? '';
    const hostile = new URLSearchParams({ error: '<script>alert(1)</script>', state, iss: provider.issuer });
    const refused = await browser.send(`${one.origin}/login/callback?${hostile}`, { headers: HTML });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.text()).not.toContain('<script>');
  });
});
