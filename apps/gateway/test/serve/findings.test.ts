import { digestText } from '@sallyport/core/adapter';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { POISON } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { eventually } from '../fixture/eventually.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, type Local, serve } from '../upstream/rig.ts';

let installation: Installation;
let replica: Replica;
let mail: Local;

beforeAll(async () => {
  installation = await Installation.make();
  mail = await serve(async (request, response) => {
    const { id } = JSON.parse(await bodyOf(request));
    json(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: POISON }] } });
  });
  replica = await installation.start({ environment: { SALLYPORT_OPEN: mail.origin } });
});

afterAll(async () => {
  await installation?.drop();
  await mail?.close();
});

interface Finding {
  readonly id: string;
  readonly text: string;
}

test('a person sees what was flagged in their mail, and says that it is a false alarm', async () => {
  const workspace = await installation.workspace('team');
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
  const [agent, ann, bob] = [
    await installation.key(workspace, 'ann'),
    await installation.key(workspace, 'ann', ['approve:own']),
    await installation.key(workspace, 'bob', ['approve:own']),
  ];
  const ask = async (key: string, path: string, body?: object): Promise<Response> =>
    fetch(`${replica.origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read', arguments: {} } };
  await (await ask(agent, '/mcp/mail', call)).text();
  const list = async (key: string): Promise<readonly Finding[]> =>
    ((await (await ask(key, '/api/v1/findings')).json()) as { findings: Finding[] }).findings;
  const found = await eventually(async () => {
    const [finding] = await list(ann);
    expect(finding).toMatchObject({ server: 'mail', tool: 'read', principal: 'ann', tag: expect.any(String) });
    return finding as Finding;
  });
  expect(POISON).toContain(found.text);
  expect(await list(bob)).toEqual([]);
  const verdict = { finding: found.id, verdict: 'false-alarm' };
  expect((await ask(bob, '/api/v1/feedback', verdict)).status).toBe(404);
  expect((await ask(ann, '/api/v1/feedback', { ...verdict, finding: 'f'.repeat(32) })).status).toBe(404);
  expect((await ask(ann, '/api/v1/feedback', verdict)).status).toBe(204);
  const rows = await installation.test.attacker`select server, digest, verdict, said_by from feedback`;
  expect([...rows]).toEqual([
    { server: 'mail', digest: digestText(found.text), verdict: 'false-alarm', said_by: 'ann' },
  ]);
});
