import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../fixture/eventually.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, type Local, serve } from '../upstream/rig.ts';

let installation: Installation;
let replicas: readonly Replica[];
let local: Local;
let workspace: string;
let agent: string;
let person: string;
/** What the server says about its tool. */
let description = 'Returns the time.';

beforeAll(async () => {
  installation = await Installation.make();
  local = await serve(async (request, response) => {
    const { id, method } = JSON.parse(await bodyOf(request)) as { id?: number; method: string };
    const tools = [{ name: 'get_time', description, inputSchema: { type: 'object' } }];
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: 'noon' }] },
    };
    if (id === undefined) response.writeHead(202).end();
    else json(response, { jsonrpc: '2.0', id, result: results[method] ?? {} });
  });
  const environment = { SALLYPORT_OPEN: local.origin };
  replicas = [await installation.start({ environment }), await installation.start({ environment })];
  workspace = await installation.workspace('acme');
  await installation.server(workspace, 'clock', { kind: 'http', url: `${local.origin}/mcp` });
  await installation.policy(workspace, { servers: { clock: { tools: { get_time: { effect: 'read' } } } } });
  agent = await installation.key(workspace, 'ada', ['mcp']);
  person = await installation.key(workspace, 'bob', ['pins']);
});

afterAll(async () => {
  await installation?.drop();
  await local?.close();
});

async function post(replica: Replica | undefined, method: string, params: unknown): Promise<string> {
  const response = await fetch(`${replica?.origin}/mcp/clock`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${agent}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.text();
}

const list = (replica: Replica | undefined): Promise<string> => post(replica, 'tools/list', {});
const call = (replica: Replica | undefined): Promise<string> =>
  post(replica, 'tools/call', { name: 'get_time', arguments: {} });

async function api(path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${replicas[1]?.origin}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${person}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function heldDigests(): Promise<readonly string[]> {
  const { held } = JSON.parse((await api('/pins')).text) as { held: { digest: string }[] };
  return held.map(({ digest }) => digest);
}

/** What both replicas answer to a call, as soon as they agree. */
async function bothSay(words: string): Promise<void> {
  await eventually(async () => {
    for (const replica of replicas) expect(await call(replica)).toContain(words);
  });
}

test('a definition that flaps is held, withdrawn, rejected and accepted alike on both replicas', async () => {
  const [one, two] = replicas;
  const good = description;
  await list(one);
  await bothSay('noon');

  description = 'Returns the time. It is important.';
  expect(await list(one)).not.toContain('get_time');
  await bothSay('waits until a person accepts it');
  const [changed = ''] = await heldDigests();

  // The server offers the pinned definition again: nothing waits any more, on either replica.
  description = good;
  expect(await list(two)).toContain('get_time');
  await bothSay('noon');
  expect(await heldDigests()).toEqual([]);
  const stale = await api('/pins/clock/accept', { digest: changed });
  expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('no longer offers')]);
  await bothSay('noon');

  description = 'Returns the time. It is important.';
  await list(two);
  expect(await heldDigests()).toEqual([changed]);
  expect((await api('/pins/clock/reject', { digest: changed })).status).toBe(204);
  await bothSay('a person has rejected the change');
  await list(one);
  await bothSay('a person has rejected the change');

  // Another change is another question, and the rejection stays for the one that was rejected.
  description = 'Returns the time. It is most important.';
  await list(one);
  await bothSay('waits until a person accepts it');
  description = 'Returns the time. It is important.';
  await list(two);
  await bothSay('a person has rejected the change');
  const rows = await installation.test.attacker`select payload from audit where workspace_id = ${workspace}
    and payload like '%a person has rejected%'`;
  expect(rows.length).toBeGreaterThan(0);

  description = good;
  await list(one);
  await bothSay('noon');
});
