import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVE, POISON, signs } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { withOperations } from '../../src/operate/operations.ts';
import { type DryRunBudget, type DryRunReport, dryRun } from '../../src/serve/replay/dry-run.ts';
import { whileAlone } from '../../src/store/alone.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, type Local, serve } from '../upstream/rig.ts';

const TOOLS = { read: { effect: 'read' }, send: { effect: 'send' } };
const POLICY = { askTimeout: 0.05, servers: { mail: { tools: TOOLS } } };
const BOB = 'bob@team.example';

let installation: Installation;
let server: Local;
let replica: Replica;
let said = '';
let sent: string[] = [];
let names = 0;
let name = '';
let workspace = '';
let key = '';

beforeAll(async () => {
  installation = await Installation.make();
  server = await serve(async (request, response) => {
    const { id, params, method } = JSON.parse(await bodyOf(request));
    const tools = Object.keys(TOOLS).map((each) => ({ name: each, inputSchema: { type: 'object' } }));
    if (params?.name === 'send') sent.push(params.arguments.to);
    const text = params?.name === 'send' ? 'Done' : said;
    const result = method === 'tools/list' ? { tools } : { content: [{ type: 'text', text }] };
    json(response, { jsonrpc: '2.0', id, result });
  });
  replica = await installation.start({ environment: { SALLYPORT_OPEN: server.origin, SALLYPORT_THREADS: '1' } });
});

afterAll(async () => {
  await installation?.drop();
  await server?.close();
});

/** One message to the mail server. */
async function post(method: string, params: object, conversation: string): Promise<string> {
  const response = await fetch(`${replica.origin}/mcp/mail`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'sallyport-conversation': conversation,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.text();
}

const read = (conversation: string): Promise<string> =>
  post('tools/call', { name: 'read', arguments: {} }, conversation);
const send = (to: string, conversation: string): Promise<string> =>
  post('tools/call', { name: 'send', arguments: { to } }, conversation);

/** Two conversations: one with a mail that names Bob, one with an instruction that names Eve. */
beforeEach(async () => {
  name = `team-${++names}`;
  workspace = await installation.workspace(name);
  await installation.server(workspace, 'mail', { kind: 'http', url: `${server.origin}/mcp` });
  await installation.policy(workspace, POLICY);
  key = await installation.key(workspace);
  sent = [];
  await post('tools/list', {}, 'work');
  said = `The office is at ${BOB} today, as every day of the week.`;
  await read('work');
  await send(BOB, 'work');
  await send(BOB, 'work');
  said = POISON;
  await read('trap');
  await send(EVE, 'trap');
  expect(sent).toEqual([BOB, BOB]);
});

function tryOut(body: unknown, budget?: DryRunBudget, since = new Date(0)): Promise<DryRunReport> {
  return withOperations(installation.configFor(), async (operations) =>
    dryRun(await operations.readRecorded(name, body, { since }), budget, signs),
  );
}

describe('a dry run', () => {
  test('counts what another policy would have decided, and changes nothing', async () => {
    const before = await installation.test.attacker`select count(*)::int as rows from log`;
    const same = await tryOut(POLICY);
    expect(same).toEqual({
      calls: 5,
      asked: NONE,
      denied: NONE,
      marked: NONE,
      changed: [],
      unread: 0,
      ignored: [],
    });
    const strict = await tryOut({ ...POLICY, preset: 'strict' });
    expect(strict).toMatchObject({ calls: 5, asked: { more: 2, fewer: 0 }, denied: NONE });
    expect(strict.changed).toHaveLength(2);
    expect(strict.changed[0]).toMatchObject({
      principal: 'ann',
      server: 'mail',
      tool: 'send',
      before: 'allow',
      after: 'ask',
      cell: 'send, content',
    });
    expect(Math.abs((strict.changed[0]?.at ?? 0) - Date.now())).toBeLessThan(600_000);
    expect(await installation.test.attacker`select count(*)::int as rows from log`).toEqual(before);
  });

  test('counts what would have been asked less often, from calls that were refused', async () => {
    const mild = { send: { instructed: 'ask' } };
    const report = await tryOut({ ...POLICY, table: mild });
    expect(report).toMatchObject({ calls: 5, asked: { more: 1, fewer: 0 }, denied: { more: 0, fewer: 1 } });
    const observed = await tryOut({ ...POLICY, observe: true });
    expect(observed).toMatchObject({ asked: NONE, denied: { more: 0, fewer: 1 } });
    await installation.policy(workspace, { ...POLICY, preset: 'strict' }, 1);
    expect(await tryOut(POLICY)).toMatchObject({ asked: { more: 0, fewer: 2 }, denied: NONE });
  });

  test('counts tools that another policy hides', async () => {
    const hiding = { ...POLICY, servers: { mail: { tools: TOOLS, hide: ['send'] } } };
    const report = await tryOut(hiding);
    expect(report).toMatchObject({ asked: NONE, denied: { more: 2, fewer: 0 } });
    expect(report.changed[0]).toMatchObject({ after: 'deny', rule: 'hidden' });
    const grouped = { ...POLICY, groups: { finance: { servers: { mail: {} } } } };
    expect(await tryOut(grouped)).toMatchObject({ denied: { more: 4, fewer: 0 } });
  });

  test.each([
    { title: 'nothing', body: { ...POLICY, preset: 'strict' }, ignored: [] },
    { title: 'names of conversations', body: { ...POLICY, conversations: 'principal' }, ignored: ['conversations'] },
    { title: 'who may answer', body: { ...POLICY, secondPerson: ['send'] }, ignored: ['secondPerson'] },
  ])('says that it ignores $title', async ({ body, ignored }) => {
    expect(await tryOut(body)).toMatchObject({ ignored });
  });

  test('reads a long log in portions', async () => {
    for (let turn = 0; turn < 30; turn++) await read('work');
    const sizes: number[] = [];
    await withOperations(installation.configFor(), async (operations) => {
      const source = await operations.readRecorded(name, POLICY, { since: new Date(0) });
      for (const principal of source.principals) await source.load(principal, ({ length }) => sizes.push(length));
    });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
    expect(sizes.reduce((total, size) => total + size, 0)).toBeGreaterThan(60);
    expect(await tryOut(POLICY)).toMatchObject({ calls: 35, changed: [] });
  });

  test('runs once at a time in a workspace, over all replicas', async () => {
    const [admin, other] = [
      await installation.key(workspace, 'boss', ['policy']),
      await installation.key(await installation.workspace(`${name}-other`), 'boss', ['policy']),
    ];
    const second = await installation.start({ environment: { SALLYPORT_OPEN: server.origin } });
    const ask = async (origin: string, bearer: string): Promise<number> => {
      const response = await fetch(`${origin}/api/v1/policy/dry-run`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ hours: 1, body: {} }),
      });
      await response.text();
      return response.status;
    };
    const answers = await whileAlone(installation.test.database, workspace, 'dry run', () =>
      Promise.all([ask(replica.origin, admin), ask(second.origin, other)]),
    );
    expect(answers).toEqual([429, 200]);
    expect(await ask(second.origin, admin)).toBe(200);
  });

  test('says when its budget of calls or time ran out, and judges only calls since a time', async () => {
    const strict = { ...POLICY, preset: 'strict' };
    expect(await tryOut(strict, { calls: 2 })).toMatchObject({ calls: 2, stoppedBy: 'calls' });
    expect(await tryOut(strict, { seconds: 0 })).toMatchObject({ calls: 0, stoppedBy: 'time' });
    expect(await tryOut(strict, {}, new Date(Date.now() + 60_000))).toMatchObject({ calls: 0, changed: [] });
  });

  test('is an operation of the API, which refuses what it would refuse to put', async () => {
    const admin = await installation.key(workspace, 'boss', ['policy']);
    const ask = async (body: object): Promise<{ status: number; body: unknown }> => {
      const response = await fetch(`${replica.origin}/api/v1/policy/dry-run`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        body: JSON.stringify({ hours: 1, ...body }),
      });
      return { status: response.status, body: await response.json() };
    };
    expect(await ask({ body: { ...POLICY, preset: 'strict' } })).toMatchObject({
      status: 200,
      body: { calls: 5, asked: { more: 2, fewer: 0 } },
    });
    expect((await ask({ body: { thresholds: { imperative: 'high' } } })).status).toBe(422);
    expect((await ask({ body: { servers: { mial: {} } } })).status).toBe(422);
  });
});

const NONE = { more: 0, fewer: 0 };
