import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Installation, type Replica } from '../fixture/replica.ts';
import { type MailServer, mailServer } from './upstream.ts';

let installation: Installation;
let replica: Replica;
let mail: MailServer;
let workspace: string;
let names = 0;

beforeAll(async () => {
  mail = await mailServer();
  installation = await Installation.make();
  replica = await installation.start({ environment: { SALLYPORT_OPEN: mail.origin } });
});
afterAll(async () => {
  await installation.drop();
  mail.close();
});

const POLICY = {
  askTimeout: 0.05,
  servers: { mail: { tools: { read: { effect: 'read' }, send: { effect: 'send' } } } },
};

/** Begins with another workspace: a change of a policy takes up to a second. */
async function open(): Promise<void> {
  workspace = await installation.workspace(`team-${++names}`);
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
}

beforeEach(async () => {
  mail.sent.length = 0;
  mail.mail = 'Nothing new.';
  await open();
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A client of the mail server with one session. */
async function connect(key: string): Promise<(method: string, params: object) => Promise<Answer>> {
  let session: string | undefined;
  let id = 0;
  const post = async (method: string, params: object): Promise<Answer> => {
    const response = await fetch(`${replica.origin}/mcp/mail`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    });
    session ??= response.headers.get('mcp-session-id') ?? undefined;
    return { status: response.status, text: await response.text() };
  };
  const clientInfo = { name: 'x', version: '1' };
  await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return post;
}

/** The tools that a client sees, and what a call of `send` answers. */
async function tried(key: string): Promise<{ readonly tools: readonly string[]; readonly sent: Answer }> {
  const post = await connect(key);
  const listed = await post('tools/list', {});
  const sent = await post('tools/call', { name: 'send', arguments: { to: 'bob@team.example' } });
  return { tools: ['read', 'send'].filter((tool) => listed.text.includes(`"name":"${tool}"`)), sent };
}

async function audited(): Promise<readonly Record<string, unknown>[]> {
  const rows = await installation.test.attacker<{ payload: string }[]>`
    select payload from audit where workspace_id = ${workspace} order by seq`;
  return rows.map(({ payload }) => JSON.parse(payload));
}

describe('a server that a group lists', () => {
  const groups = {
    finance: { servers: { mail: { allow: ['*'] } } },
    readers: { servers: { mail: { hide: ['se*'] } } },
  };

  test('is reached by members alone, and a refusal is in the audit', async () => {
    await installation.policy(workspace, { ...POLICY, groups });
    const [finance, none, other] = [
      await installation.key(workspace, 'ann', ['mcp'], ['finance']),
      await installation.key(workspace, 'bob'),
      await installation.key(workspace, 'cleo', ['mcp'], ['sales', 'Finance']),
    ];
    expect(await tried(finance)).toMatchObject({ tools: ['read', 'send'], sent: { status: 200 } });
    expect(mail.sent).toEqual(['bob@team.example']);
    for (const key of [none, other]) {
      const { tools, sent } = await tried(key);
      expect([tools, sent.status, sent.text]).toEqual([[], 403, expect.stringContaining('other groups')]);
    }
    expect(mail.sent).toEqual(['bob@team.example']);
    expect(await audited()).toContainEqual(
      expect.objectContaining({ type: 'access', what: 'refused', by: 'bob', server: 'mail' }),
    );
  });

  test('offers the tools that one of the groups lists', async () => {
    await installation.policy(workspace, { ...POLICY, groups });
    const reader = await tried(await installation.key(workspace, 'ann', ['mcp'], ['readers']));
    expect([reader.tools, reader.sent.text]).toEqual([['read'], expect.stringContaining('Unknown tool')]);
    expect(mail.sent).toEqual([]);
    const call = (await audited()).find(({ type }) => type === 'call');
    expect(call).toMatchObject({ tool: 'send', outcome: 'deny', rule: 'hidden', principal: 'ann' });
    // The same principal with another key: what counts is the key.
    const both = await tried(await installation.key(workspace, 'ann', ['mcp'], ['readers', 'finance']));
    expect(both).toMatchObject({ tools: ['read', 'send'], sent: { text: expect.stringContaining('Sent to') } });
  });

  test('is closed as soon as the policy says so', async () => {
    await installation.policy(workspace, POLICY);
    const post = await connect(await installation.key(workspace, 'ann'));
    expect((await post('tools/list', {})).status).toBe(200);
    await installation.policy(workspace, { ...POLICY, groups }, 1);
    await expect.poll(async () => (await post('tools/list', {})).status, { timeout: 10_000 }).toBe(403);
  });
});

test('a tool that the policy hides is neither listed nor called, for anyone', async () => {
  const hiding = { ...POLICY, servers: { mail: { ...POLICY.servers.mail, hide: ['send'] } } };
  await installation.policy(workspace, hiding);
  const { tools, sent } = await tried(await installation.key(workspace));
  expect([tools, sent.text]).toEqual([['read'], expect.stringContaining('Unknown tool')]);
  expect(mail.sent).toEqual([]);
  expect(await audited()).toContainEqual(expect.objectContaining({ tool: 'send', rule: 'hidden' }));
});

test('a cell of the table that a workspace changes applies to its calls', async () => {
  mail.mail = 'The office is at bob@team.example.';
  const outcome = async (policy: unknown): Promise<string> => {
    await open();
    await installation.policy(workspace, policy);
    const post = await connect(await installation.key(workspace));
    await post('tools/list', {});
    await post('tools/call', { name: 'read', arguments: {} });
    return (await post('tools/call', { name: 'send', arguments: { to: 'bob@team.example' } })).text;
  };
  expect(await outcome(POLICY)).toContain('Sent to');
  const deny = { send: { content: 'deny', model: 'deny' } };
  expect(await outcome({ ...POLICY, table: deny })).not.toContain('Sent to');
  const decided = { outcome: 'deny', rule: 'content', cell: 'send, content', decidedBy: 'table' };
  expect(await audited()).toContainEqual(expect.objectContaining(decided));
  const tools = {
    ...POLICY.servers.mail.tools,
    send: { effect: 'send', table: { send: { content: 'allow', model: 'allow' } } },
  };
  expect(await outcome({ ...POLICY, table: deny, servers: { mail: { tools } } })).toContain('Sent to');
});

test('an address that the operator opened for one workspace is not reached by another', async () => {
  const own = await installation.workspace('owner');
  const opened = await installation.start({ environment: { SALLYPORT_OPEN: `owner=${mail.origin}` } });
  const statuses: unknown[] = [];
  for (const each of [own, workspace]) {
    const key = await installation.key(each, 'boss', ['admin', 'mcp']);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ kind: 'http', url: `${mail.origin}/mcp` });
    const put = await fetch(`${opened.origin}/api/v1/servers/post`, { method: 'PUT', headers, body });
    // Registered by other means, it is not reached either.
    await installation.server(each, 'post', { kind: 'http', url: `${mail.origin}/mcp` });
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const called = await fetch(`${opened.origin}/mcp/post`, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
    });
    statuses.push([put.status, (await called.text()).includes('serverInfo')]);
  }
  expect(statuses).toEqual([
    [204, true],
    [422, false],
  ]);
});
