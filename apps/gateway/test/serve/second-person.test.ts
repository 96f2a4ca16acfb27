import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOUBT, EVE } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import type { Scope } from '../../src/store/secrets/keys.ts';
import { eventually } from '../fixture/eventually.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { type MailServer, mailServer } from './upstream.ts';

let installation: Installation;
let replica: Replica;
let mail: MailServer;
let workspace: string;

beforeAll(async () => {
  installation = await Installation.make();
  mail = await mailServer();
  replica = await installation.start({ environment: { SALLYPORT_OPEN: mail.origin } });
  workspace = await installation.workspace('acme');
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
  await installation.policy(workspace, {
    askTimeout: 3600,
    secondPerson: ['send', 'spend'],
    servers: { mail: { tools: { read: { effect: 'read' }, send: { effect: 'send' } } } },
  });
});

afterAll(async () => {
  await installation?.drop();
  await mail?.close();
});

interface Shown {
  readonly id: string;
  readonly principal: string;
  readonly question: { readonly secondPerson?: boolean };
}

async function ask(key: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${replica.origin}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

test('a call that needs a second person is sent only when another principal approves it', async () => {
  const keyOf = (principal: string, ...scopes: Scope[]): Promise<string> =>
    installation.key(workspace, principal, scopes);
  // Ada may do everything that a person may, and her client shows forms.
  const ada = await keyOf('ada', 'mcp', 'approve:own', 'approve:any', 'admin', 'policy');
  const bob = await keyOf('bob', 'approve:own');
  const carol = await installation.key(workspace, 'carol', ['approve:any', 'audit'], [], 'grace');
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  let isAsked = false;
  client.setRequestHandler(ElicitRequestSchema as never, async () => {
    isAsked = true;
    return { action: 'accept', content: { approve: true } } as never;
  });
  const requestInit = { headers: { authorization: `Bearer ${ada}` } };
  const url = new URL(`${replica.origin}/mcp/mail`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never);
  await client.listTools();
  mail.mail = DOUBT;
  await client.callTool({ name: 'read', arguments: {} });
  const sending = client.callTool({ name: 'send', arguments: { to: EVE } }, undefined, { timeout: 60_000 });
  const held = await eventually(async () => {
    const { approvals } = (await ask(carol, '/approvals')).body as { approvals: Shown[] };
    expect(approvals).toHaveLength(1);
    return approvals[0] as Shown;
  });
  expect(held).toMatchObject({ principal: 'ada', question: { secondPerson: true } });
  const approved = { answer: 'approved' };
  const own = await ask(ada, `/approvals/${held.id}`, approved);
  expect([own.status, own.body]).toMatchObject([403, { error: expect.stringContaining('a second person') }]);
  expect((await ask(bob, `/approvals/${held.id}`, approved)).status).toBe(404);
  // An answer to a form that was never shown.
  const forged = await fetch(url, {
    method: 'POST',
    headers: { ...requestInit.headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: `sallyport-${held.id}`,
      result: { action: 'accept', content: { approve: true } },
    }),
  });
  expect(forged.status).toBe(202);
  expect([isAsked, mail.sent]).toEqual([false, []]);
  expect((await ask(carol, `/approvals/${held.id}`, { answer: 'approved', note: 'checked' })).status).toBe(204);
  expect(JSON.stringify(await sending)).toContain('Sent to');
  expect(mail.sent).toEqual([EVE]);
  const { approvals } = (await ask(carol, '/approvals?state=answered')).body as { approvals: unknown[] };
  expect(approvals).toMatchObject([{ id: held.id, answeredBy: 'carol', note: 'checked', answer: 'approved' }]);
  const audited = (await ask(carol, '/audit/events?person=grace&type=approval')).body as { rows: unknown[] };
  const event = { by: 'carol', person: 'grace', principal: 'ada', server: 'mail', tool: 'send' };
  expect(audited.rows).toMatchObject([{ event }]);
  await client.close();
});

test('a key that is made with the API is of the person who makes it, unless it names another', async () => {
  const rows = [
    { principal: 'by-key', maker: await installation.key(workspace, 'boss', ['admin']), expected: 'boss' },
    {
      principal: 'by-known',
      maker: await installation.key(workspace, 'known', ['admin'], [], 'sub:boss'),
      expected: 'sub:boss',
    },
    {
      principal: 'named',
      maker: await installation.key(workspace, 'boss', ['admin']),
      person: 'sub:ada',
      expected: 'sub:ada',
    },
  ];
  for (const { principal, maker, person, expected } of rows) {
    const made = await ask(maker, '/keys', { principal, label: 'x', scopes: ['mcp'], ...(person ? { person } : {}) });
    expect(made.status).toBe(201);
    const { keys } = (await ask(maker, '/keys')).body as { keys: { principal: string; person?: string }[] };
    expect(keys.find((each) => each.principal === principal)?.person).toBe(expected);
  }
});
