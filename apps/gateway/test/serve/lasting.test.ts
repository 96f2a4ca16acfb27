import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DOUBT, EVE } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { Bus } from '../../src/cache/bus.ts';
import { PinBook } from '../../src/store/pins/pins.ts';
import { eventually } from '../fixture/eventually.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { Agent } from './agent.ts';
import { type MailServer, mailServer } from './upstream.ts';

const POLICY = {
  askTimeout: 3600,
  servers: { mail: { tools: { read: { effect: 'read' }, send: { effect: 'send' } } } },
} as const;
const MALLORY = 'mallory@evil.example';

let installation: Installation;
let replicas: readonly [Replica, Replica];
let mail: MailServer;
let moved: MailServer;
let workspace: string;
/** An agent, and a person who may answer for all. */
let [agent, carol] = ['', ''];
let names = 0;
const bus = new Bus();
let book: PinBook;

beforeAll(async () => {
  installation = await Installation.make();
  book = new PinBook(installation.test.database, bus);
  [mail, moved] = [await mailServer(), await mailServer()];
  // Without the recipient: an address that an approved call returned is asked about less.
  for (const each of [mail, moved]) each.receipt = 'Sent.';
  const environment = { SALLYPORT_OPEN: `${mail.origin},${moved.origin}` };
  replicas = [await installation.start({ environment }), await installation.start({ environment })];
});

afterAll(async () => {
  bus.close();
  await installation?.drop();
  await Promise.all([mail?.close(), moved?.close()]);
});

beforeEach(async () => {
  workspace = await installation.workspace(`team-${++names}`);
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
  await installation.policy(workspace, POLICY);
  agent = await installation.key(workspace, 'agent');
  carol = await installation.key(workspace, 'carol', ['approve:any']);
  mail.mail = `${DOUBT} ~~or ${MALLORY}~~`;
  moved.mail = mail.mail;
  mail.about = 'Sends.';
});

afterEach(() => {
  mail.sent.length = 0;
  moved.sent.length = 0;
});

interface Held {
  readonly id: string;
  readonly question: {
    readonly scopes: readonly string[];
    readonly effect?: string;
    readonly fixed?: readonly string[];
  };
}

async function ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await fetch(`${replicas[0].origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${carol}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

async function pending(): Promise<readonly Held[]> {
  return (await ask<{ approvals: Held[] }>('GET', '/approvals')).approvals;
}

/** Calls, and answers the question that comes up. Undefined if none does. */
async function send(from: Agent, to: string, answer: object): Promise<Held | undefined> {
  const sending = from.call('send', { to });
  const held = await eventually(async () => {
    const hasEnded = await Promise.race([sending.then(() => true), pending().then(() => false)]);
    const [first] = await pending();
    expect(hasEnded || first !== undefined).toBe(true);
    return first;
  });
  if (held !== undefined) await ask('POST', `/approvals/${held.id}`, answer);
  expect(await sending).toContain('Sent.');
  return held;
}

const connect = (replica: Replica, conversation?: string): Promise<Agent> =>
  Agent.connect(replica.origin, agent, conversation);
const ALWAYS = { answer: 'approved', scope: 'always' };
const ONCE = { answer: 'approved' };

describe('a person approves always', () => {
  test('and the same call passes without a question: on each replica, in each conversation, until it is revoked', async () => {
    const [one, two] = [await connect(replicas[0], 'one'), await connect(replicas[1], 'two')];
    const held = await send(one, EVE, ALWAYS);
    expect(held?.question).toMatchObject({
      scopes: ['once', 'task', 'conversation', 'always'],
      effect: 'send',
      fixed: ['/to'],
    });
    for (const client of [one, two]) expect(await send(client, EVE, ONCE)).toBeUndefined();
    // Another value was not approved.
    expect(await send(two, MALLORY, ONCE)).toBeDefined();
    expect(mail.sent).toEqual([EVE, EVE, EVE, MALLORY]);
    const { approvals } = await ask<{ approvals: { id: string; uses: number }[] }>('GET', '/approvals/lasting');
    expect(approvals).toMatchObject([{ id: held?.id, principal: 'agent', givenBy: 'carol' }]);
    expect(approvals[0]?.uses).toBe(3);
    await ask('DELETE', `/approvals/lasting/${held?.id}`);
    for (const client of [one, two]) expect(await send(client, EVE, ONCE)).toBeDefined();
  });

  test('and the calls of another principal are still held', async () => {
    const one = await connect(replicas[0]);
    await send(one, EVE, ALWAYS);
    agent = await installation.key(workspace, 'another');
    expect(await send(await connect(replicas[0]), EVE, ONCE)).toBeDefined();
  });

  test('after the client has given up: the next such call passes', async () => {
    await installation.policy(workspace, { ...POLICY, askTimeout: 1 }, 1);
    const one = await connect(replicas[0]);
    expect(await one.call('send', { to: EVE })).toContain('not made');
    const [held] = await pending();
    await ask('POST', `/approvals/${held?.id}`, ALWAYS);
    expect(await one.call('send', { to: EVE })).toContain('Sent.');
    // Not by the answer, which applies once.
    expect(await one.call('send', { to: EVE })).toContain('Sent.');
  });

  test.each([
    {
      title: 'the server has moved',
      change: () => installation.server(workspace, 'mail', { kind: 'http', url: `${moved.origin}/mcp` }),
    },
    {
      title: 'the policy for the server has changed',
      change: () =>
        installation.policy(workspace, { ...POLICY, servers: { mail: { ...POLICY.servers.mail, hide: ['x'] } } }, 1),
    },
    {
      title: 'the table has changed',
      change: () => installation.policy(workspace, { ...POLICY, table: { spend: { model: 'deny' } } }, 1),
    },
    {
      title: 'a person has accepted another definition of the tool',
      change: async () => {
        mail.about = 'Sends to all.';
        await connect(replicas[0]);
        const [held] = await book.held(workspace);
        await book.accept(workspace, 'mail', held?.digest as string, 'carol');
      },
    },
  ])('and such a call is held again after $title', async ({ change }) => {
    const one = await connect(replicas[0]);
    await send(one, EVE, ALWAYS);
    expect(await send(one, EVE, ONCE)).toBeUndefined();
    await change();
    // A replica notices the change within a second.
    await eventually(async () => {
      const again = await connect(replicas[0]);
      expect(await send(again, EVE, ONCE)).toBeDefined();
    });
  });

  test('and a policy change for another server leaves it valid', async () => {
    const one = await connect(replicas[0]);
    await send(one, EVE, ALWAYS);
    await installation.policy(workspace, { ...POLICY, servers: { ...POLICY.servers, other: { trusted: true } } }, 1);
    await pause(1500);
    expect(await send(await connect(replicas[0]), EVE, ONCE)).toBeUndefined();
  });
});

test('an approval for a conversation does not cover another one', async () => {
  const [one, two] = [await connect(replicas[0], 'one'), await connect(replicas[0], 'two')];
  expect(await send(one, EVE, { answer: 'approved', scope: 'conversation' })).toBeDefined();
  expect(await send(one, EVE, ONCE)).toBeUndefined();
  expect(await send(two, EVE, ONCE)).toBeDefined();
});
