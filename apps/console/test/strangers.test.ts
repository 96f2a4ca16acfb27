import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocument } from '../generate/generated.ts';
import { seed } from './seed.ts';
import { CONSOLE, hasChromium, logIn, openStage, type Stage } from './stage.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
  readonly hasBody: boolean;
}

/** Every operation of the API that needs a scope. */
const OPERATIONS: readonly Operation[] = Object.entries(
  (
    JSON.parse(await readDocument()) as {
      paths: Record<string, Record<string, { security: Record<string, string[]>[]; requestBody?: unknown }>>;
    }
  ).paths,
).flatMap(([path, operations]) =>
  Object.entries(operations)
    .map(([method, { security, requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      scopes: security.flatMap((each) => Object.values(each).flat()),
      hasBody: requestBody !== undefined,
    }))
    .filter(({ scopes }) => scopes.length > 0),
);

const MARKERS =
  /evil\.example|invoice-agent|hooks\.example|canteen|A supplier that we know|mail\.example|sub:carol|sub:ada/;
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

describe.skipIf(!hasChromium)('an attack', () => {
  let stage: Stage;
  /** Pages of an administrator of another workspace, and of a person who may only answer their own calls. */
  let pages: { readonly eve: Page; readonly ada: Page };
  /** What the parameters of a path mean in the workspace that is attacked. */
  let parameters: Readonly<Record<string, string>>;
  beforeAll(async () => {
    stage = await openStage();
    await seed(stage);
    const { attacker } = stage.installation.test;
    const [key] = await attacker`select public_id as id from keys where workspace_id = ${stage.acme} limit 1`;
    const [lasting] = await attacker`select id from approvals where workspace_id = ${stage.acme} and scope is not null`;
    const [held] =
      await attacker`select id from approvals where workspace_id = ${stage.acme} and answer is null limit 1`;
    parameters = {
      '/approvals/lasting/{id}': lasting?.id,
      '/approvals/{id}': held?.id,
      '/conversations/{id}': Buffer.from(JSON.stringify(['sub:carol', 'lunch'])).toString('base64url'),
      '/keys/{id}': key?.id,
      '/webhooks/{name}': 'desk',
      '/servers/{name}': 'mail',
    };
    const [eve, ada] = [(await stage.open()).page, (await stage.open()).page];
    await logIn(eve, 'eve');
    await logIn(ada, 'ada');
    pages = { eve, ada };
  });
  afterAll(() => stage?.close());

  function addressOf({ path }: Operation): string {
    const prefix = Object.keys(parameters).find((each) => path.startsWith(`/api/v1${each}`));
    const value = prefix === undefined ? 'mail' : (parameters[prefix] as string);
    return path.replace(/\{\w+\}/, encodeURIComponent(value));
  }

  /** Sends a request as a script in the page would. Streams are read for a moment. */
  function send(
    page: Page,
    { method, hasBody }: Operation,
    address: string,
  ): Promise<{ status: number; text: string }> {
    return page.evaluate(
      async ([verb, to, body]) => {
        const gone = new AbortController();
        const init = body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } };
        const response = await fetch(to as string, { method: verb as string, signal: gone.signal, ...init });
        if (response.headers.get('content-type') !== 'text/event-stream')
          return { status: response.status, text: await response.text() };
        const part = await response.body?.getReader().read();
        gone.abort();
        return { status: response.status, text: new TextDecoder().decode(part?.value) };
      },
      [method, address, hasBody ? '{}' : undefined] as const,
    );
  }

  const READS = OPERATIONS.filter(({ method }) => method === 'GET');
  test.each(READS.map((operation) => ({ title: nameOf(operation), operation })))(
    'of an administrator of another workspace by $title shows nothing of this one',
    async ({ operation }) => {
      const { text } = await send(pages.eve, operation, addressOf(operation));
      expect(text).not.toMatch(MARKERS);
    },
  );

  const CHANGES = OPERATIONS.filter(
    ({ method, hasBody, path }) => method !== 'GET' && !hasBody && path.includes('{') && !path.includes('connection'),
  );
  test.each(CHANGES.map((operation) => ({ title: nameOf(operation), operation })))(
    'of an administrator of another workspace by $title finds nothing',
    async ({ operation }) => {
      const { status } = await send(pages.eve, operation, addressOf(operation));
      expect(status).toBe(404);
    },
  );

  const REFUSED = OPERATIONS.filter(({ scopes }) => !scopes.includes('approve:own'));
  test.each(REFUSED.map((operation) => ({ title: nameOf(operation), operation })))(
    'of a person without the scope by $title is refused',
    async ({ operation }) => {
      const { status } = await send(pages.ada, operation, addressOf(operation));
      expect(status).toBe(403);
    },
  );

  test('with the words of a conversation of another workspace stores no correction', async () => {
    const { eve } = pages;
    const conversation = `/api/v1/conversations/${parameters['/conversations/{id}']}`;
    const [row] = await stage.installation.test.attacker`select id from findings where workspace_id = ${stage.acme}`;
    const bodies = {
      [`${conversation}/passages`]: { entry: 'r1', start: 0, end: 3 },
      [`${conversation}/decisions`]: { call: 'c1', verdict: 'attack' },
      '/api/v1/feedback': { finding: row?.id, verdict: 'false-alarm' },
    };
    for (const [address, body] of Object.entries(bodies)) {
      const status = await eve.evaluate(
        async ([to, json]) =>
          (await fetch(to, { method: 'POST', body: json, headers: { 'content-type': 'application/json' } })).status,
        [address, JSON.stringify(body)] as const,
      );
      expect([address, status]).toEqual([address, 404]);
    }
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    ' /console/',
  ])('that asks for %j after the login does not leave the gateway', async (to) => {
    const response = await fetch(`${stage.origin}/login?to=${encodeURIComponent(to)}`, { redirect: 'manual' });
    expect(response.status).toBe(400);
  });

  test('that listens after the session was ended hears nothing more', async () => {
    const { page } = await stage.open();
    await logIn(page, 'dave');
    await page.evaluate(`(() => {
      window.heard = 0;
      window.ended = false;
      void fetch('/api/v1/events').then(async ({ body }) => {
        const reader = body.getReader();
        for (;;) {
          const { done } = await reader.read().catch(() => ({ done: true }));
          if (done) break;
          window.heard++;
        }
        window.ended = true;
      });
    })()`);
    await expect.poll(() => page.evaluate('window.heard')).toBeGreaterThan(0);
    const { page: carol } = await stage.open();
    await logIn(carol, 'carol', 'people');
    await carol.getByRole('button', { name: 'Log out dave' }).click();
    await carol.getByRole('button', { name: 'Really log out' }).click();
    await expect.poll(() => page.evaluate('window.ended')).toBe(true);
    for (const each of [page, carol]) await each.context().close();
  });

  test('in the address of a page is not obeyed', async () => {
    const { page, errors } = await stage.open();
    await logIn(page, 'carol');
    for (const path of [
      'conversations/%00',
      'conversations/e30',
      'approvals?server=__proto__',
      'audit?before=-1',
      'x%',
    ])
      await page.goto(`${CONSOLE}${path}`).then(() => page.locator('main :is(h1, h2)').first().waitFor());
    expect(errors.filter((each) => !/40[0-9]|422/.test(each))).toEqual([]);
    await page.context().close();
  });
});
