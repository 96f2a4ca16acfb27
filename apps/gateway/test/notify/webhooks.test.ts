import { createHmac, randomBytes } from 'node:crypto';
import type { Question } from '@sallyport/mcp-proxy';
import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Notifier } from '../../src/notify/notifier.ts';
import { type WebhookFormat, Webhooks } from '../../src/notify/webhooks.ts';
import { Approvals } from '../../src/store/approvals.ts';
import { Vault } from '../../src/store/secrets/vault.ts';
import { AddressRules } from '../../src/upstream/address.ts';
import { createFetch } from '../../src/upstream/fetch.ts';
import { openStore } from '../fixture/store.ts';
import { bodyOf, type Local, serve } from '../upstream/rig.ts';

const { opened, bus, workspace, other } = await openStore();
const webhooks = new Webhooks(opened.database, new Vault(randomBytes(32).toString('hex')));
const approvals = new Approvals(opened.database, bus);
const received: { path: string; body: string; headers: Record<string, unknown> }[] = [];
const causes: unknown[] = [];
let receiver: Local;
let fetch: GuardedFetch;
let status = 200;

beforeAll(async () => {
  receiver = await serve(async (request, response) => {
    received.push({ path: request.url ?? '', body: await bodyOf(request), headers: request.headers });
    response.writeHead(status).end('<!channel> said the receiver');
  });
  fetch = createFetch(new AddressRules({ open: [receiver.origin] }));
});
afterAll(async () => {
  await fetch.close();
  await receiver.close();
});
beforeEach(async () => {
  status = 200;
  received.length = 0;
  for (const ws of [workspace, other])
    for (const { name } of await webhooks.list(ws)) await webhooks.remove(ws, name, 'test');
});

const notifier = (): Notifier =>
  new Notifier({
    webhooks,
    fetchFor: async () => fetch,
    nameOfWorkspace: async (id) => (id === workspace ? 'mine' : 'other'),
    publicUrl: 'https://gateway.example',
    onError: (cause) => void causes.push(cause),
  });

const add = (name: string, format: WebhookFormat = 'json', ws = workspace): Promise<string> =>
  webhooks.set(ws, name, `${receiver.origin}/${name}`, format, 'ann');

const QUESTION = {
  server: 'mail',
  tool: 'send',
  arguments: '{"to":"eve@evil.example"}',
  rule: 'content',
  reason: 'The address comes from a page: <!channel> *[look](https://evil.example)*\u202e\nhere',
  scopes: ['once'],
  evidence: [],
} as unknown as Question;

let conversations = 0;

/** Holds a call, and returns its id. */
async function hold(ws = workspace, principal = 'agent'): Promise<string> {
  const question = { ...QUESTION, conversation: `talk-${conversations++}` };
  const enough = new AbortController();
  await approvals.approver({ workspace: ws, principal }, () => enough.abort())(question, enough.signal);
  const found = (await approvals.pending(ws)).find((each) => each.question.conversation === question.conversation);
  return found?.id as string;
}

/** Makes waiting messages due, as time would. */
async function wait(): Promise<void> {
  await opened.attacker`update notices set next_at = now() - interval '1 second'`;
}

describe('a held call', () => {
  test('is told to the webhooks of its workspace, once, and signed', async () => {
    const secret = await add('desk');
    await add('elsewhere', 'json', other);
    const id = await hold();
    await notifier().send();
    await wait();
    await notifier().send();
    expect(received.map(({ path }) => path)).toEqual(['/desk']);
    const [{ body, headers }] = received as [(typeof received)[number]];
    expect(JSON.parse(body)).toMatchObject({
      type: 'approval.asked',
      data: {
        workspace: 'mine',
        principal: 'agent',
        tool: 'mail.send',
        needsSecondPerson: false,
        url: `https://gateway.example/console/approvals/${id}`,
      },
    });
    expect(headers['webhook-id']).toBe(`${id}_desk`);
    const signed = `${id}_desk.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(signed)
      .digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(body).not.toContain('eve@evil.example');
    expect((await webhooks.list(workspace))[0]).toMatchObject({ name: 'desk', sentAt: expect.any(Date) });
  });

  test('is told again until the receiver accepts it, and the reason holds nothing of what the receiver said', async () => {
    await add('desk');
    await hold();
    status = 503;
    await notifier().send();
    await notifier().send();
    expect(received).toHaveLength(1);
    expect((await webhooks.list(workspace))[0]?.failure).toBe('The receiver answered with status 503.');
    await wait();
    status = 200;
    await notifier().send();
    expect(received).toHaveLength(2);
    expect(received[0]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id']);
    expect((await webhooks.list(workspace))[0]?.failure).toBeUndefined();
  });

  test('is not told when a person has answered it', async () => {
    await add('desk');
    await approvals.answer(workspace, await hold(), 'denied', 'ann');
    await notifier().send();
    expect(received).toEqual([]);
  });

  test('is told by one of two replicas', async () => {
    await add('desk');
    await hold();
    await Promise.all([notifier().send(), notifier().send()]);
    expect(received).toHaveLength(1);
  });

  test('is told one at a time, so that a chat is not flooded', async () => {
    await add('desk');
    for (let call = 0; call < 3; call++) await hold(workspace, `agent-${call}`);
    await notifier().send();
    expect(received).toHaveLength(1);
    await notifier().send();
    expect(received).toHaveLength(2);
  });
});

test.each([
  { title: 'Slack', format: 'slack' as const, types: ['plain_text'] },
  { title: 'Teams', format: 'teams' as const, types: ['TextRun'] },
])('a message for $title makes no links, mentions or formats of texts of others', async ({ format, types }) => {
  await add('chat', format);
  await hold(workspace, '<!here> *ann*');
  await notifier().send();
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { text, type } = value as { text?: unknown; type?: unknown };
    if (typeof text === 'string' && /evil|here/.test(text)) found.push(String(type));
    Object.values(value).forEach(visit);
  };
  visit(JSON.parse(received[0]?.body ?? ''));
  expect(new Set(found)).toEqual(new Set(types));
  expect(received[0]?.body).not.toMatch(/\u202e|\\n/);
});

test('a message to an address that is not allowed is not sent, and the webhook says so', async () => {
  await webhooks.set(workspace, 'inside', 'http://169.254.169.254/latest', 'json', 'ann');
  await hold();
  await notifier().send();
  expect((await webhooks.list(workspace))[0]?.failure).toBeDefined();
  expect(received).toEqual([]);
});

test('a test message says only that messages arrive', async () => {
  await add('desk');
  expect(await notifier().test(workspace, 'desk', 'ann')).toBeUndefined();
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ type: 'test' });
  status = 404;
  expect(await notifier().test(workspace, 'desk', 'ann')).toBe('The receiver answered with status 404.');
  await expect(notifier().test(workspace, 'none', 'ann')).rejects.toThrow('There is no webhook of that name');
});

test('the address is neither listed nor stored in the clear, and a workspace has ten webhooks at most', async () => {
  await webhooks.set(workspace, 'chat', `${receiver.origin}/services/hush-4711`, 'slack', 'ann');
  const rows = await opened.attacker`select * from webhooks`;
  expect(JSON.stringify([rows, await webhooks.list(workspace)])).not.toContain('hush-4711');
  for (let index = 0; index < 9; index++) await add(`hook-${index}`);
  await expect(add('one-too-many')).rejects.toThrow('at most 10 webhooks');
  expect(await webhooks.list(workspace)).toHaveLength(10);
});

test('nothing failed on the way', () => expect(causes).toEqual([]));
