import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { DOUBT, EVE } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { Bus } from '../../src/cache/bus.ts';
import { Approvals } from '../../src/store/approvals.ts';
import { eventually } from '../fixture/eventually.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, serve } from '../upstream/rig.ts';
import { type MailServer, mailServer } from './upstream.ts';

const POLICY = {
  askTimeout: 3600,
  servers: { mail: { tools: { read: { effect: 'read' }, send: { effect: 'send' } } } },
} as const;

let installation: Installation;
let one: Replica;
let two: Replica;
let mail: MailServer;
let approvals: Approvals;
const bus = new Bus();
/** The replicas poll when a test moves this clock. */
const time = new ManualTime();
let names = 0;

beforeAll(async () => {
  installation = await Installation.make();
  mail = await mailServer();
  const environment = { SALLYPORT_OPEN: mail.origin };
  const { timer } = time;
  [one, two] = await Promise.all([
    installation.start({ environment, timer }),
    installation.start({ environment, timer }),
  ]);
  approvals = new Approvals(installation.test.database, bus);
});

afterAll(async () => {
  bus.close();
  // Ends what a failed test has left pending.
  const passing = setInterval(() => time.advance(1000), 10);
  await installation?.drop();
  clearInterval(passing);
  await mail?.close();
});

interface Held {
  readonly workspace: string;
  readonly key: string;
  readonly session: string;
  readonly id: string;
  /** The answer to the call. */
  readonly answer: Promise<string>;
}

const headersFor = (key: string, session?: string): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...(session === undefined ? {} : { 'mcp-session-id': session }),
});

function post(replica: Replica, headers: Record<string, string>, body: object): Promise<Response> {
  const message = JSON.stringify({ jsonrpc: '2.0', ...body });
  return fetch(`${replica.origin}/mcp/mail`, { method: 'POST', headers, body: message });
}

/** A held call on the first replica, in a workspace of its own. */
async function hold(): Promise<Held> {
  const workspace = await installation.workspace(`team-${++names}`);
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
  await installation.policy(workspace, POLICY);
  const key = await installation.key(workspace);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const opened = await post(one, headersFor(key), { id: 1, method: 'initialize', params });
  const session = opened.headers.get('mcp-session-id') as string;
  await opened.text();
  mail.mail = DOUBT;
  for (const [id, method, given] of [
    [2, 'tools/list', {}],
    [3, 'tools/call', { name: 'read', arguments: {} }],
  ] as const)
    await (await post(one, headersFor(key, session), { id, method, params: given })).text();
  const call = { id: 4, method: 'tools/call', params: { name: 'send', arguments: { to: EVE } } };
  const answer = post(one, headersFor(key, session), call).then((response) => response.text());
  const id = await eventually(async () => {
    const [pending] = await approvals.pending(workspace);
    expect(pending).toBeDefined();
    return (pending as { id: string }).id;
  });
  return { workspace, key, session, id, answer };
}

/** Approves in a process whose notices do not reach the replicas; then they poll. */
async function approve({ workspace, id }: Held): Promise<void> {
  await approvals.answer(workspace, id, 'approved', 'ann');
  time.advance(2000);
}

test('a held call is sent when a person approves it', async () => {
  const held = await hold();
  await approve(held);
  expect(await held.answer).toContain('Sent to');
  expect(mail.sent.pop()).toBe(EVE);
});

test('a held call that the client has cancelled on any replica is not sent', async () => {
  const held = await hold();
  const other = await hold();
  const { key, session, answer } = held;
  const headers = headersFor(key, session);
  // Cancellations of another request, and of the same id in another session, have no effect.
  await post(two, headers, { method: 'notifications/cancelled', params: { requestId: 5 } });
  await post(two, headersFor(key), { method: 'notifications/cancelled', params: { requestId: 4 } });
  // Notices arrive in order: this call ends, so the two before have arrived, and the first call is still held.
  await post(two, headersFor(other.key, other.session), {
    method: 'notifications/cancelled',
    params: { requestId: 4 },
  });
  expect(await Promise.race([other.answer, answer.then(() => 'ended first')])).toBe('');
  expect(await Promise.race([answer, Promise.resolve('waits')])).toBe('waits');
  await post(two, headers, { method: 'notifications/cancelled', params: { requestId: 4 } });
  expect(await answer).toBe('');
  await approve(held);
  // A call that is approved later is sent. The cancelled one would have been sent before it.
  const last = await hold();
  await approve(last);
  expect(await last.answer).toContain('Sent to');
  expect(mail.sent.splice(0)).toEqual([EVE]);
});

test.each([
  {
    title: 'the key is revoked',
    change: async ({ workspace, key }: Held) => {
      await installation.revoke(workspace, key);
    },
  },
  {
    title: 'the policy changes',
    change: async ({ workspace }: Held) => {
      await installation.policy(workspace, { ...POLICY, preset: 'strict' }, 1);
    },
  },
])('a held call is not sent if $title meanwhile', async ({ change }) => {
  const held = await hold();
  await change(held);
  await approve(held);
  expect(await held.answer).toContain('has changed while it waited');
  expect(mail.sent).toEqual([]);
});

test('an unanswered call ends when the client cancels it', async () => {
  const workspace = await installation.workspace(`team-${++names}`);
  let arrived = 0;
  const silent = await serve(async (request, response) => {
    const { id, method } = JSON.parse(await bodyOf(request)) as { id?: number; method: string };
    const result =
      method === 'tools/list' ? { tools: [{ name: 'read', inputSchema: { type: 'object' } }] } : { capabilities: {} };
    if (method === 'notifications/cancelled') response.writeHead(202).end();
    else if (method === 'tools/call') arrived++;
    else json(response, { jsonrpc: '2.0', id, result });
  });
  const replica = await installation.start({ environment: { SALLYPORT_OPEN: silent.origin } });
  await installation.server(workspace, 'mail', { kind: 'http', url: `${silent.origin}/mcp` });
  await installation.policy(workspace, { servers: { mail: { tools: { read: { effect: 'read' } } } } });
  const key = await installation.key(workspace);
  const opened = await post(replica, headersFor(key), { id: 0, method: 'initialize', params: { capabilities: {} } });
  const headers = headersFor(key, opened.headers.get('mcp-session-id') as string);
  // More requests than may be open at once: none of them stays open.
  for (let id = 1; id <= 220; id += 20) {
    const ids = Array.from({ length: 20 }, (_, index) => id + index);
    const calls = ids.map((each) =>
      post(replica, headers, { id: each, method: 'tools/call', params: { name: 'read', arguments: {} } }),
    );
    await eventually(() => expect(arrived).toBe(id + 19));
    for (const each of ids)
      await post(replica, headers, { method: 'notifications/cancelled', params: { requestId: each } });
    expect(new Set(await Promise.all(calls.map(async (call) => (await call).text())))).toEqual(new Set(['']));
  }
  const list = await post(replica, headers, { id: 999, method: 'tools/list', params: {} });
  expect(list.status).toBe(200);
  await silent.close();
});

test('a replica that stops answers held calls at once', async () => {
  const held = await hold();
  const begun = performance.now();
  const [answer] = await Promise.all([held.answer, one.drain()]);
  expect(answer).toContain('not made');
  // The manual clock does not move here, so nothing ends by its time limit.
  expect(performance.now() - begun).toBeLessThan(20_000);
});
