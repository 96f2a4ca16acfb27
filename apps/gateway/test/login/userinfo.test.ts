import { afterEach, describe, expect, test } from 'vitest';
import { Browser, logIn } from './rig.ts';
import { openStage, SESSION } from './stage.ts';

const { installation, provider, one, whoIs } = await openStage([], { hasThinTokens: true });

afterEach(() => {
  for (const person of Object.keys(provider.userinfo)) delete provider.userinfo[person];
});

describe('a person whose ID token has no groups', () => {
  test('has the groups that userinfo gives', async () => {
    const browser = new Browser();
    expect((await logIn(one, browser, 'carol')).status).toBe(303);
    expect(await whoIs(browser)).toEqual({
      principal: 'sub:carol',
      workspace: 'acme',
      scopes: ['approve:own', 'approve:any', 'pins'],
    });
  });

  test('has no access if userinfo has none either', async () => {
    const response = await logIn(one, new Browser(), 'nobody');
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('None of your groups')]);
  });

  test('is refused if userinfo is of another person', async () => {
    provider.userinfo.ada = { sub: 'carol', groups: ['security'] };
    const browser = new Browser();
    const response = await logIn(one, browser, 'ada');
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('did not confirm')]);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  test('cannot log in while userinfo fails, and keeps the sessions that they have', async () => {
    const [before, after] = [new Browser(), new Browser()];
    await logIn(one, before, 'ada');
    provider.userinfo.ada = new Error('down');
    expect((await logIn(one, after, 'ada')).status).toBe(503);
    expect(await whoIs(before)).toMatchObject({ principal: 'sub:ada' });
    expect(installation.lines.some((line) => line.includes('UserinfoError'))).toBe(true);
  });
});
