import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, logIn, openStage, type Stage } from './stage.ts';

const PEOPLE = 10;
const EACH = 50;

describe.skipIf(!hasChromium)('many held calls', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    for (let person = 0; person < PEOPLE; person++)
      await Promise.all(
        Array.from({ length: EACH }, (_, index) => stage.hold(`agent${person}`, { conversation: `${index}` })),
      );
  });
  afterAll(() => stage?.close());

  async function answered(principal: string): Promise<number> {
    const [row] = await stage.installation.test.attacker`
      select count(*)::int as count from approvals where answer is not null and principal = ${principal}`;
    return row?.count;
  }

  test('500 are one list, of which only those in view are in the page', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol');
    await page.locator('.card').first().waitFor();
    expect(await page.locator('.cards > li').first().getAttribute('aria-setsize')).toBe('500');
    expect(await page.locator('.card').count()).toBeLessThan(20);
    await page.context().close();
  });

  test('the selected one stays in view while j walks down the list', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol');
    await page.locator('.card-selected').waitFor();
    for (let step = 0; step < 40; step++) await page.keyboard.press('j');
    const row = page.locator('.cards > li', { has: page.locator('.card-selected') });
    await expect.poll(() => row.getAttribute('data-index')).toBe('40');
    await expect
      .poll(async () => {
        const box = await page.locator('.card-selected').boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= 720;
      })
      .toBe(true);
    await page.context().close();
  });

  test('a double click approves one call only, although the next one takes its place', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'approvals?person=agent5');
    // In the page, because a busy machine can take longer than half a second between two clicks from outside.
    await page.getByRole('button', { name: 'Approve once' }).first().waitFor();
    await page.evaluate(`(async () => {
      const button = [...document.querySelectorAll('button')].find((each) => each.textContent.includes('Approve once'));
      const { x, y } = button.getBoundingClientRect();
      const click = () => document.elementFromPoint(x + 5, y + 5)?.closest('button')?.click();
      click();
      await new Promise((resolve) => setTimeout(resolve, 100));
      click();
    })()`);
    await page.getByText('Approved.').waitFor();
    await page.waitForTimeout(700);
    expect(await answered('agent5')).toBe(1);
    await page.getByRole('button', { name: 'Approve once' }).first().click();
    await expect.poll(() => answered('agent5')).toBe(2);
    await page.context().close();
  });

  test('a key approves one call only, however fast it is pressed', async () => {
    const { page } = await stage.open();
    await logIn(page, 'carol', 'approvals?person=agent3');
    await page.locator('.card-selected').waitFor();
    await page.waitForTimeout(700);
    await page.evaluate(`(async () => {
      for (let press = 0; press < 5; press++) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })()`);
    await page.getByText('Approved.').waitFor();
    expect(await answered('agent3')).toBe(1);
    await page.context().close();
  });
});
