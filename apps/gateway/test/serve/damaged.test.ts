import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Installation, type Replica } from '../fixture/replica.ts';
import { type MailServer, mailServer } from './upstream.ts';

let installation: Installation;
let mail: MailServer;
let replica: Replica;

beforeAll(async () => {
  installation = await Installation.make();
  mail = await mailServer();
  replica = await installation.start({ environment: { SALLYPORT_OPEN: mail.origin } });
});

afterAll(async () => {
  await installation?.drop();
  await mail?.close();
});

async function open(name: string): Promise<{ workspace: string; client: Client; makeKey: () => Promise<Response> }> {
  const workspace = await installation.workspace(name);
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
  await installation.policy(workspace, { servers: { mail: { tools: { send: { effect: 'read' } } } } });
  const key = await installation.key(workspace, 'ann', ['admin', 'mcp']);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const client = new Client({ name: 'test', version: '1.0.0' });
  const url = new URL(`${replica.origin}/mcp/mail`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as never);
  await client.listTools();
  const body = JSON.stringify({ principal: 'bob', label: 'new', scopes: ['mcp'] });
  const makeKey = (): Promise<Response> => fetch(`${replica.origin}/api/v1/keys`, { method: 'POST', headers, body });
  return { workspace, client, makeKey };
}

test('with a damaged audit chain the API answers 503 and no call passes, and other workspaces go on', async () => {
  const [damaged, whole] = [await open('damaged'), await open('whole')];
  await installation.test.attacker`update audit set hash = sha256('x') where workspace_id = ${damaged.workspace}
    and seq = (select max(seq) from audit where workspace_id = ${damaged.workspace})`;
  const refused = await damaged.makeKey();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, null]);
  expect(await refused.json()).toEqual({
    error: 'The audit of this workspace is damaged, so nothing is changed.',
    next: 'Ask the operator to run `sallyport audit verify`.',
  });
  const send = { name: 'send', arguments: { to: 'bob@firm.example' } };
  await expect(damaged.client.callTool(send)).rejects.toThrow('ask the operator to run `sallyport audit verify`');
  expect(mail.sent).toEqual([]);
  expect((await whole.makeKey()).status).toBe(201);
  await whole.client.callTool(send);
  expect(mail.sent).toEqual(['bob@firm.example']);
  await Promise.all([damaged.client.close(), whole.client.close()]);
});
