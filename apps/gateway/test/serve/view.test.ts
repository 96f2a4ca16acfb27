import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVE, POISON } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import type { Scope } from '../../src/store/secrets/keys.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, type Local, serve } from '../upstream/rig.ts';

const TOOLS = { read: { effect: 'read' }, send: { effect: 'send' } };
const POLICY = { askTimeout: 0.05, servers: { mail: { tools: TOOLS } } };
const BOB = 'bob@team.example';

interface Line {
  readonly type: string;
  readonly id: string;
  readonly text: string;
  readonly tool: string;
  readonly outcome: string;
  readonly values: readonly { path: string; place?: { entry: string; start: number; end: number } }[];
}

let installation: Installation;
let server: Local;
let replica: Replica;
let workspace = '';
let said = '';

beforeAll(async () => {
  installation = await Installation.make();
  server = await serve(async (request, response) => {
    const { id, params, method } = JSON.parse(await bodyOf(request));
    const tools = Object.keys(TOOLS).map((each) => ({ name: each, inputSchema: { type: 'object' } }));
    const text = params?.name === 'send' ? 'Done' : said;
    const result = method === 'tools/list' ? { tools } : { content: [{ type: 'text', text }] };
    json(response, { jsonrpc: '2.0', id, result });
  });
  replica = await installation.start({ environment: { SALLYPORT_OPEN: server.origin, SALLYPORT_THREADS: '1' } });
  workspace = await installation.workspace('team');
  await installation.server(workspace, 'mail', { kind: 'http', url: `${server.origin}/mcp` });
  await installation.policy(workspace, POLICY);
  const ann = await installation.key(workspace, 'ann');
  await post(ann, 'tools/list', {}, 'work');
  said = `The office is at ${BOB} today, as every day of the week.`;
  await call(ann, 'read', {}, 'work');
  await call(ann, 'send', { to: BOB }, 'work');
  said = POISON;
  await call(ann, 'read', {}, 'trap');
  await call(ann, 'send', { to: EVE }, 'trap');
  await call(await installation.key(workspace, 'ben'), 'read', {}, 'work');
});

afterAll(async () => {
  await installation?.drop();
  await server?.close();
});

async function post(key: string, method: string, params: object, conversation: string): Promise<void> {
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
  await response.text();
}

const call = (key: string, name: string, given: object, conversation: string): Promise<void> =>
  post(key, 'tools/call', { name, arguments: given }, conversation);

async function api(path: string, principal: string, scope: Scope, body?: unknown): Promise<Response> {
  return fetch(`${replica.origin}/api/v1${path}`, {
    headers: {
      authorization: `Bearer ${await installation.key(workspace, principal, [scope])}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}

interface Listed {
  readonly id: string;
  readonly principal: string;
  readonly name?: string;
}

async function listed(principal: string, scope: Scope): Promise<readonly Listed[]> {
  return ((await (await api('/conversations', principal, scope)).json()) as { conversations: Listed[] }).conversations;
}

async function idOf(principal: string, name: string): Promise<string> {
  const found = (await listed('eva', 'approve:any')).find((one) => one.principal === principal && one.name === name);
  return found?.id ?? '';
}

async function linesOf(response: Response): Promise<readonly Line[]> {
  expect(response.status).toBe(200);
  return (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

describe('the list of conversations', () => {
  test('has those of everyone for who may approve for everyone, and the own ones for others', async () => {
    const names = async (principal: string, scope: Scope): Promise<readonly string[]> =>
      (await listed(principal, scope)).map((one) => `${one.principal} ${one.name}`).toSorted();
    expect(await names('eva', 'approve:any')).toEqual(['ann trap', 'ann work', 'ben work']);
    expect(await names('ann', 'approve:own')).toEqual(['ann trap', 'ann work']);
    expect(await names('an', 'approve:own')).toEqual([]);
  });
});

describe('a conversation', () => {
  test('leads from an argument to the words it comes from', async () => {
    const lines = await linesOf(await api(`/conversations/${await idOf('ann', 'work')}`, 'ann', 'approve:own'));
    const text = lines.find((line) => line.type === 'text' && line.text.includes(BOB)) as Line;
    const sent = lines.find(({ tool }) => tool === 'send') as Line;
    expect(lines.indexOf(sent)).toBeGreaterThan(lines.indexOf(text));
    expect(sent).toMatchObject({ tool: 'send', outcome: 'allow', wasMade: true, cell: 'send, content' });
    const { place } = sent.values.find(({ path }) => path === '/to') ?? {};
    expect(place?.entry).toBe(text.id);
    expect(text.text.slice(place?.start, place?.end)).toBe(BOB);
    expect(lines.at(-1)).toEqual({ type: 'end', entries: lines.length - 1, isCut: false });
  });

  test('shows the marked words of an attack, and a call that was refused', async () => {
    const lines = await linesOf(await api(`/conversations/${await idOf('ann', 'trap')}`, 'eva', 'approve:any'));
    const text = lines.find(({ type }) => type === 'text') as Line & { spans: { start: number; end: number }[] };
    expect(text.spans.length).toBeGreaterThan(0);
    expect(lines.find(({ tool }) => tool === 'send')).toMatchObject({ outcome: 'deny', wasMade: false });
  });

  test('shows what another policy would have decided', async () => {
    const path = `/conversations/${await idOf('ann', 'work')}/dry-run`;
    const lines = await linesOf(await api(path, 'ann', 'approve:own', { body: { ...POLICY, preset: 'strict' } }));
    expect(lines.find(({ tool }) => tool === 'send')).toMatchObject({
      outcome: 'allow',
      proposed: { outcome: 'ask', cell: 'send, content' },
    });
  });

  test.each([
    { title: 'of another principal, without approve:any', id: () => idOf('ann', 'work'), status: 404 },
    { title: 'with an id that is not one', id: async () => 'bm90LWpzb24', status: 404 },
    { title: 'with an id of other types', id: async () => Buffer.from('[1]').toString('base64url'), status: 404 },
  ])('$title is not found', async ({ id, status }) => {
    expect((await api(`/conversations/${await id()}`, 'ben', 'approve:own')).status).toBe(status);
  });

  test('of another workspace is not found', async () => {
    const elsewhere = await installation.workspace('elsewhere');
    const id = await idOf('ann', 'work');
    const response = await fetch(`${replica.origin}/api/v1/conversations/${id}`, {
      headers: { authorization: `Bearer ${await installation.key(elsewhere, 'eva', ['approve:any'])}` },
    });
    expect(response.status).toBe(404);
  });

  test('is in the audit when another principal looks at it', async () => {
    await linesOf(await api(`/conversations/${await idOf('ann', 'work')}`, 'eve', 'approve:any'));
    await linesOf(await api(`/conversations/${await idOf('ann', 'work')}`, 'ann', 'approve:own'));
    const rows = await installation.test.attacker<{ payload: string }[]>`select payload from audit`;
    const looks = rows.map(({ payload }) => JSON.parse(payload)).filter(({ type }) => type === 'conversation');
    expect(looks.filter(({ by }) => by === 'eve')).toMatchObject([{ what: 'read', principal: 'ann' }]);
    expect(looks.filter(({ by }) => by === 'ann')).toEqual([]);
  });
});
