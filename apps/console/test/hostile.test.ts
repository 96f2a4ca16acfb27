import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Findings } from '../../gateway/src/store/policy/findings.ts';
import { call, writeEvents } from './audit-fixture.ts';
import { CONVERSATION, fileOf, HOSTILE } from './conversation-fixture.ts';
import { CONSOLE, hasChromium, logIn, openStage, type Stage } from './stage.ts';

const PROPERTIES = { [HOSTILE]: { description: HOSTILE, nested: { [HOSTILE]: HOSTILE } } };

/** What a page that obeys text would contain, run or ask for. */
async function obeyed(page: Page): Promise<unknown> {
  return page.evaluate(`({
    hacked: window.hacked,
    scripts: document.querySelectorAll('main script, main img, main iframe, main a[href*="evil"], main a[href^="javascript"]').length,
    direction: /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u0007]/.test(document.body.textContent),
  })`);
}

/** Corrections and thresholds whose every free field is hostile, and a conversation that can be corrected. */
async function correctEverything({ installation, acme }: Stage): Promise<void> {
  const { attacker, database } = installation.test;
  await attacker`insert into feedback (workspace_id, server, tool, tag, digest, likelihood, verdict, said_by)
    values (${acme}, ${HOSTILE}, ${HOSTILE}, 'imperative', ${HOSTILE}, 'low', 'attack', ${HOSTILE})`;
  await attacker`insert into corrected_decisions (workspace_id, digest, principal, server, tool, outcome, rule, cell, was_made,
    verdict, said_by) values (${acme}, ${HOSTILE}, ${HOSTILE}, ${HOSTILE}, ${HOSTILE}, 'deny', ${HOSTILE}, ${HOSTILE}, false,
    'attack', ${HOSTILE})`;
  await attacker`insert into thresholds (workspace_id, server, tag, minimum, set_by, until)
    values (${acme}, ${HOSTILE}, 'imperative', 'medium', ${HOSTILE}, now() + interval '1 day')`;
  const marked = `>>${HOSTILE}<<`;
  await new Findings(database).add(acme, 'sub:carol', [
    { server: 'evil', tool: HOSTILE, tag: 'imperative', likelihood: 'high', text: marked },
  ]);
  const entries = [
    { type: 'read', id: 'r1', server: 'evil', tool: `evil.${HOSTILE}`, texts: [`${marked} ${HOSTILE}`], bare: [] },
    { type: 'call', id: 'c1', tool: `evil.${HOSTILE}`, arguments: { [HOSTILE]: HOSTILE } },
  ];
  for (const entry of entries)
    await attacker`insert into log (workspace_id, conversation, body)
      values (${acme}, ${JSON.stringify(['sub:carol', 'conversation hostile'])}, ${JSON.stringify({ key: entry.id, entry })})`;
}

describe.skipIf(!hasChromium)('hostile text', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    const { installation, acme, pins, hold } = stage;
    await installation.server(acme, 'evil', { kind: 'http', url: 'https://evil.example/mcp' });
    await installation.policy(acme, {
      servers: { evil: { tools: { '<img src=x onerror=hacked=1>': { effect: 'send' } } } },
    });
    await pins.store(acme, 'evil').hold([
      {
        type: 'changed',
        tool: HOSTILE,
        before: { name: HOSTILE },
        after: { name: HOSTILE, description: HOSTILE, ...PROPERTIES },
      },
      { type: 'instructions', before: 'be kind', after: HOSTILE },
      { type: 'confusable', tool: `${HOSTILE}2`, with: HOSTILE, after: PROPERTIES },
      { type: 'unreadable', tool: `${HOSTILE}3`, reason: HOSTILE },
    ]);
    const excerpt = { before: HOSTILE, match: HOSTILE, after: HOSTILE };
    await hold('<img src=x onerror=hacked=1>', {
      server: HOSTILE,
      tool: HOSTILE,
      arguments: JSON.stringify({ [HOSTILE]: HOSTILE, to: HOSTILE }),
      reason: HOSTILE,
      evidence: [{ path: `/${HOSTILE}`, source: HOSTILE, excerpt }],
    });
    await hold('agent', { conversation: 'not JSON', arguments: HOSTILE, evidence: [] });
    await correctEverything(stage);
    await writeEvents(stage, [
      {
        ...call(HOSTILE, 'deny', 'deny', 'x'),
        server: HOSTILE,
        principal: HOSTILE,
        conversation: HOSTILE,
        reason: HOSTILE,
      },
      { ...call('t', 'allow', 'ask', HOSTILE), outcome: HOSTILE },
      { type: 'approval', what: HOSTILE, id: HOSTILE, digest: '', by: HOSTILE, note: HOSTILE },
      { type: HOSTILE, what: 'changed', by: HOSTILE, server: HOSTILE, [HOSTILE]: { [HOSTILE]: HOSTILE } },
    ]);
    const { attacker } = installation.test;
    await attacker`insert into people values (${acme}, ${HOSTILE}, '{audit}')`;
    await attacker`insert into keys (workspace_id, public_id, digest, principal, label, scopes, groups)
      values (${acme}, 'hostile1', '', ${HOSTILE}, ${HOSTILE}, '{mcp}', ${[HOSTILE]}::text[])`;
    await attacker`insert into logins values (${acme}, sha256('x'), ${HOSTILE}, '{audit}', now(), now() + interval '1 hour')`;
    await attacker`insert into webhooks (workspace_id, name, format, host, sealed, made_by, failure)
      values (${acme}, 'evil', 'json', ${HOSTILE}, '', ${HOSTILE}, ${HOSTILE})`;
  });
  afterAll(() => stage?.close());

  test.each([
    { view: 'approvals', shown: 'All arguments' },
    { view: 'servers', shown: 'Changed definitions' },
    { view: 'policy', shown: 'Version 1' },
    { view: 'corrections', shown: 'What was said' },
    { view: 'corrections?server=evil&tag=imperative', shown: 'It cannot be raised' },
    {
      view: `corrections?server=${encodeURIComponent(HOSTILE)}&tag=${encodeURIComponent('"><img src=x>')}`,
      shown: 'What was said',
    },
    { view: 'health', shown: 'Holds by cause' },
    { view: 'audit', shown: 'approval' },
    {
      view: `audit?tool=${encodeURIComponent(HOSTILE)}&person=${encodeURIComponent('"><img src=x>')}`,
      shown: 'Nothing was found',
    },
    { view: 'people', shown: 'Log out' },
    { view: 'keys', shown: 'hostile1' },
    { view: 'webhooks', shown: 'failed' },
    {
      view: `approvals?tool=${encodeURIComponent(HOSTILE)}&person=${encodeURIComponent('"><img src=x>')}`,
      shown: 'Approvals',
    },
    { view: 'conversations/..%2f..%2fme', shown: 'Conversation' },
    { view: encodeURIComponent(HOSTILE), shown: 'This page does not exist' },
  ])('is only text in $view', async ({ view, shown }) => {
    const { page, errors } = await stage.open();
    const foreign: string[] = [];
    page.on('request', (request) => foreign.push(request.url()));
    await logIn(page, 'carol', view);
    await page.getByText(shown).first().waitFor();
    for (const summary of await page.locator('main summary, main button[aria-expanded]').all()) await summary.click();
    expect(await obeyed(page)).toEqual({ scripts: 0, direction: false });
    expect(
      foreign.filter((url) => !/^http:\/\/(?:localhost:8080|127\.0\.0\.1)/.test(url) && url.includes('evil')),
    ).toEqual([]);
    expect(errors.filter((each) => !/40[14]/.test(each))).toEqual([]);
    await page.context().close();
  });

  test('is only text in a recorded conversation whose every field is hostile', async () => {
    const entries = CONVERSATION.map((entry) =>
      entry.type === 'call'
        ? {
            ...entry,
            server: HOSTILE,
            tool: HOSTILE,
            effect: HOSTILE,
            reason: HOSTILE,
            rule: HOSTILE,
            cell: HOSTILE,
            arguments: HOSTILE,
          }
        : {
            ...entry,
            name: HOSTILE,
            text: HOSTILE,
            spans: [{ start: -5, end: 1e9, tag: HOSTILE, likelihood: 'high' }],
          },
    );
    const { page } = await stage.open();
    await logIn(page, 'carol', 'conversations');
    await page.locator('input[type=file]').setInputFiles(fileOf(entries as never));
    await page.locator('.entry-call').first().waitFor();
    expect(await page.locator('.entry-text').count()).toBeGreaterThan(1);
    expect(await obeyed(page)).toEqual({ scripts: 0, direction: false });
    await page.context().close();
  });

  test('is only text in the questions about marks, words and calls, and in the answers', async () => {
    const { page, errors } = await stage.open();
    await logIn(page, 'carol', 'conversations');
    await page.getByRole('link', { name: 'hostile' }).click();
    await page.locator('.entry-call').waitFor();
    for (const name of [/Was this mark right/, /Report an attack/, /Was this right/]) {
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      expect(await dialog.locator('a, img, script').count()).toBe(0);
      expect(await obeyed(page)).toEqual({ scripts: 0, direction: false });
      const boxes = dialog.getByRole('checkbox');
      if ((await boxes.count()) > 0) await boxes.first().check();
      await dialog.getByRole('button', { name: /This was an attack|Report/ }).click();
      await dialog.getByText('Saved.').waitFor();
      expect(await obeyed(page)).toEqual({ scripts: 0, direction: false });
      await page.keyboard.press('Escape');
    }
    expect(errors.filter((each) => !/40[14]/.test(each))).toEqual([]);
    await page.context().close();
  });

  test('cannot frame the console, nor be written into it as a script', async () => {
    const { page } = await stage.open();
    await page.goto(CONSOLE);
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    const wrote = await page.evaluate(`(() => {
      try { document.body.innerHTML = '<b>x</b>'; return 'written'; } catch (cause) { return cause.name; }
    })()`);
    expect(wrote).toBe('TypeError');
    await page.goto('about:blank');
    await page.setContent(`<iframe src="${CONSOLE}"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    await page.context().close();
  });

  test('of another site cannot answer for a person, and an address after the login stays here', async () => {
    const id = await stage.hold('sub:ada', { conversation: 'forged' });
    const { page } = await stage.open();
    await logIn(page, 'ada');
    const forged = await page.context().newPage();
    await forged.goto(`${stage.origin}/health`);
    await forged.setContent(`<form method="post" enctype="text/plain" action="http://localhost:8080/api/v1/approvals/${id}">
      <input name='{"answer":"approved","x":"' value='"}'></form>`);
    await forged.evaluate('document.forms[0].submit()');
    await forged.waitForURL(/localhost/);
    expect(await stage.answerTo(id)).toMatchObject({ answer: null });
    const refused = await page.goto('http://localhost:8080/login?to=//evil.example');
    expect(refused?.status()).toBe(400);
    await page.context().close();
  });
});
