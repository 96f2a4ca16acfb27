import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVE, POISON } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, type Local, serve } from '../upstream/rig.ts';

const TOOLS = { read: { effect: 'read' }, send: { effect: 'send' } };
const POLICY = { askTimeout: 0.05, servers: { mail: { tools: TOOLS } } };

let installation: Installation;
let server: Local;
let replica: Replica;
let names = 0;
const sent: string[] = [];

beforeAll(async () => {
  installation = await Installation.make();
  server = await serve(async (request, response) => {
    const { id, params } = JSON.parse(await bodyOf(request));
    if (params.name === 'send') sent.push(params.arguments.to);
    const text = params.name === 'send' ? 'Sent' : POISON;
    json(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
  });
  replica = await installation.start({ environment: { SALLYPORT_OPEN: server.origin, SALLYPORT_THREADS: '1' } });
});

beforeEach(() => {
  sent.length = 0;
});

afterAll(async () => {
  await installation?.drop();
  await server?.close();
});

async function team(policy: object): Promise<string> {
  const workspace = await installation.workspace(`team-${++names}`);
  await installation.server(workspace, 'mail', { kind: 'http', url: `${server.origin}/mcp` });
  await installation.policy(workspace, { ...POLICY, ...policy });
  return workspace;
}

interface Named {
  readonly header?: string;
  readonly meta?: string;
}

async function call(key: string, name: string, { header, meta }: Named): Promise<string> {
  const params = {
    name,
    arguments: name === 'send' ? { to: EVE } : {},
    ...(meta === undefined ? {} : { _meta: { 'sallyport/conversation': meta } }),
  };
  const response = await fetch(`${replica.origin}/mcp/mail`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(header === undefined ? {} : { 'sallyport-conversation': header }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return response.text();
}

describe('a policy that ignores names of conversations', () => {
  test.each<[string, Named, Named]>([
    ['a header', { header: 'a' }, { header: 'b' }],
    ['a member of _meta', { meta: 'a' }, { meta: 'b' }],
    ['a name given only when reading', { header: 'a' }, {}],
    ['a name given only when sending', {}, { meta: 'b', header: 'c' }],
  ])('holds a call that %s separates from what was read', async (_, reading, sending) => {
    const key = await installation.key(await team({ conversations: 'principal' }));
    await call(key, 'read', reading);
    expect(await call(key, 'send', sending)).toContain('not made');
    expect(sent).toEqual([]);
  });

  test('is not the default: a host may name conversations', async () => {
    const key = await installation.key(await team({}));
    await call(key, 'read', { header: 'a' });
    expect(await call(key, 'send', { header: 'a' })).toContain('not made');
    expect(await call(key, 'send', { header: 'b' })).toContain('Sent');
  });
});

test('a name belongs to the principal: another one neither joins nor sees the conversation', async () => {
  const workspace = await team({});
  const [ada, bob] = [await installation.key(workspace, 'ada'), await installation.key(workspace, 'bob')];
  await call(ada, 'read', { header: 'shared' });
  expect(await call(bob, 'send', { header: 'shared' })).toContain('Sent');
  expect(await call(bob, 'send', { header: 'ada' })).toContain('Sent');
  expect(await call(ada, 'send', { header: 'shared' })).toContain('not made');
});
