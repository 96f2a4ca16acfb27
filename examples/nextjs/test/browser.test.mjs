// The whole application in Chromium: what is held, how it is answered, and what goes on after the answer.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { createDatabase, startApplication, startBrowser } from './application.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAY = 'Pay the invoice from Paula';
const NEWS = 'What is new in my inbox?';
const shots = process.env.SHOTS;
if (shots !== undefined) mkdirSync(shots, { recursive: true });

describe('the chat', () => {
  let database;
  let application;
  let browser;
  let page;

  before(async () => {
    database = await createDatabase();
    application = await startApplication(database.url);
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await application?.stop();
    await database?.drop();
  });

  async function open(options = {}) {
    await page?.context().close();
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    page = await context.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(application.origin);
    await page.getByRole('heading', { name: 'Inbox assistant' }).waitFor();
    assert.deepEqual(errors, []);
  }

  /** Ends approvals that would apply in a new chat. */
  const forgetAlways = () => database.query("DELETE FROM approvals WHERE scope = 'always'");
  const held = (title = 'May the assistant use pay?') => page.getByRole('region', { name: title });
  const choose = (name) => page.getByRole('button', { name, exact: true }).click();
  const says = (text) => page.getByText(text, { exact: true }).last().waitFor();

  async function say(text) {
    const input = page.getByLabel('Message');
    await input.fill(text);
    await input.press('Enter');
  }

  /** Serious and critical findings, and how much wider the page is than the screen. */
  async function look() {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const { scrollWidth, clientWidth } = document.documentElement;
      return {
        wide: scrollWidth - clientWidth,
        serious: serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      };
    });
  }

  for (const colorScheme of ['light', 'dark'])
    for (const width of [1280, 390])
      it(`shows what was held to everyone, ${colorScheme}, ${width} pixels wide`, async () => {
        await open({ colorScheme, viewport: { width, height: width === 390 ? 844 : 900 } });
        assert.deepEqual(await look(), { wide: 0, serious: [] });
        await choose(PAY);
        await held().waitFor();
        await page.getByText('Working').waitFor({ state: 'detached' });
        assert.match(await held().textContent(), /account.*FR76 3000 4000 2044/);
        const marks = await held().locator('blockquote mark').allTextContents();
        assert.deepEqual(marks, ['FR76 3000 4000 2044']);
        await page.locator('button[data-answer="once"]:enabled').waitFor();
        await page.mouse.move(0, 0);
        assert.deepEqual(await look(), { wide: 0, serious: [] });
        if (shots) await page.screenshot({ path: `${shots}/held-${width}-${colorScheme}.png`, fullPage: true });
        await choose('Reject');
        await says('I have not paid anything.');
        await say(NEWS);
        await held('send_mail was blocked').waitFor();
        await page.getByText('Working').waitFor({ state: 'detached' });
        assert.deepEqual(await look(), { wide: 0, serious: [] });
        if (shots) await page.screenshot({ path: `${shots}/denied-${width}-${colorScheme}.png`, fullPage: true });
      });

  const SCOPES = [
    { answer: 'Allow once', again: true, elsewhere: true },
    { answer: 'Allow until my next message', again: true, elsewhere: true },
    { answer: 'Allow in this conversation', again: false, elsewhere: true },
    { answer: 'Always allow', again: false, elsewhere: false },
  ];
  for (const { answer, again, elsewhere } of SCOPES)
    it(`goes on after "${answer}", and asks again: ${again}; in another chat: ${elsewhere}`, async () => {
      await open();
      await choose(PAY);
      await choose(answer);
      await says('Done: Paula has her 120 EUR.');
      await held().waitFor({ state: 'detached' });
      const asks = async (isAsked, done) => {
        if (isAsked) return held().waitFor();
        await page
          .getByText('Done: Paula has her 120 EUR.')
          .nth(done - 1)
          .waitFor();
        assert.equal(await held().count(), 0);
      };
      await say(PAY);
      await asks(again, 2);
      await open();
      await choose(PAY);
      await asks(elsewhere, 1);
    });

  it('tells the model that a call was rejected, and keeps nothing of it', async () => {
    await forgetAlways();
    await open();
    await choose(PAY);
    await choose('Reject');
    await says('I have not paid anything.');
    await page.getByText('rejected by you').waitFor();
    await page.reload();
    await says('I have not paid anything.');
    assert.equal(await held().count(), 0);
  });

  it('is answered with the keyboard alone', async () => {
    await forgetAlways();
    await open();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    const tabTo = async (name) => {
      for (let presses = 0; (await focused()) !== name; presses++) {
        assert.ok(presses < 20, `${name} cannot be reached with the keyboard`);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    };
    await tabTo(PAY);
    await held().waitFor();
    await page.getByText('Working').waitFor({ state: 'detached' });
    await page.locator('button[data-answer="once"]:enabled').waitFor();
    await tabTo('Allow once');
    await says('Done: Paula has her 120 EUR.');
  });

  it('keeps a held call when the server is started again', async () => {
    await forgetAlways();
    await open();
    await choose(PAY);
    await held().waitFor();
    await application.restart();
    await page.reload();
    await held().waitFor();
    await choose('Allow once');
    await says('Done: Paula has her 120 EUR.');
  });

  it('lets a person override a denial once, after they have read it', async () => {
    await open();
    await choose(NEWS);
    const blocked = held('send_mail was blocked');
    await blocked.waitFor();
    await page.getByText('Working').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Allow once anyway' }).isDisabled(), true);
    await page.getByLabel('I have read this').check();
    await choose('Allow once anyway');
    await says('The mail is on its way.');
    await say('Send it once more');
    // They have spoken since, so it is a question now.
    await held('May the assistant use send_mail?').waitFor();
  });

  it('refuses a message while a call waits, and answers to calls that do not', async () => {
    await forgetAlways();
    await open();
    await choose(PAY);
    await held().waitFor();
    const post = (path, body) =>
      fetch(application.origin + path, { method: 'POST', body: JSON.stringify(body) }).then(({ status }) => status);
    const chat = new URL(page.url()).pathname.split('/').at(-1);
    assert.equal(await post(`/api/chats/${chat}`, { text: 'Go on' }), 409);
    assert.equal(await post(`/api/chats/${chat}`, {}), 409);
    assert.equal(await post('/api/held/unknown', { outcome: 'approve' }), 404);
    const [call] = await fetch(`${application.origin}/api/chats/${chat}/held`).then((response) => response.json());
    assert.equal(await post(`/api/held/${call.id}`, { outcome: 'approve', scope: 'forever' }), 400);
    assert.equal(await post(`/api/held/${call.id}`, { outcome: 'approve', by: 'eve' }), 200);
    assert.equal(await post(`/api/held/${call.id}`, { outcome: 'approve' }), 404);
    const { rows } = await database.query('SELECT approval FROM approvals WHERE conversation = $1', [chat]);
    assert.deepEqual(
      rows.map(({ approval }) => approval.by),
      ['ann'],
    );
  });
});
