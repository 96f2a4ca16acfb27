import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOUBT, EVE, POISON } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import type { Scope } from '../../src/store/secrets/keys.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { EVERYTHING } from '../upstream/rig.ts';
import { type MailServer, mailServer } from './upstream.ts';

let installation: Installation;
let one: Replica;
let two: Replica;
let mail: MailServer;
let workspace: string;
let names = 0;

beforeAll(async () => {
  installation = await Installation.make();
  mail = await mailServer();
  const environment = {
    SALLYPORT_OPEN: mail.origin,
    SALLYPORT_CHILDREN: 'trusted',
    SALLYPORT_COMMANDS: JSON.stringify({
      everything: { command: process.execPath, args: [EVERYTHING, 'stdio'], workspaces: ['team'] },
    }),
  };
  [one, two] = await Promise.all([installation.start({ environment }), installation.start({ environment })]);
  workspace = await installation.workspace('team');
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
  await installation.server(workspace, 'everything', { kind: 'stdio', command: 'everything', args: [], env: {} });
  // The same server under another name, with a short approval timeout.
  await installation.server(workspace, 'hasty', { kind: 'http', url: `${mail.origin}/mcp` });
  const tools = { read: { effect: 'read' }, send: { effect: 'send' } };
  const servers = { mail: { askTimeout: 3600, tools }, hasty: { askTimeout: 0.05, tools } };
  await installation.policy(workspace, { servers });
});

afterAll(async () => {
  await installation?.drop();
  await mail?.close();
});

interface Connected {
  readonly client: Client;
  call(name: string, given?: Record<string, unknown>): Promise<string>;
}

/** An SDK client, connected to a replica. */
async function connect(replica: Replica, key: string, server = 'mail', capabilities = {}): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${replica.origin}/mcp/${server}`), { requestInit }) as never,
  );
  await client.listTools();
  return {
    client,
    call: async (name, given = {}) => {
      const { content } = (await client.callTool({ name, arguments: given })) as { content: { text: string }[] };
      return content.map(({ text }) => text).join('\n');
    },
  };
}

/** A principal of its own, so that what other tests have read does not matter. */
const someone = (scopes: readonly Scope[] = ['mcp']): Promise<string> =>
  installation.key(workspace, `someone-${++names}`, scopes);

async function rows(sql: string): Promise<readonly Record<string, unknown>[]> {
  return (await installation.test.attacker.unsafe(sql)) as never;
}

describe('an SDK client', () => {
  test('lists and calls the tools of an HTTP server, and gets framed results', async () => {
    const { client, call } = await connect(one, await someone());
    expect(client.getServerVersion()).toMatchObject({ name: 'mail' });
    expect(client.getInstructions()).toContain('untrusted');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read', 'send']);
    mail.mail = 'The meeting is at noon.';
    expect(await call('read')).toMatch(
      /<untrusted [a-z]+(?: [a-z]+){3} from=mail.read>The meeting is at noon.<\/untrusted/,
    );
    expect(await call('send', { to: 'bob@firm.example' })).toContain('Sent to bob@firm.example');
    expect(mail.sent.pop()).toBe('bob@firm.example');
    await client.close();
  });

  test('does the same with a server that is a child process', async () => {
    const { client, call } = await connect(one, await someone(), 'everything');
    expect(await call('echo', { message: 'hello there my friend' })).toContain('hello there my friend');
    await client.close();
  });

  test('does not reach a command of another workspace, even if the server was registered before', async () => {
    const stranger = await installation.workspace('stranger');
    await installation.server(stranger, 'everything', { kind: 'stdio', command: 'everything', args: [], env: {} });
    const keys = [await installation.key(stranger, 'eve', ['mcp']), await installation.key(stranger, 'eve', ['admin'])];
    await expect(connect(one, keys[0] as string, 'everything')).rejects.toThrow('for this workspace');
    const answer = await fetch(`${one.origin}/api/v1/servers/mine`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${keys[1]}`, 'content-type': 'application/json' },
      body: '{"kind":"stdio","command":"everything"}',
    });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('for this workspace')]);
  });

  test('cannot send to an address from a mail, on any replica', async () => {
    const key = await someone();
    const first = await connect(one, key);
    const second = await connect(two, key);
    mail.mail = POISON;
    await first.call('read');
    for (const { call, client } of [second, first]) {
      expect(await call('send', { to: EVE })).toContain('not made');
      await client.close();
    }
    expect(mail.sent).toEqual([]);
  });

  test('continues its session on another replica', async () => {
    const key = await someone();
    const { client, call } = await connect(one, key);
    mail.mail = 'The meeting is at noon.';
    await call('read');
    const transport = client.transport as unknown as { _url: URL };
    transport._url = new URL(`${two.origin}/mcp/mail`);
    expect(await call('send', { to: 'bob@firm.example' })).toContain('Sent to bob@firm.example');
    expect(mail.sent.pop()).toBe('bob@firm.example');
    await client.close();
  });

  test('is asked by a form, whose answer may arrive at any replica', async () => {
    const key = await someone(['mcp', 'approve:own']);
    const { client, call } = await connect(one, key, 'mail', { elicitation: {} });
    const transport = client.transport as unknown as { _url: URL };
    let asked = '';
    client.setRequestHandler(ElicitRequestSchema as never, async ({ params }: { params: { message: string } }) => {
      asked = params.message;
      transport._url = new URL(`${two.origin}/mcp/mail`);
      return { action: 'accept', content: { approve: true } } as never;
    });
    mail.mail = DOUBT;
    await call('read');
    expect(await call('send', { to: EVE })).toContain(`Sent to ${EVE}`);
    expect(asked).toContain(EVE);
    expect(mail.sent.pop()).toBe(EVE);
    await client.close();
  });

  test('without the scope approve:own gets no form, and its answer is ignored', async () => {
    const principal = `someone-${++names}`;
    const key = await installation.key(workspace, principal);
    const { client, call } = await connect(one, key, 'mail', { elicitation: {} });
    let asked = false;
    client.setRequestHandler(ElicitRequestSchema as never, async () => {
      asked = true;
      return { action: 'accept', content: { approve: true } } as never;
    });
    mail.mail = DOUBT;
    await call('read');
    const calling = call('send', { to: EVE });
    const open = (): Promise<readonly Record<string, unknown>[]> =>
      rows(`select id from approvals where principal = '${principal}' and answer is null`);
    await expect.poll(async () => (await open()).length).toBe(1);
    const [{ id } = {}] = await open();
    const response = await fetch(`${two.origin}/mcp/mail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: `sallyport-${id}`,
        result: { action: 'accept', content: { approve: true } },
      }),
    });
    expect(response.status).toBe(202);
    expect(await open()).toEqual([{ id }]);
    const person = await installation.key(workspace, 'person', ['approve:any']);
    const denied = await fetch(`${two.origin}/api/v1/approvals/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person}`, 'content-type': 'application/json' },
      body: JSON.stringify({ answer: 'denied' }),
    });
    expect(denied.status).toBe(204);
    expect(await calling).toContain('not made');
    expect([asked, mail.sent]).toEqual([false, []]);
    await client.close();
  });

  test('without forms waits for another person, and is refused after the timeout', async () => {
    const { client, call } = await connect(one, await someone(), 'hasty');
    mail.mail = DOUBT;
    await call('read');
    expect(await call('send', { to: EVE })).toContain('not made');
    expect(mail.sent).toEqual([]);
    await client.close();
  });
});

describe('sessions', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const post = (key: string, body: unknown, more: Record<string, string> = {}, path = '/mcp/mail'): Promise<Response> =>
    fetch(`${one.origin}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...more,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('have ids of the gateway, which other principals cannot use', async () => {
    const key = await someone();
    const session = (await post(key, initialize)).headers.get('mcp-session-id') as string;
    expect(session).toMatch(/^sp1\./);
    expect(mail.headers.map((each) => each['mcp-session-id'])).not.toContain(session);
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
    expect((await post(key, list, { 'mcp-session-id': session })).status).toBe(200);
    const before = mail.headers.length;
    expect((await post(await someone(), list, { 'mcp-session-id': session })).status).toBe(404);
    expect((await post(key, list, { 'mcp-session-id': session }, '/mcp/everything')).status).toBe(404);
    expect((await post(key, list, { 'mcp-session-id': `${session}x` })).status).toBe(404);
    expect(mail.headers).toHaveLength(before);
  });

  test("the caller's credentials do not reach the server", async () => {
    const key = await someone();
    await post(key, initialize, { cookie: 'secret=1', 'x-forwarded-for': '1.2.3.4' });
    const arrived = JSON.stringify(mail.headers);
    for (const secret of [key, 'secret=1', '1.2.3.4']) expect(arrived).not.toContain(secret);
  });

  test.each([
    ['no key', {}, 401],
    [
      'a key that there is not',
      { authorization: 'Bearer sp_aaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' },
      401,
    ],
    ['no bearer', { authorization: 'Basic eDp5' }, 401],
  ])('%s: refused', async (_, headers, status) => {
    const response = await fetch(`${one.origin}/mcp/mail`, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')).toContain('resource_metadata=');
  });

  test('a server of another workspace is not found', async () => {
    const other = await installation.workspace('other');
    const key = await installation.key(other);
    expect((await post(key, initialize)).status).toBe(404);
  });

  test('a batch is refused, whatever it contains', async () => {
    const before = mail.headers.length;
    for (const body of ['[]', ' [{"jsonrpc":"2.0","id":1,"method":"ping"}]', '[[]]']) {
      const response = await post(await someone(), body);
      expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32600 } }]);
    }
    expect(mail.headers).toHaveLength(before);
  });

  test.each([
    ['no JSON', '{', 200, { error: { code: -32700 } }],
    ['no message', '{}', 200, { error: { code: -32600 } }],
    [
      'an unknown tool',
      { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 5 } },
      200,
      { id: 9, error: { code: -32602 } },
    ],
  ])('%s is answered by the gateway', async (_, body, status, expected) => {
    const response = await post(await someone(), body);
    expect([response.status, await response.json()]).toMatchObject([status, expected]);
  });
});

describe('what is written down', () => {
  test('every decision and every answer, before it goes on', async () => {
    const principal = `someone-${++names}`;
    const { client, call } = await connect(one, await installation.key(workspace, principal));
    mail.mail = POISON;
    await call('read');
    await call('send', { to: EVE });
    await client.close();
    const kept = (await rows(`select payload from audit order by seq`)).map(({ payload }) =>
      JSON.parse(String(payload)),
    );
    const own = kept.filter((each) => each.principal === principal && each.type !== 'key');
    expect(own.map(({ type, tool, outcome }) => [type, tool, outcome])).toEqual([
      ['answer', undefined, undefined],
      ['answer', undefined, undefined],
      ['call', 'mail.read', 'allow'],
      ['answer', undefined, undefined],
      ['call', 'mail.send', 'deny'],
    ]);
    expect(JSON.stringify(own)).not.toContain('evil');
    expect(own.at(-1).evidence).toMatchObject([{ path: '/to' }]);
  });

  test('no line of the log holds content or a key', async () => {
    const key = await someone();
    const { client, call } = await connect(one, key);
    mail.mail = 'A word that nobody else says: xylophonic.';
    await call('read');
    await client.close();
    expect(installation.lines.length).toBeGreaterThan(3);
    const text = installation.lines.join('\n');
    for (const secret of ['xylophonic', key, key.slice(12)]) expect(text).not.toContain(secret);
  });
});

test('a page of another site is refused, whatever it knows', async () => {
  const authorization = `Bearer ${await someone()}`;
  const statusFor = async (origin: string): Promise<number> => {
    const headers = { authorization, origin, 'content-type': 'application/json', accept: 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    return (await fetch(`${one.origin}/mcp/mail`, { method: 'POST', headers, body })).status;
  };
  for (const origin of ['https://evil.example', 'null', 'http://localhost:8081'])
    expect(await statusFor(origin)).toBe(403);
  expect(await statusFor('http://localhost:8080')).not.toBe(403);
});

test('health, readiness, metrics and metadata are there for everybody', async () => {
  for (const [path, words] of [
    ['/health', 'ok'],
    ['/ready', 'ready'],
    ['/metrics', 'sallyport_calls_total'],
    ['/metrics', 'sallyport_upstream_open{kind="streams"} 0'],
    ['/.well-known/oauth-protected-resource/mcp/mail', 'bearer_methods_supported'],
  ])
    expect(await (await fetch(`${one.origin}${path}`)).text()).toContain(words);
});

test('an idle connection stays open for longer than a balancer keeps one', async () => {
  const { headers } = await fetch(`${one.origin}/health`);
  expect(headers.get('keep-alive')).toBe('timeout=75');
});
