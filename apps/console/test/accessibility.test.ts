import { mkdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONVERSATION, fileOf } from './conversation-fixture.ts';
import { seed } from './seed.ts';
import { CONSOLE, hasChromium, logIn, openStage, type Stage } from './stage.ts';

/** Where pictures of all views are written. @default nowhere */
const { CONSOLE_PICTURES: pictures } = process.env;

/** The views, and what each shows when it has loaded. */
const VIEWS = {
  approvals: 'Transfer with iban',
  'approvals/answered': 'A supplier that we know.',
  'approvals/lasting': 'always',
  conversations: 'lunch',
  corrections: 'send, content',
  'corrections?server=mail&tag=imperative': 'Of 1 call',
  health: 'Holds by cause',
  audit: 'read_mail',
  policy: 'Version 1',
  servers: 'https://mail.example/mcp',
  people: 'Log out',
  keys: 'invoice-agent',
  webhooks: 'example.com',
};
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1440].map((width) => ({ title: `${colorScheme} at ${width} px`, colorScheme, width })),
);

const nameOf = (view: string): string => view.replace(/\W+/g, '-');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious findings of axe. It is evaluated by the debugger, because the page's own policy does not let it in. */
async function findingsIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

describe.skipIf(!hasChromium)('the console can be used by everyone', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    await seed(stage);
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  });
  afterAll(() => stage?.close());

  test.each(LOOKS)('$title', async ({ colorScheme, width }) => {
    const { page, errors } = await stage.open({ colorScheme, viewport: { width, height: 900 } });
    await page.goto(CONSOLE);
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    const found = [...(await findingsIn(page))];
    await logIn(page, 'carol');
    const look = async (view: string): Promise<void> => {
      found.push(...(await findingsIn(page)));
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if ((overflow as number) > 0) found.push(`${view} is ${overflow} px too wide`);
      if (pictures !== undefined)
        await page.screenshot({ path: `${pictures}/${nameOf(view)}-${colorScheme}-${width}.png`, fullPage: true });
    };
    for (const [view, shown] of Object.entries(VIEWS)) {
      await page.goto(`${CONSOLE}${view}`);
      await page.getByText(shown).first().waitFor();
      if (view === 'audit')
        await page
          .getByRole('button', { name: /^Event/ })
          .first()
          .click();
      if (view === 'health') await page.getByText('As a table').first().click();
      await look(view);
    }
    await page.goto(`${CONSOLE}approvals`);
    await page.getByRole('button', { name: 'For longer' }).first().click();
    await page.locator('.coverage').waitFor();
    await look('approve-for-longer');
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('link', { name: 'lunch' }).click();
    for (const name of [/Was this mark right/, /Report an attack/, /Was this right/]) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await look(`dialog ${name.source}`);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.locator('input[type=file]').setInputFiles(fileOf(CONVERSATION));
    await page.locator('[data-value="c1 /iban"]').focus();
    await page.locator('.place-active').waitFor();
    await look('conversation');
    expect(found).toEqual([]);
    expect(errors.filter((each) => !/40[14]/.test(each))).toEqual([]);
    await page.context().close();
  });
});
